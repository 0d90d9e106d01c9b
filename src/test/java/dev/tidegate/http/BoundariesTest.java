package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Periods as time passes. */
@QuarkusTest
class BoundariesTest extends ClockSuite {

  private static final String SESSION = "{'type':'session','seconds':18000}";

  private static JsonPath all(String subject) {
    return readLimit(subject, "all").jsonPath();
  }

  @Test
  @DisplayName("B3 A period above its limit is over at the reset")
  void b3() {
    set("2027-03-01T12:00:00Z");
    String subject = dailySubject(100);
    settle(subject, held(subject, 50), 130);
    assertProblem(429, "quota-exhausted", reserve(subject, 1));
    set("2027-03-02T00:00:00Z");
    assertEquals("0/0", usedAndHeld(subject));
    assertStatus(201, reserve(subject, 100));
  }

  @Test
  @DisplayName("C1 A hold that straddles the boundary settles into the old period")
  void c1() {
    set("2027-03-01T23:59:58Z");
    String subject = dailySubject(1000);
    String id = held(subject, 500);
    set("2027-03-02T00:00:05Z");
    Response settled = settle(subject, id, 350);
    assertFalse(settled.jsonPath().getBoolean("late"));
    assertEquals(1000, settled.jsonPath().getInt("available.tokens"));
    assertEquals("0/0", usedAndHeld(subject));
    var old = periods(subject).jsonPath();
    assertEquals(350, old.getInt("limits[0].past[0].used"));
    assertEquals(0, old.getInt("limits[0].past[0].held"));
  }

  @Test
  @DisplayName("C6 A millisecond before the reset is the old period, the reset is the new one")
  void c6() {
    set("2027-03-01T23:59:59.999Z");
    String subject = dailySubject(100);
    charge(subject, 10);
    String before = all(subject).getString("period_id");
    set("2027-03-02T00:00:00Z");
    charge(subject, 1);
    assertEquals("1/0", usedAndHeld(subject));
    assertEquals("2027-03-01T00:00:00Z/day", before);
    assertEquals("2027-03-02T00:00:00Z/day", all(subject).getString("period_id"));
    assertEquals(10, periods(subject).jsonPath().getInt("limits[0].past[0].used"));
  }

  @Test
  @DisplayName(
      "C8 At a reset with live holds the new period is full, and they settle into the old one")
  void c8() {
    set("2027-03-01T23:59:00Z");
    String subject = dailySubject(100);
    charge(subject, 70);
    String id = held(subject, 30, 600);
    set("2027-03-02T00:00:00Z");
    assertEquals(100, all(subject).getInt("remaining"));
    String next = held(subject, 100, 600);
    settle(subject, id, 30);
    assertEquals("0/100", usedAndHeld(subject));
    release(subject, next);
    var past = periods(subject).jsonPath();
    assertEquals(100, past.getInt("limits[0].past[0].used"));
    assertEquals(0, past.getInt("limits[0].past[0].held"));
  }

  @Test
  @DisplayName("C15 A day in Tokyo ends at 15:00 UTC")
  void c15() {
    set("2026-07-31T14:59:59.999Z");
    String subject = dailySubject(10);
    putSubject(subject, "{'plan':'p-%s','zone':'Asia/Tokyo'}".formatted(subject));
    charge(subject, 10);
    var limit = all(subject);
    assertEquals("2026-07-31T15:00:00Z", limit.getString("reset_at"));
    assertEquals("2026-08-01T00:00:00+09:00", limit.getString("reset_at_local"));
    Response denied = charge(subject, 1);
    assertEquals("2026-08-01T00:00:00+09:00", denied.jsonPath().getString("reset_at_local"));
    assertEquals(1, denied.jsonPath().getLong("retry_after_ms"));
    set("2026-07-31T15:00:00Z");
    assertStatus(200, charge(subject, 1));
  }

  @Test
  @DisplayName("C16 A month that is left a day before its end is over a day later")
  void c16() {
    set("2027-01-31T00:00:00Z");
    String monthly = "{'type':'calendar','unit':'month','day_of_month':1}";
    String subject = subjectOn(plan(limit("all", "tokens", 10, monthly)));
    charge(subject, 10);
    assertEquals("2027-02-01T00:00:00Z", all(subject).getString("reset_at"));
    set("2027-01-31T23:59:59.999Z");
    assertProblem(429, "quota-exhausted", charge(subject, 1));
    set("2027-02-01T00:00:00Z");
    assertStatus(200, charge(subject, 10));
    assertEquals("2027-03-01T00:00:00Z", all(subject).getString("reset_at"));
  }

