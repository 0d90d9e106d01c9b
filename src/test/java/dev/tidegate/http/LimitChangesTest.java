package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Law 22: what becomes of a period whose limit, schedule or zone changes. */
@QuarkusTest
@DisplayName("Law 22: changes of limits, schedules and zones")
class LimitChangesTest extends ClockSuite {

  private String free = "";
  private String pro = "";
  private String subject = "";

  @BeforeEach
  void aSubjectOnTheFreePlan() {
    set("2027-03-01T12:00:00Z");
    free = fresh("free");
    pro = fresh("pro");
    putPlan(free, plan(limit("all", "tokens", 100, DAILY)));
    putPlan(pro, plan(limit("all", "tokens", 500, DAILY)));
    subject = fresh("s");
    on(free, "now");
  }

  private void on(String plan, String effective) {
    putSubject(subject, "{'plan':'%s','effective':'%s'}".formatted(plan, effective));
  }

  private void overridden(long limit, String effective) {
    putSubject(
        subject,
        "{'plan':'%s','effective':'%s','overrides':{'api':{'limits':{'all':{'limit':%d}}}}}"
            .formatted(free, effective, limit));
  }

  private JsonPath all() {
    return readLimit(subject, "all").jsonPath();
  }

  private List<Long> limitAndRemaining() {
    JsonPath limit = all();
    return List.of(limit.getLong("limit"), limit.getLong("remaining"));
  }

  @Test
  void anUpgradeFromTheNextPeriodWaitsForTheBoundary() {
    charge(subject, 80);
    on(pro, "next_period");
    assertEquals(List.of(100L, 20L), limitAndRemaining());
    assertProblem(429, "quota-exhausted", reserve(subject, 21));
    set("2027-03-02T00:00:00Z");
    assertEquals(List.of(500L, 500L), limitAndRemaining());
    assertStatus(200, charge(subject, 500));
  }

  @Test
  void aPurchaseOfTheDifferenceMakesAnUpgradeThatWaitsFeltNow() {
    charge(subject, 80);
    on(pro, "next_period");
    assertStatus(
        200,
        send(
            OPERATOR,
            "POST",
            quotaPath(subject) + "/topup",
            "{'mode':'purchase','amounts':{'all':400}}"));
    assertEquals(List.of(100L, 420L), limitAndRemaining());
    set("2027-03-02T00:00:00Z");
    assertEquals(List.of(500L, 500L), limitAndRemaining());
  }

  @Test
  void aDowngradeFromTheNextPeriodTakesNothingAwayToday() {
    on(pro, "now");
    charge(subject, 300);
    on(free, "next_period");
    assertStatus(200, charge(subject, 200));
    assertProblem(429, "quota-exhausted", charge(subject, 1));
    set("2027-03-02T00:00:00Z");
    assertEquals(List.of(100L, 100L), limitAndRemaining());
  }

  @Test
  void whatFitsOnlyTheNextPeriodIsToldToWait() {
    on(pro, "next_period");
    var denied = reserve(subject, 400);
    assertProblem(429, "quota-exhausted", denied);
    assertEquals(43_200_000, denied.jsonPath().getLong("retry_after_ms"));
    set("2027-03-01T23:59:59.999Z");
    assertProblem(429, "quota-exhausted", reserve(subject, 400));
    set("2027-03-02T00:00:00Z");
    assertStatus(201, reserve(subject, 400));
  }

  @Test
  void aSubjectThatWasNeverUsedWaitsToo() {
    on(pro, "next_period");
    assertEquals(List.of(100L, 100L), limitAndRemaining());
    set("2027-03-03T00:00:00Z");
    assertEquals(List.of(500L, 500L), limitAndRemaining());
  }

  @Test
  void ofSeveralChangesThatWaitTheLastOneCounts() {
    overridden(200, "next_period");
    overridden(300, "next_period");
    assertEquals(List.of(100L, 100L), limitAndRemaining());
    set("2027-03-02T00:00:00Z");
    assertEquals(List.of(300L, 300L), limitAndRemaining());
    overridden(50, "next_period");
    assertEquals(List.of(300L, 300L), limitAndRemaining());
  }

  @Test
  void aChangeAtOnceEndsThoseThatWait() {
    on(pro, "next_period");
    overridden(150, "now");
    assertEquals(List.of(150L, 150L), limitAndRemaining());
  }

  @Test
  void changedBackNothingIsGrantedTwiceAndNoUseIsErased() {
    charge(subject, 60);
    on(pro, "now");
    charge(subject, 40);
    on(free, "now");
    assertEquals("100/0", usedAndHeld(subject));
    assertProblem(429, "quota-exhausted", charge(subject, 1));
  }

