package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Purchases and emergency top-ups over HTTP. */
@QuarkusTest
class TopUpsTest extends ClockSuite {

  private static final String NOON = "2027-03-01T12:00:00Z";
  private static final String PER_PERIOD = ",'emergency':{'amount':10,'max':2}";
  private static final String PER_DAY = ",'emergency':{'amount':10,'max':1,'per':'day'}";
  private static final String SELF_SERVICE =
      ",'emergency':{'amount':10,'max':5,'self_service':true}";

  private static String subject(String more) {
    return subjectOn(plan(limit("all", "tokens", 100, DAILY, more)));
  }

  private static long number(String subject, String field) {
    return readLimit(subject, "all").jsonPath().getLong(field);
  }

  @Test
  @DisplayName("Law 16: a purchase adds exactly N, ends with its period and never moves reset_at")
  void purchase() {
    set(NOON);
    String subject = subject("");
    assertStatus(200, charge(subject, 100));
    String resetAt = readLimit(subject, "all").jsonPath().getString("reset_at");
    Response bought = buy(subject, 50);
    assertStatus(200, bought);
    assertEquals(50, bought.jsonPath().getLong("amounts.all"));
    assertEquals("\"" + bought.jsonPath().getLong("version") + "\"", bought.header("ETag"));
    assertEquals(read(subject).header("ETag"), bought.header("ETag"));
    assertEquals(50, number(subject, "topup_remaining"));
    assertStatus(200, charge(subject, 20));
    assertEquals(30, number(subject, "topup_remaining"), "the plan's share is spent first");
    assertEquals(resetAt, readLimit(subject, "all").jsonPath().getString("reset_at"));
    set("2027-03-02T00:00:00Z");
    assertEquals(0, number(subject, "topup"));
    assertEquals(100, number(subject, "remaining"));
  }

  @Test
  @DisplayName("Law 16: all limits or none; one that the plan lacks is 404 and writes nothing")
  void allOrNone() {
    set(NOON);
    String subject =
        subjectOn(plan(limit("all", "tokens", 100, DAILY), limit("calls", "requests", 5, DAILY)));
    Response unknown = topUp(subject, "{'mode':'purchase','amounts':{'all':1,'weekly':1}}");
    assertProblem(404, "limit-not-found", unknown);
    assertEquals(0, number(subject, "version"));
    assertStatus(200, topUp(subject, "{'mode':'purchase','amounts':{'all':1,'calls':2}}"));
    assertEquals(1, number(subject, "topup"));
    assertEquals(2, readLimit(subject, "calls").jsonPath().getLong("topup"));
  }

  @Test
  @DisplayName("Law 16: a purchase opens a session, and a subject never used gets its full share")
  void opensSession() {
    set(NOON);
    String session = "{'type':'session','seconds':18000}";
    String subject = subjectOn(plan(limit("all", "tokens", 100, session)));
    Response bought = buy(subject, 7);
    assertEquals("2027-03-01T17:00:00Z", bought.jsonPath().getString("limits[0].reset_at"));
    assertEquals(107, bought.jsonPath().getLong("limits[0].remaining"));
  }

  @Test
  @DisplayName("Law 16: a bucket takes at most its room, a window at most its spend")
  void rates() {
    set(NOON);
    String bucket =
        "{'name':'rpm','kind':'token_bucket','meter':'requests','capacity':10,'refill':1,"
            + "'interval_seconds':3600}";
    String window =
        "{'name':'tpm','kind':'sliding','meter':'tokens','limit':100,'window_seconds':3600,"
            + "'buckets':6}";
    String subject = subjectOn(plan(bucket, window));
    String grant = "{'mode':'purchase','amounts':{'rpm':5,'tpm':50}}";
    Response none = topUp(subject, grant);
    assertEquals(0, none.jsonPath().getLong("amounts.rpm"));
    assertEquals(0, none.jsonPath().getLong("version"), "nothing was written");
    assertStatus(200, charge(subject, 30));
    Response some = topUp(subject, grant);
    assertEquals(1, some.jsonPath().getLong("amounts.rpm"));
    assertEquals(30, some.jsonPath().getLong("amounts.tpm"));
    assertEquals(100, readLimit(subject, "tpm").jsonPath().getLong("remaining"));
    assertEquals(1, audit(subject, "").jsonPath().getList("events").size());
  }

