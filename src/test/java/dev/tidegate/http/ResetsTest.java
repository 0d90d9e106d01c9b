package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Resets and restarts over HTTP, and the trail that grants leave. */
@QuarkusTest
class ResetsTest extends ClockSuite {

  private static final String WEDNESDAY = "2027-03-03T10:00:00Z";
  private static final String WEEKLY = "{'type':'calendar','unit':'week','day_of_week':'MON'}";
  private static final String KEEP = "{'mode':'keep_anchor'}";
  private static final String RESTART = "{'mode':'restart'}";

  private static String weekly(String more) {
    return subjectOn(plan(limit("all", "tokens", 100, WEEKLY, more)));
  }

  private static JsonPath all(String subject) {
    return readLimit(subject, "all").jsonPath();
  }

  @Test
  @DisplayName("C9 A manual reset with live holds: they settle into what came before")
  void c9() {
    set(WEDNESDAY);
    String subject = weekly("");
    assertStatus(200, charge(subject, 80));
    String id = held(subject, 20);
    long seq = all(subject).getLong("seq");
    Response reset = reset(subject, KEEP);
    assertStatus(200, reset);
    assertEquals(seq, reset.jsonPath().getLong("limits[0].previous_period.seq"));
    assertEquals(80, reset.jsonPath().getLong("limits[0].previous_period.used"));
    assertEquals(20, reset.jsonPath().getLong("limits[0].previous_period.held"));
    assertEquals(seq + 1, reset.jsonPath().getLong("limits[0].period.seq"));
    assertEquals("0/0", usedAndHeld(subject));
    assertEquals(100, all(subject).getLong("remaining"));
    assertStatus(200, settle(subject, id, 20));
    assertEquals("0/0", usedAndHeld(subject));
    JsonPath past = periods(subject).jsonPath();
    assertEquals(seq, past.getLong("limits[0].past[0].seq"));
    assertEquals(100, past.getLong("limits[0].past[0].used"));
  }

  @Test
  @DisplayName("C10 A manual reset does not move the schedule")
  void c10() {
    set(WEDNESDAY);
    String subject = weekly("");
    assertStatus(200, charge(subject, 80));
    Response reset = reset(subject, KEEP);
    assertEquals("2027-03-08T00:00:00Z", reset.jsonPath().getString("limits[0].reset_at"));
    assertEquals("2027-03-08T00:00:00Z", all(subject).getString("reset_at"));
    assertEquals(
        List.of("2027-03-08T00:00:00Z", "2027-03-15T00:00:00Z"),
        periods(subject, "?next=2").jsonPath().getList("limits[0].next"));
  }

  @Test
  @DisplayName("C11 Two resets with one key are one new seq, with different keys two")
  void c11() {
    set(WEDNESDAY);
    String subject = weekly("");
    assertStatus(200, charge(subject, 80));
    long seq = all(subject).getLong("seq");
    assertStatus(200, keyedGrant(subject, "reset", "a", KEEP));
    assertTrue(keyedGrant(subject, "reset", "a", KEEP).jsonPath().getBoolean("replayed"));
    assertEquals(seq + 1, all(subject).getLong("seq"));
    assertStatus(200, keyedGrant(subject, "reset", "b", KEEP));
    assertEquals(seq + 2, all(subject).getLong("seq"));
    assertEquals(2, audit(subject, "").jsonPath().getList("events").size());
  }

  @Test
  @DisplayName("C12 After a reset everybody is admitted at once, at the subject's own level")
  void c12() {
    set(WEDNESDAY);
    String subject = weekly("");
    assertStatus(200, charge(subject, 100));
    assertProblem(429, "quota-exhausted", reserve(subject, 1));
    assertStatus(200, reset(subject, KEEP));
    assertStatus(201, reserve(subject, 100));
  }

  @Test
  @DisplayName("C13 A reset is one write: the boundary stays where it was without any other")
  void c13() {
    set(WEDNESDAY);
    String subject = weekly("");
    assertStatus(200, charge(subject, 100));
    assertStatus(200, reset(subject, KEEP));
    set("2027-03-07T23:59:59.999Z");
    assertStatus(200, charge(subject, 100));
    assertProblem(429, "quota-exhausted", reserve(subject, 1));
    set("2027-03-08T00:00:00Z");
    assertStatus(201, reserve(subject, 100));
  }

  @Test
  @DisplayName("Law 18: mode has no default, limits are names of the plan")
  void modes() {
    set(WEDNESDAY);
    String subject = weekly("");
    assertProblem(400, "invalid-request", reset(subject, "{}"));
    assertProblem(400, "invalid-request", reset(subject, "{'mode':'full'}"));
    assertProblem(400, "invalid-request", reset(subject, "{'mode':'restart','limits':[]}"));
    String unknown = "{'mode':'keep_anchor','limits':['daily']}";
    assertProblem(404, "limit-not-found", reset(subject, unknown));
  }