  @Test
  @DisplayName("C17 Anchored at the 31st, the period around 2 March is 28 February to 31 March")
  void c17() {
    set("2027-03-02T00:00:00Z");
    String monthly = "{'type':'calendar','unit':'month','day_of_month':31}";
    String subject = subjectOn(plan(limit("all", "tokens", 10, monthly)));
    charge(subject, 1);
    assertEquals("2027-02-28T00:00:00Z/month", all(subject).getString("period_id"));
    assertEquals("2027-03-31T00:00:00Z", all(subject).getString("reset_at"));
    set("2027-03-31T00:00:00Z");
    assertEquals("2027-04-30T00:00:00Z", all(subject).getString("reset_at"));
    set("2027-04-30T00:00:00Z");
    assertEquals("2027-05-31T00:00:00Z", all(subject).getString("reset_at"));
  }

  @Test
  @DisplayName("C18 The hour that comes twice is two periods")
  void c18() {
    set("2026-11-01T05:30:00Z");
    String hourly = "{'type':'calendar','unit':'hour','zone':'America/New_York'}";
    String subject = subjectOn(plan(limit("all", "tokens", 10, hourly)));
    charge(subject, 10);
    String first = all(subject).getString("period_id");
    long seq = all(subject).getLong("seq");
    set("2026-11-01T06:30:00Z");
    assertStatus(200, charge(subject, 10));
    assertNotEquals(first, all(subject).getString("period_id"));
    assertEquals(seq + 1, all(subject).getLong("seq"));
    assertEquals("2026-11-01T02:00:00-05:00", all(subject).getString("reset_at_local"));
  }

  @Test
  @DisplayName("C22 A session is anchored once")
  void c22() {
    set("2027-03-01T06:17:00Z");
    String subject = subjectOn(plan(limit("all", "tokens", 100, SESSION)));
    charge(subject, 1);
    for (String burst : List.of("09:54:00", "10:00:30", "10:12:00")) {
      set("2027-03-01T" + burst + "Z");
      charge(subject, 1);
      assertEquals("2027-03-01T11:17:00Z", all(subject).getString("reset_at"));
    }
    assertEquals("4/0", usedAndHeld(subject));
    assertEquals("2027-03-01T06:17:00Z/session", all(subject).getString("period_id"));
    set("2027-03-01T11:17:00Z");
    assertTrue(all(subject).getBoolean("opens_on_use"));
    assertNull(all(subject).get("reset_at"));
    charge(subject, 1);
    assertEquals("2027-03-01T16:17:00Z", all(subject).getString("reset_at"));
    assertEquals(2, all(subject).getInt("seq"));
  }

  @Test
  @DisplayName("C23 Reading, a denial and a dry run open no session; a grant does, and it stays")
  void c23() {
    set("2027-03-01T06:00:00Z");
    String subject = subjectOn(plan(limit("all", "tokens", 100, SESSION)));
    read(subject);
    assertProblem(422, "exceeds-capacity", reserve(subject, 101));
    reserve(subject, "{'amounts':{'tokens':1},'dry_run':true}");
    assertTrue(all(subject).getBoolean("opens_on_use"));
    set("2027-03-01T06:17:00Z");
    String id = held(subject, 10);
    release(subject, id);
    assertFalse(all(subject).getBoolean("opens_on_use"));
    assertEquals("2027-03-01T11:17:00Z", all(subject).getString("reset_at"));
  }

  @Test
  @DisplayName("C24 A hold across the end of a session settles into it and opens none")
  void c24() {
    set("2027-03-01T06:17:00Z");
    String subject = subjectOn(plan(limit("all", "tokens", 100, SESSION)));
    charge(subject, 1);
    set("2027-03-01T11:16:00Z");
    String id = held(subject, 10, 600);
    set("2027-03-01T11:20:00Z");
    assertStatus(200, settle(subject, id, 7));
    assertTrue(all(subject).getBoolean("opens_on_use"));
    var periods = periods(subject).jsonPath();
    assertEquals(8, periods.getInt("limits[0].past[0].used"));
    assertNull(periods.get("limits[0].current"));
  }