  @Test
  @DisplayName("Law 23: amounts start at 1, and no sum passes 2^53 - 1 (F2)")
  void amounts() {
    set(NOON);
    String subject = subject("");
    assertProblem(400, "invalid-request", buy(subject, 0));
    assertProblem(400, "invalid-request", topUp(subject, "{'mode':'purchase','amounts':{}}"));
    assertProblem(400, "invalid-request", topUp(subject, "{'mode':'purchase'}"));
    assertProblem(400, "invalid-request", topUp(subject, "{'amounts':{'all':1}}"));
    assertProblem(400, "invalid-request", topUp(subject, "{'mode':'gift','amounts':{'all':1}}"));
    Response tooMuch = buy(subject, 9007199254740991L);
    assertProblem(400, "invalid-request", tooMuch);
    assertEquals("$.amounts.all", tooMuch.jsonPath().getString("violations[0].path"));
    assertEquals(0, number(subject, "version"));
  }

  @Test
  @DisplayName("A disabled resource refuses top-ups, but not resets")
  void disabled() {
    set(NOON);
    String subject = subject(PER_PERIOD);
    assertStatus(200, charge(subject, 10));
    putSubject(subject, "{'plan':'p-%s','disabled':true}".formatted(subject));
    assertProblem(403, "resource-disabled", buy(subject, 1));
    assertProblem(403, "resource-disabled", emergency(subject));
    assertStatus(200, reset(subject, "{'mode':'keep_anchor'}"));
    assertEquals("0/0", usedAndHeld(subject));
    assertTrue(as(ADMIN).get(subjectPath(subject)).jsonPath().getBoolean("disabled"), "law 19");
  }