  @Test
  @DisplayName("Law 18: a subject that never used the resource is told that nothing was reset")
  void nobody() {
    set(WEDNESDAY);
    String subject = weekly("");
    for (String mode : List.of(KEEP, RESTART)) {
      Response reset = reset(subject, mode);
      assertStatus(200, reset);
      assertFalse(reset.jsonPath().getBoolean("changed"));
      assertNull(reset.jsonPath().get("limits[0].previous_period"));
      assertEquals("\"0\"", reset.header("ETag"));
    }
    assertEquals(0, audit(subject, "").jsonPath().getList("events").size());
  }

  @Test
  @DisplayName("Law 18: a reset may name the version that it is for")
  void version() {
    set(WEDNESDAY);
    String subject = weekly("");
    assertStatus(200, charge(subject, 80));
    Response stale =
        as(OPERATOR, KEEP).header("If-Match", "\"1\"").post(quotaPath(subject) + "/reset");
    assertProblem(409, "version-conflict", stale);
    Response reset =
        as(OPERATOR, KEEP)
            .header("If-Match", stale.header("ETag"))
            .post(quotaPath(subject) + "/reset");
    assertStatus(200, reset);
    assertEquals(read(subject).header("ETag"), reset.header("ETag"));
  }

  @Test
  @DisplayName("Law 18: a restart lasts one period from now, and later ones follow from there")
  void restart() {
    set("2027-03-03T10:00:00.700Z");
    String subject = weekly("");
    assertStatus(200, charge(subject, 80));
    Response restarted = reset(subject, RESTART);
    assertEquals("2027-03-10T10:00:00Z", restarted.jsonPath().getString("limits[0].reset_at"));
    assertEquals(
        List.of("2027-03-10T10:00:00Z", "2027-03-17T10:00:00Z"),
        periods(subject, "?next=2").jsonPath().getList("limits[0].next"));
    set("2027-03-08T00:00:00Z");
    assertStatus(200, charge(subject, 30));
    assertEquals("30/0", usedAndHeld(subject), "the old date is void");
    set("2027-03-10T09:59:59.999Z");
    assertEquals("30/0", usedAndHeld(subject));
    set("2027-03-10T10:00:00Z");
    assertEquals("0/0", usedAndHeld(subject), "a read shows it too");
    assertEquals("2027-03-17T10:00:00Z", all(subject).getString("reset_at"));
    assertStatus(201, reserve(subject, 100));
    set("2027-03-24T10:00:00Z");
    assertStatus(200, charge(subject, 1));
    JsonPath past = periods(subject, "?past=3").jsonPath();
    assertEquals("2027-03-17T10:00:00Z", past.getString("limits[0].past[0].start"));
    assertEquals(0, past.getLong("limits[0].past[0].used"), "an idle one");
    assertEquals("2027-03-10T10:00:00Z", past.getString("limits[0].past[1].start"));
  }

  @Test
  @DisplayName("Law 18: a monthly restart on the 31st, over a change to summer time")
  void restartOfMonths() {
    set("2027-01-31T09:30:07Z");
    String monthly = "{'type':'calendar','unit':'month','zone':'Europe/Berlin'}";
    String subject = subjectOn(plan(limit("all", "tokens", 100, monthly)));
    assertStatus(200, charge(subject, 80));
    assertStatus(200, reset(subject, RESTART));
    assertEquals(
        List.of("2027-02-28T09:30:07Z", "2027-03-31T08:30:07Z", "2027-04-30T08:30:07Z"),
        periods(subject).jsonPath().getList("limits[0].next"));
  }

  @Test
  @DisplayName("Law 18: when the plan's schedule changes, the restart is forgotten")
  void restartThenOtherSchedule() {
    set(WEDNESDAY);
    String subject = weekly("");
    assertStatus(200, charge(subject, 80));
    assertStatus(200, reset(subject, RESTART));
    putPlan("p-" + subject, plan(limit("all", "tokens", 100, DAILY)));
    assertEquals("2027-03-10T10:00:00Z", all(subject).getString("reset_at"));
    set("2027-03-10T10:00:00Z");
    assertEquals("2027-03-11T00:00:00Z", all(subject).getString("reset_at"));
  }

  @Test
  @DisplayName("Law 18: restarts are capped, and cron, sessions and rates cannot be restarted")
  void caps() {
    set(WEDNESDAY);
    String subject = weekly(",'restart':{'max':1,'per_days':30}");
    assertStatus(200, charge(subject, 80));
    assertStatus(200, reset(subject, RESTART));
    Response capped = reset(subject, RESTART);
    assertProblem(409, "restart-cap-reached", capped);
    assertEquals("2027-04-02T10:00:00Z", capped.jsonPath().getString("next_available_at"));
    String session = "{'type':'session','seconds':18000}";
    String cron = "{'type':'cron','expr':'0 0 * * *'}";
    String mixed =
        subjectOn(
            plan(
                limit("all", "tokens", 100, WEEKLY),
                limit("nightly", "tokens", 100, cron),
                limit("session", "tokens", 100, session)));
    Response unsupported = reset(mixed, RESTART);
    assertProblem(422, "restart-not-supported", unsupported);
    assertEquals("nightly", unsupported.jsonPath().getString("limit"));
    assertStatus(200, reset(mixed, "{'mode':'restart','limits':['all']}"));
    Response one = reset(mixed, "{'mode':'restart','limits':['all','session']}");
    assertEquals("session", one.jsonPath().getString("limit"));
  }