  @Test
  @DisplayName("D12 A denial before midnight is decided anew after it")
  void d12() {
    set("2027-03-01T23:59:00Z");
    String subject = dailySubject(100);
    charge(subject, 100);
    String path = quotaPath(subject) + "/reservations";
    Response denied = as(METER, tokens(1)).header("Idempotency-Key", "k").post(path);
    assertProblem(429, "quota-exhausted", denied);
    assertEquals(60_000, denied.jsonPath().getLong("retry_after_ms"));
    set("2027-03-02T00:00:01Z");
    Response granted = as(METER, tokens(1)).header("Idempotency-Key", "k").post(path);
    assertStatus(201, granted);
    assertFalse(granted.jsonPath().getBoolean("replayed"));
  }

  @Test
  @DisplayName("I7 Of two limits that refuse, the one that frees last is named")
  void i7() {
    set("2027-03-01T14:59:50Z");
    String minutes = "{'type':'cron','expr':'* * * * *'}";
    String subject =
        subjectOn(plan(limit("minute", "tokens", 10, minutes), limit("all", "tokens", 10, DAILY)));
    charge(subject, 10);
    Response denied = charge(subject, 1);
    assertEquals("all", denied.jsonPath().getString("limit"));
    assertEquals("2027-03-02T00:00:00Z", denied.jsonPath().getString("reset_at"));
    assertEquals(32_410_000, denied.jsonPath().getLong("retry_after_ms"));
    assertEquals(List.of("minute", "all"), denied.jsonPath().getList("violations.limit"));
    assertEquals(10_000, denied.jsonPath().getLong("violations[0].retry_after_ms"));
  }

  @Test
  void aDenialIsOverAtTheInstantThatItNamed() {
    set("2027-03-01T12:34:56.789Z");
    String subject = dailySubject(100);
    charge(subject, 100);
    Response denied = reserve(subject, 1);
    assertEquals(41_103_211, denied.jsonPath().getLong("retry_after_ms"));
    assertEquals("41104", denied.header("Retry-After"));
    set("2027-03-01T23:59:59.999Z");
    Response last = reserve(subject, 1);
    assertEquals(1, last.jsonPath().getLong("retry_after_ms"));
    assertEquals(denied.jsonPath().getString("reset_at"), last.jsonPath().getString("reset_at"));
    set("2027-03-02T00:00:00Z");
    assertStatus(201, reserve(subject, 1));
  }

  @Test
  void aRollOverMovesTheVersionOnAndAReadShowsItBeforeAnyWrite() {
    set("2027-03-01T12:00:00Z");
    String subject = dailySubject(100);
    charge(subject, 1);
    long before = read(subject).jsonPath().getLong("version");
    long boundary = Instant.parse("2027-03-02T00:00:00Z").toEpochMilli();
    assertTrue(before < boundary);
    set("2027-03-02T12:00:00Z");
    try (TestRedis redis = TestRedis.open()) {
      var stored = redis.entries();
      assertEquals(boundary, read(subject).jsonPath().getLong("version"));
      periods(subject);
      stored.forEach((key, entry) -> assertEquals(entry.value(), redis.value(key), key));
    }
    charge(subject, 1);
    assertEquals(boundary, read(subject).jsonPath().getLong("version"));
  }

  @Test
  void periodsWithoutUseAreListedWithNothingUsed() {
    set("2027-03-01T12:00:00Z");
    String subject = dailySubject(100);
    charge(subject, 7);
    set("2027-03-04T12:00:00Z");
    for (int n = 0; n < 2; n++) {
      var limit = periods(subject, "?next=2").jsonPath();
      assertEquals(
          List.of(
              "2027-03-03T00:00:00Z/day", "2027-03-02T00:00:00Z/day", "2027-03-01T00:00:00Z/day"),
          limit.getList("limits[0].past.period_id"));
      assertEquals(List.of(0, 0, 7), limit.getList("limits[0].past.used"));
      int seq = limit.getInt("limits[0].current.seq");
      assertEquals(List.of(seq - 1, seq - 2, seq - 3), limit.getList("limits[0].past.seq"));
      assertEquals(
          List.of("2027-03-05T00:00:00Z", "2027-03-06T00:00:00Z"), limit.getList("limits[0].next"));
      charge(subject, 1);
    }
    assertEquals(2, periods(subject, "?past=2").jsonPath().getList("limits[0].past").size());
  }