  @Test
  @DisplayName("Law 17: an emergency top-up needs the version that was seen, and moves it on")
  void emergencyNeedsVersion() {
    set(NOON);
    String subject = subject(PER_PERIOD);
    assertProblem(428, "precondition-required", topUp(subject, "{'mode':'emergency'}"));
    assertStatus(200, charge(subject, 100));
    String seen = read(subject).header("ETag");
    Response granted = emergency(subject, seen, "{'mode':'emergency','limit':'all'}");
    assertStatus(200, granted);
    assertEquals(1, number(subject, "emergency_topups_used"));
    assertEquals(1, number(subject, "emergency_topups_left"));
    Response stale = emergency(subject, seen, "{'mode':'emergency'}");
    assertProblem(409, "version-conflict", stale);
    assertEquals(granted.header("ETag"), stale.header("ETag"));
    assertEquals(granted.header("ETag"), "\"" + stale.jsonPath().getLong("version") + "\"");
    assertStatus(200, emergency(subject, stale.header("ETag"), "{'mode':'emergency'}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "W/\"1\"", "\"1\", \"2\"", "1", "\"x\""})
  void onlyOneStrongTagIsAVersion(String tag) {
    String subject = subject(PER_PERIOD);
    assertProblem(400, "invalid-request", emergency(subject, tag, "{'mode':'emergency'}"));
  }

  @Test
  @DisplayName(
      "Laws 17 and 31: version 0 works where nothing is stored, and the shown one after an end")
  void shownVersionWorks() {
    set(NOON);
    String subject = subject(PER_PERIOD);
    assertEquals("\"0\"", read(subject).header("ETag"));
    assertStatus(200, emergency(subject, "\"0\"", "{'mode':'emergency'}"));
    set("2027-03-04T12:00:00Z");
    String shown = read(subject).header("ETag");
    assertStatus(200, emergency(subject, shown, "{'mode':'emergency'}"));
  }

  @Test
  @DisplayName("Law 17: of N concurrent clicks with one ETag exactly one succeeds")
  void oneOfManyClicks() throws Exception {
    String subject = subject(",'emergency':{'amount':10,'max':100}");
    assertStatus(200, charge(subject, 1));
    String seen = read(subject).header("ETag");
    List<Future<Integer>> clicks = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int n = 0; n < 32; n++) {
        clicks.add(
            threads.submit(() -> emergency(subject, seen, "{'mode':'emergency'}").statusCode()));
      }
    }
    List<Integer> statuses = new ArrayList<>();
    for (Future<Integer> click : clicks) {
      statuses.add(click.get());
    }
    assertEquals(1, statuses.stream().filter(status -> status == 200).count());
    assertEquals(31, statuses.stream().filter(status -> status == 409).count());
    assertEquals(10, number(subject, "topup"));
  }

  @Test
  @DisplayName("Law 17: the cap of a period frees at its boundary")
  void capPerPeriod() {
    set(NOON);
    String subject = subject(PER_PERIOD);
    assertStatus(200, emergency(subject));
    assertStatus(200, emergency(subject));
    Response capped = emergency(subject);
    assertProblem(409, "topup-cap-reached", capped);
    assertEquals("2027-03-02T00:00:00Z", capped.jsonPath().getString("next_available_at"));
    assertEquals("all", capped.jsonPath().getString("limit"));
    set("2027-03-02T00:00:00Z");
    assertEquals(2, number(subject, "emergency_topups_left"));
    assertStatus(200, emergency(subject));
  }

  @Test
  @DisplayName("Law 17: the cap of a day frees at midnight in the subject's zone")
  void capPerDay() {
    set("2027-03-01T12:00:00Z");
    String monthly = "{'type':'calendar','unit':'month','zone':'UTC'}";
    String subject = subjectOn(plan(limit("all", "tokens", 100, monthly, PER_DAY)));
    putSubject(subject, "{'plan':'p-%s','zone':'America/New_York'}".formatted(subject));
    assertStatus(200, emergency(subject));
    assertEquals(1, number(subject, "emergency_topups_used"));
    Response capped = emergency(subject);
    assertProblem(409, "topup-cap-reached", capped);
    assertEquals("2027-03-02T05:00:00Z", capped.jsonPath().getString("next_available_at"));
    set("2027-03-02T05:00:00Z");
    assertEquals(0, number(subject, "emergency_topups_used"), "an expired day shows 0");
    assertStatus(200, emergency(subject));
  }

  @Test
  @DisplayName(
      "Law 17: a limit without a rule is 422, and which one must be told where several have")
  void supported() {
    set(NOON);
    String without = subject("");
    String named = "{'mode':'emergency','limit':'all'}";
    assertProblem(422, "topup-not-supported", emergency(without, "\"0\"", named));
    Response nothing = emergency(without, "\"0\"", "{'mode':'emergency'}");
    assertProblem(400, "invalid-request", nothing);
    String two =
        subjectOn(
            plan(
                limit("all", "tokens", 1, DAILY, PER_PERIOD),
                limit("calls", "requests", 1, DAILY, PER_PERIOD)));
    Response ambiguous = emergency(two, "\"0\"", "{'mode':'emergency'}");
    assertProblem(400, "invalid-request", ambiguous);
    assertEquals("$.limit", ambiguous.jsonPath().getString("violations[0].path"));
    assertStatus(200, emergency(two, "\"0\"", "{'mode':'emergency','limit':'calls'}"));
    String other = "{'mode':'emergency','limit':'weekly'}";
    assertProblem(404, "limit-not-found", emergency(two, "\"0\"", other));
  }

  @Test
  @DisplayName("A viewer helps itself where the plan lets it, on its own subject alone")
  void selfService() {
    set(NOON);
    putPlan("self", plan(limit("all", "tokens", 100, DAILY, SELF_SERVICE)));
    putSubject(BOUND, "{'plan':'self'}");
    String path = "/v1/quota/me/" + RESOURCE + "/topup";
    String ask = "{'mode':'emergency'}";
    Response granted = as(VIEWER, ask).header("If-Match", "\"0\"").post(path);
    assertStatus(200, granted);
    assertEquals("viewer", audit(BOUND, "").jsonPath().getString("events[0].role"));
    assertEquals("demo-viewer", audit(BOUND, "").jsonPath().getString("events[0].by"));
    String purchase = "{'mode':'purchase','amounts':{'all':1}}";
    assertProblem(403, "forbidden", as(VIEWER, purchase).post(path));
    assertProblem(403, "forbidden", as(METER, ask).post(quotaPath(BOUND) + "/topup"));
    assertProblem(428, "precondition-required", as(VIEWER, ask).post(path));
    putPlan(
        "self",
        plan(
            limit("all", "tokens", 100, DAILY, SELF_SERVICE),
            limit("calls", "requests", 5, DAILY, PER_PERIOD)));
    Response only = as(VIEWER, ask).header("If-Match", granted.header("ETag")).post(path);
    assertEquals(10, only.jsonPath().getLong("amounts.all"), "the one that it may ask for");
    putPlan("self", plan(limit("all", "tokens", 100, DAILY, PER_PERIOD)));
    assertProblem(403, "forbidden", as(VIEWER, ask).post(path));
    Response refused = as(VIEWER, ask).header("If-Match", granted.header("ETag")).post(path);
    assertProblem(403, "forbidden", refused);
  }

  @Test
  @DisplayName("D4 A retry with the same key and body is the same answer, and grants nothing more")
  void d4() {
    set(NOON);
    String subject = subject("");
    String body = "{'mode':'purchase','amounts':{'all':50}}";
    Response first = keyedGrant(subject, "topup", "k", body);
    Response again = keyedGrant(subject, "topup", "k", body);
    assertTrue(again.jsonPath().getBoolean("replayed"));
    assertEquals(
        first.asString().replace("\"replayed\":false", "\"replayed\":true"), again.asString());
    assertEquals(first.header("ETag"), again.header("ETag"));
    assertEquals(50, number(subject, "topup"));
    assertEquals(1, audit(subject, "").jsonPath().getList("events").size());
  }

  @Test
  @DisplayName("D5 The same key with another amount is 422")
  void d5() {
    set(NOON);
    String subject = subject("");
    assertStatus(
        200, keyedGrant(subject, "topup", "k", "{'mode':'purchase','amounts':{'all':50}}"));
    assertProblem(
        422,
        "idempotency-key-reused",
        keyedGrant(subject, "topup", "k", "{'mode':'purchase','amounts':{'all':80}}"));
    assertEquals(50, number(subject, "topup"));
  }

  @Test
  @DisplayName("D7 The same key for another kind of operation is 422")
  void d7() {
    set(NOON);
    String subject = subject("");
    assertStatus(
        200, keyedGrant(subject, "topup", "k", "{'mode':'purchase','amounts':{'all':50}}"));
    Response reserve =
        as(METER, tokens(1))
            .header("Idempotency-Key", "k")
            .post(quotaPath(subject) + "/reservations");
    assertProblem(422, "idempotency-key-reused", reserve);
    Response reset = keyedGrant(subject, "reset", "k", "{'mode':'keep_anchor'}");
    assertProblem(422, "idempotency-key-reused", reset);
  }

  @Test
  @DisplayName("D12 A metering denial is not stored, a grant's refusal is")
  void d12() {
    set("2027-03-01T23:59:00Z");
    String subject = subject(PER_PERIOD);
    assertStatus(200, charge(subject, 100));
    String path = quotaPath(subject) + "/reservations";
    assertProblem(
        429, "quota-exhausted", as(METER, tokens(1)).header("Idempotency-Key", "k").post(path));
    Response stale =
        as(OPERATOR, "{'mode':'emergency'}")
            .header("Idempotency-Key", "e")
            .header("If-Match", "\"1\"")
            .post(quotaPath(subject) + "/topup");
    assertProblem(409, "version-conflict", stale);
    set("2027-03-02T00:00:01Z");
    assertStatus(201, as(METER, tokens(1)).header("Idempotency-Key", "k").post(path));
    Response again =
        as(OPERATOR, "{'mode':'emergency'}")
            .header("Idempotency-Key", "e")
            .header("If-Match", read(subject).header("ETag"))
            .post(quotaPath(subject) + "/topup");
    assertProblem(409, "version-conflict", again);
    assertEquals(stale.jsonPath().getLong("version"), again.jsonPath().getLong("version"));
    assertNull(stale.jsonPath().get("replayed"));
    assertTrue(again.jsonPath().getBoolean("replayed"), "a replay says so");
  }

  @Test
  @DisplayName("Law 20: a retry is the first answer, also after the plan has changed")
  void replayAfterAChange() {
    set(NOON);
    String subject = subject(PER_PERIOD);
    String body = "{'mode':'purchase','amounts':{'all':50}}";
    Response first = keyedGrant(subject, "topup", "k", body);
    assertEquals(2, first.jsonPath().getInt("limits[0].emergency_topups_left"));
    putPlan("p-" + subject, plan(limit("all", "tokens", 100, DAILY)));
    assertEquals(
        first.asString().replace("\"replayed\":false", "\"replayed\":true"),
        keyedGrant(subject, "topup", "k", body).asString());
  }

  @Test
  void aReasonIsOneLineOfText() {
    String subject = subject("");
    Response refused =
        topUp(subject, "{'mode':'purchase','amounts':{'all':1},'reason':'a\\u0000b'}");
    assertProblem(400, "invalid-request", refused);
    assertEquals("$.reason", refused.jsonPath().getString("violations[0].path"));
    assertProblem(
        400, "invalid-request", reset(subject, "{'mode':'keep_anchor','reason':'a\\nb'}"));
  }

  @Test
  @DisplayName("D13 After three days a key is a new one")
  void d13() {
    set(NOON);
    String subject = subject("");
    String body = "{'mode':'purchase','amounts':{'all':50}}";
    assertStatus(200, keyedGrant(subject, "topup", "k", body));
    set("2027-03-04T11:59:59.999Z");
    assertTrue(keyedGrant(subject, "topup", "k", body).jsonPath().getBoolean("replayed"));
    set("2027-03-04T12:00:00Z");
    assertFalse(keyedGrant(subject, "topup", "k", body).jsonPath().getBoolean("replayed"));
    assertEquals(50, number(subject, "topup"));
  }

  @Test
  @DisplayName("E1 An upgrade counts at once with the same reset_at; a top-up after it is extra")
  void e1() {
    set(NOON);
    String subject = subject("");
    assertStatus(200, charge(subject, 100));
    putPlan("p-" + subject, plan(limit("all", "tokens", 500, DAILY)));
    assertEquals(400, number(subject, "remaining"));
    assertEquals(
        "2027-03-02T00:00:00Z", readLimit(subject, "all").jsonPath().getString("reset_at"));
    assertStatus(200, buy(subject, 10));
    assertEquals(410, number(subject, "remaining"));
  }

  @Test
  @DisplayName("E2 A downgrade below the use leaves nothing, and the live hold settles")
  void e2() {
    set(NOON);
    String subject = subjectOn(plan(limit("all", "tokens", 500, DAILY)));
    assertStatus(200, charge(subject, 300));
    String id = held(subject, 50);
    putPlan("p-" + subject, plan(limit("all", "tokens", 100, DAILY)));
    assertEquals(0, number(subject, "remaining"));
    assertEquals(200, number(subject, "over_by"));
    Response denied = reserve(subject, 1);
    assertProblem(429, "quota-exhausted", denied);
    assertEquals("2027-03-02T00:00:00Z", denied.jsonPath().getString("reset_at"));
    assertStatus(200, settle(subject, id, 50));
    assertEquals("350/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("The order of checks: 400, 428, replay, 404, disabled, 422, version, cap")
  void orderOfChecks() {
    set(NOON);
    String subject = subject(PER_PERIOD);
    String bad = "{'mode':'emergency','limit':7}";
    assertProblem(400, "invalid-request", topUp(subject, bad));
    String missing = "{'mode':'emergency','limit':'weekly'}";
    assertProblem(428, "precondition-required", topUp(subject, missing));
    assertProblem(404, "limit-not-found", emergency(subject, "\"9\"", missing));
    String body = "{'mode':'purchase','amounts':{'all':1}}";
    assertStatus(200, keyedGrant(subject, "topup", "k", body));
    putSubject(subject, "{'plan':'p-%s','disabled':true}".formatted(subject));
    assertStatus(200, keyedGrant(subject, "topup", "k", body));
    assertProblem(404, "limit-not-found", emergency(subject, "\"9\"", missing));
    putPlan("p-" + subject, plan(limit("all", "tokens", 100, DAILY)));
    String named = "{'mode':'emergency','limit':'all'}";
    assertProblem(403, "resource-disabled", emergency(subject, "\"9\"", named));
    putSubject(subject, "{'plan':'p-%s'}".formatted(subject));
    assertProblem(422, "topup-not-supported", emergency(subject, "\"9\"", named));
    putPlan("p-" + subject, plan(limit("all", "tokens", 100, DAILY, PER_PERIOD)));
    assertStatus(200, emergency(subject));
    assertStatus(200, emergency(subject));
    assertProblem(409, "version-conflict", emergency(subject, "\"9\"", named));
    assertProblem(409, "topup-cap-reached", emergency(subject));
  }
}