  @Test
  @DisplayName("Law 18: rates are reset whole, and say so")
  void rates() {
    set(WEDNESDAY);
    String bucket =
        "{'name':'rpm','kind':'token_bucket','meter':'requests','capacity':10,'refill':1,"
            + "'interval_seconds':3600}";
    String window =
        "{'name':'tpm','kind':'sliding','meter':'tokens','limit':100,'window_seconds':3600,"
            + "'buckets':6}";
    String subject = subjectOn(plan(bucket, window));
    String id = held(subject, 40);
    assertStatus(200, charge(subject, 30));
    Response reset = reset(subject, KEEP);
    assertStatus(200, reset);
    assertNull(reset.jsonPath().get("limits[0].period"));
    assertEquals(10, readLimit(subject, "rpm").jsonPath().getLong("remaining"));
    assertEquals("0/0", usedAndHeld(subject, "tpm"));
    assertStatus(200, settle(subject, id, 25));
    assertEquals("25/0", usedAndHeld(subject, "tpm"), "a later settle is charged");
    assertProblem(422, "restart-not-supported", reset(subject, RESTART));
  }

  @Test
  @DisplayName("Law 21: exactly one event per operation that writes, the newest first, in pages")
  void trail() {
    set(WEDNESDAY);
    String subject = weekly(",'emergency':{'amount':10,'max':2}");
    assertStatus(200, charge(subject, 80));
    String body = "{'mode':'purchase','amounts':{'all':5},'reason':'order 4711'}";
    Response bought = keyedGrant(subject, "topup", "k", body);
    assertStatus(200, keyedGrant(subject, "topup", "k", body));
    assertStatus(200, emergency(subject));
    assertStatus(200, reset(subject, KEEP));
    assertStatus(200, reset(subject, RESTART));
    JsonPath trail = audit(subject, "").jsonPath();
    assertEquals(
        List.of("restart", "keep_anchor", "emergency", "purchase"),
        trail.getList("events.operation"));
    assertEquals("order 4711", trail.getString("events[3].reason"));
    assertEquals("k", trail.getString("events[3].idempotency_key"));
    assertEquals("demo-operator", trail.getString("events[3].by"));
    assertEquals(bought.jsonPath().getLong("version"), trail.getLong("events[3].version"));
    assertEquals(0, trail.getLong("events[3].limits[0].before.topup"));
    assertEquals(5, trail.getLong("events[3].limits[0].after.topup"));
    assertEquals(80, trail.getLong("events[3].limits[0].after.used"));
    JsonPath page = audit(subject, "?count=3").jsonPath();
    assertEquals(3, page.getList("events").size());
    JsonPath rest = audit(subject, "?count=3&after=" + page.getString("next")).jsonPath();
    assertEquals(List.of("purchase"), rest.getList("events.operation"));
    assertNull(rest.get("next"));
    assertEquals(1, audit(subject, "?operation=emergency").jsonPath().getList("events").size());
    for (String wrong : List.of("?count=0", "?count=201", "?operation=gift", "?after=x")) {
      assertProblem(400, "invalid-request", audit(subject, wrong));
    }
  }

  @Test
  @DisplayName("Law 21: the trail outlives the subject")
  void trailOfTheDeleted() {
    String subject = subjectWith(100);
    assertStatus(200, buy(subject, 5));
    assertStatus(204, as(ADMIN).delete(subjectPath(subject)));
    assertProblem(404, "subject-not-found", read(subject));
    assertEquals(1, audit(subject, "").jsonPath().getList("events").size());
    assertProblem(404, "subject-not-found", audit(fresh("nobody"), ""));
  }

  @Test
  @DisplayName("Law 21: the trail of a member outlives it, under every root that it lay with")
  void trailOfTheDeletedMember() {
    String team = subjectWith(1000);
    String other = subjectWith(1000);
    String member = fresh("member");
    for (String parent : List.of(team, other)) {
      putSubject(member, "{'plan':'p-%s','parent':'%s'}".formatted(team, parent));
      assertStatus(200, buy(member, 5));
      assertStatus(200, buy(member, 6));
      assertStatus(204, as(ADMIN).delete(subjectPath(member)));
    }
    assertEquals(List.of(6L, 5L, 6L, 5L), granted(audit(member, "")));
    Response page = audit(member, "?count=3");
    assertEquals(List.of(6L, 5L, 6L), granted(page));
    String next = page.jsonPath().getString("next");
    assertEquals(List.of(5L), granted(audit(member, "?count=3&after=" + next)));
  }

  private static List<Long> granted(Response trail) {
    int events = trail.jsonPath().getList("events").size();
    return IntStream.range(0, events)
        .mapToObj(n -> trail.jsonPath().getLong("events[" + n + "].limits[0].granted"))
        .toList();
  }
}