  @Test
  @DisplayName("Law 2: idle periods of a cron schedule have the numbers that they would have had")
  void idlePeriodsOfCron() {
    String cron = "{'type':'cron','expr':'30 2 * * *'}";
    set("2027-03-01T12:00:00Z");
    String used = subjectOn(plan(limit("all", "tokens", 100, cron)));
    String idle = subjectOn(plan(limit("all", "tokens", 100, cron)));
    for (int day = 1; day <= 4; day++) {
      set("2027-03-0%dT12:00:00Z".formatted(day));
      charge(used, 1);
      if (day % 3 == 1) {
        charge(idle, 1);
      }
    }
    String past = "limits[0].past.seq";
    List<Integer> seqs = periods(used).jsonPath().getList(past);
    assertEquals(3, seqs.size());
    assertEquals(seqs, periods(idle).jsonPath().getList(past));
  }

  @Test
  void aLateSettlementCorrectsTheClosedPeriod() {
    set("2027-03-01T12:00:00Z");
    String subject = dailySubject(100);
    String id = held(subject, 10, 60);
    set("2027-03-02T11:00:00Z");
    charge(subject, 1);
    assertEquals(0, periods(subject).jsonPath().getInt("limits[0].past[0].used"));
    assertTrue(settle(subject, id, 25).jsonPath().getBoolean("late"));
    var periods = periods(subject).jsonPath();
    assertEquals(25, periods.getInt("limits[0].past[0].used"));
    assertEquals(1, periods.getInt("limits[0].current.used"));
  }

  @Test
  void twelveClosedPeriodsAreKept() {
    String subject = "";
    for (int day = 10; day < 25; day++) {
      set("2027-03-%dT12:00:00Z".formatted(day));
      subject = subject.isEmpty() ? dailySubject(100) : subject;
      charge(subject, day);
    }
    var past = periods(subject, "?past=1000").jsonPath();
    assertEquals(
        List.of(23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12),
        past.getList("limits[0].past.used"));
  }

  @Test
  void aDayThatIsAnHourShortEndsWhenTheZoneSays() {
    set("2027-03-27T23:00:00Z");
    String subject = dailySubject(100);
    putSubject(subject, "{'plan':'p-%s','zone':'Europe/Berlin'}".formatted(subject));
    charge(subject, 100);
    assertEquals("2027-03-28T22:00:00Z", all(subject).getString("reset_at"));
    assertEquals("2027-03-29T00:00:00+02:00", all(subject).getString("reset_at_local"));
    set("2027-03-28T22:00:00Z");
    assertStatus(200, charge(subject, 100));
  }

  @Test
  void aNewScheduleCountsWhenTheCurrentPeriodEnds() {
    set("2027-03-01T12:00:00Z");
    String subject = dailySubject(100);
    charge(subject, 60);
    String weekly = "{'type':'calendar','unit':'week'}";
    putPlan("p-" + subject, plan(limit("all", "tokens", 100, weekly)));
    assertEquals("2027-03-02T00:00:00Z", all(subject).getString("reset_at"));
    assertEquals("60/0", usedAndHeld(subject));
    set("2027-03-02T00:00:00Z");
    assertEquals("2027-03-08T00:00:00Z", all(subject).getString("reset_at"));
    assertEquals("0/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("C12 After the reset everybody is admitted at once, members and their parent alike")
  void c12() {
    set("2027-03-01T12:00:00Z");
    String team = dailySubject(100);
    String member = fresh("member");
    putSubject(member, "{'plan':'p-%s','parent':'%s'}".formatted(team, team));
    charge(member, 100);
    assertProblem(429, "quota-exhausted", reserve(member, 1));
    assertProblem(429, "quota-exhausted", reserve(team, 1));
    set("2027-03-02T00:00:00Z");
    assertStatus(201, reserve(team, 40));
    assertStatus(201, reserve(member, 60));
    assertProblem(429, "quota-exhausted", reserve(team, 1));
  }

  @Test
  @DisplayName("C13 A reset writes nothing: the new period is there before anybody calls")
  void c13() {
    set("2027-03-01T12:00:00Z");
    String subject = dailySubject(100);
    charge(subject, 100);
    try (TestRedis redis = TestRedis.open()) {
      Map<String, String> before = values(redis);
      set("2027-03-02T00:00:00Z");
      assertEquals("0/0", usedAndHeld(subject));
      assertEquals("2027-03-03T00:00:00Z", all(subject).getString("reset_at"));
      assertEquals(before, values(redis));
    }
    assertStatus(201, reserve(subject, 100));
  }

  /** What is stored, but for the clock itself. */
  private static Map<String, String> values(TestRedis redis) {
    Map<String, String> values = new TreeMap<>();
    redis.entries().forEach((key, entry) -> values.put(key, entry.value()));
    values.keySet().removeIf(key -> key.endsWith(":test-clock"));
    return values;
  }
}