  @Test
  void theFirstPeriodInAnotherZoneIsShorterAndItsLimitWithIt() {
    charge(subject, 60);
    putSubject(subject, "{'plan':'%s','zone':'Asia/Tokyo'}".formatted(free));
    assertEquals("2027-03-02T00:00:00Z", all().getString("reset_at"));
    assertEquals("60/0", usedAndHeld(subject));
    set("2027-03-02T00:00:00Z");
    JsonPath shorter = all();
    assertEquals("2027-03-02T15:00:00Z", shorter.getString("reset_at"));
    assertEquals(62, shorter.getLong("limit"));
    assertTrue(shorter.getBoolean("prorated"));
    set("2027-03-02T15:00:00Z");
    assertEquals(List.of(100L, 100L), limitAndRemaining());
    assertNull(all().get("prorated"));
  }

  @Test
  void hoppingZonesGainsNothing() {
    List<String> zones = List.of("Asia/Tokyo", "America/New_York", "Europe/Berlin", "UTC");
    long taken = charge(subject, 100).jsonPath().getLong("charged.tokens");
    for (int hop = 0; hop < 12; hop++) {
      putSubject(
          subject, "{'plan':'%s','zone':'%s'}".formatted(free, zones.get(hop % zones.size())));
      set(all().getString("reset_at"));
      taken += charge(subject, all().getLong("remaining")).jsonPath().getLong("charged.tokens");
    }
    var now = Instant.parse(all().getString("reset_at"));
    long hours = Duration.between(Instant.parse("2027-03-01T00:00:00Z"), now).toHours();
    assertTrue(taken <= hours * 100 / 24 + 1, taken + " tokens in " + hours + " hours");
  }

  @Test
  void anAmountThatAShortenedPeriodLacksWaitsForAFullOne() {
    charge(subject, 100);
    putSubject(subject, "{'plan':'%s','zone':'Asia/Tokyo'}".formatted(free));
    var denied = charge(subject, 80);
    assertProblem(429, "quota-exhausted", denied);
    long waitMillis = denied.jsonPath().getLong("retry_after_ms");
    set(Instant.parse("2027-03-01T12:00:00Z").plusMillis(waitMillis - 1));
    assertProblem(429, "quota-exhausted", charge(subject, 80));
    set(Instant.parse("2027-03-01T12:00:00Z").plusMillis(waitMillis));
    assertStatus(200, charge(subject, 80));
  }

  private static final String YEARLY = "{'type':'calendar','unit':'year'}";

  /** Puts a change of the limits {@code year} and {@code day} off. */
  private static Response putOff(String id, long year, long day) {
    return send(
        ADMIN,
        "PUT",
        subjectPath(id),
        ("{'plan':'p-%s','effective':'next_period','overrides':{'api':{'limits':"
                + "{'year':{'limit':%d},'day':{'limit':%d}}}}}")
            .formatted(id, year, day));
  }

  private static String yearlyAndDaily() {
    return subjectOn(plan(limit("year", "tokens", 100, YEARLY), limit("day", "tokens", 50, DAILY)));
  }

  private static long limitOf(String id, String limit) {
    return readLimit(id, limit).jsonPath().getLong("limit");
  }

  @Test
  void noChangeCountsEarlyHoweverManyComeAfterIt() {
    String id = yearlyAndDaily();
    charge(id, 1);
    Instant day = Instant.parse("2027-03-01T12:00:00Z");
    for (int n = 0; n < 80; n++) {
      assertStatus(200, putOff(id, 1000, 51 + n));
      assertEquals(100, limitOf(id, "year"));
      assertEquals(n == 0 ? 50 : 50 + n, limitOf(id, "day"));
      day = day.plus(Duration.ofDays(1));
      set(day);
    }
    set("2028-01-01T00:00:00Z");
    assertEquals(1000, limitOf(id, "year"));
  }

  @Test
  void ofMoreChangesThanCanWaitTheLastIsRefusedAndNoneIsLost() {
    String id = yearlyAndDaily();
    charge(id, 1);
    for (int n = 0; n < 64; n++) {
      assertStatus(200, putOff(id, 1000 + n, 50));
    }
    var refused = putOff(id, 2000, 50);
    assertProblem(400, "invalid-request", refused);
    assertEquals("$.effective", refused.jsonPath().getString("violations[0].path"));
    assertStatus(200, putOff(id, 1063, 50));
    assertEquals(100, limitOf(id, "year"));
    set("2028-01-01T00:00:00Z");
    assertEquals(1063, limitOf(id, "year"));
    assertStatus(200, putOff(id, 2000, 50));
    assertEquals(1063, limitOf(id, "year"));
  }

  @Test
  void aChangeWaitsForThePeriodThatRunsWhateverTheScheduleIsByNow() {
    String id = yearlyAndDaily();
    charge(id, 1);
    assertStatus(200, putOff(id, 1000, 50));
    putPlan(
        "p-" + id, plan(limit("year", "tokens", 100, DAILY), limit("day", "tokens", 50, DAILY)));
    set("2027-06-01T12:00:00Z");
    assertStatus(200, putOff(id, 2000, 60));
    assertEquals(100, limitOf(id, "year"));
    set("2028-01-01T00:00:00Z");
    assertEquals(2000, limitOf(id, "year"));
  }
}
