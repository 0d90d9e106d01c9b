package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.OwnProcess;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What each metric counts. Plans have names that subjects have not. */
@QuarkusTest
@TestProfile(OwnProcess.class)
class MetricsTest extends ClockSuite {

  private static final Instant NOON = Instant.parse("2027-03-02T12:00:00Z");

  private static String subjectOf(String plan, String document) {
    putPlan(plan, document);
    String subject = fresh("s");
    putSubject(subject, "{'plan':'%s'}".formatted(plan));
    return subject;
  }

  private static String rate(String kind) {
    return plan("{'name':'rate','kind':%s}".formatted(kind));
  }

  /**
   * What a call moves in the metrics of that name, by their labels.
   *
   * @return such as {@code late=true: 1.0}
   */
  private static Map<String, Double> moved(String name, Runnable call) {
    Scrape before = Scrape.now();
    call.run();
    Map<String, Double> moved = new TreeMap<>();
    for (Scrape.Sample sample : Scrape.now().samples(name)) {
      double was =
          before.samples(name).stream()
              .filter(earlier -> earlier.labels().equals(sample.labels()))
              .mapToDouble(Scrape.Sample::value)
              .sum();
      if (sample.value() != was) {
        String labels = sample.labels().toString();
        moved.put(labels.substring(1, labels.length() - 1), sample.value() - was);
      }
    }
    return moved;
  }

  /** Holds one call against what it counts as; a refusal is counted by the code of its problem. */
  private static void assertDecision(
      String operation, String code, String kind, String plan, Supplier<Response> call) {
    Map<String, Double> moved =
        moved(
            "tidegate_decisions_total",
            () -> {
              Response answer = call.get();
              String told = answer.statusCode() < 300 ? "admitted" : answer.path("code");
              assertEquals(code, told, answer::asString);
            });
    String labels =
        "code=%s, kind=%s, operation=%s, plan=%s".formatted(code, kind, operation, plan);
    assertEquals(Map.of(labels, 1.0), moved);
  }

  @Test
  void decisionsAreCountedByCodeKindAndPlan() {
    String subject = subjectOf("m-quota", plan(limit("all", "tokens", 100, FOREVER)));
    assertDecision("reserve", "admitted", "none", "m-quota", () -> reserve(subject, 10));
    assertDecision("charge", "admitted", "none", "m-quota", () -> charge(subject, 10));
    assertDecision("charge", "quota-exhausted", "period", "m-quota", () -> charge(subject, 90));
    assertDecision("reserve", "exceeds-capacity", "period", "m-quota", () -> reserve(subject, 101));
    assertDecision(
        "charge",
        "invalid-request",
        "none",
        "none",
        () -> charge(subject, "{'amounts':{'cents':1}}"));
    String elsewhere = "/v1/quota/" + subject + "/nothing/charges";
    assertDecision(
        "charge",
        "resource-not-found",
        "none",
        "none",
        () -> send(METER, "POST", elsewhere, tokens(1)));
    putSubject(subject, "{'plan':'m-quota','disabled':true}");
    assertDecision("reserve", "resource-disabled", "none", "none", () -> reserve(subject, 1));
  }

  @Test
  void dryRunsAreDecisionsOfTheirOwnAndTakeNothing() {
    String subject = subjectOf("m-dry", plan(limit("all", "tokens", 100, FOREVER)));
    String fits = "{'amounts':{'tokens':1},'dry_run':true}";
    String tooMuch = "{'amounts':{'tokens':101},'dry_run':true}";
    assertDecision("dry_run", "admitted", "none", "m-dry", () -> reserve(subject, fits));
    assertEquals(
        Map.of("code=exceeds-capacity, kind=period, operation=dry_run, plan=m-dry", 1.0),
        moved("tidegate_decisions_total", () -> assertStatus(200, reserve(subject, tooMuch))));
    assertEquals(
        Map.of(), moved("tidegate_reservations_taken_total", () -> reserve(subject, fits)));
  }

  @Test
  void aRefusalNamesTheKindOfTheLimitThatRefuses() {
    set(NOON);
    String bucket =
        subjectOf(
            "m-bucket",
            rate("'token_bucket','meter':'tokens','capacity':5,'refill':1,'interval_seconds':60"));
    assertStatus(200, charge(bucket, 5));
    assertDecision("charge", "rate-limited", "token_bucket", "m-bucket", () -> charge(bucket, 1));
    String window =
        subjectOf("m-window", rate("'sliding','meter':'tokens','limit':5,'window_seconds':60"));
    assertStatus(200, charge(window, 5));
    assertDecision("charge", "rate-limited", "sliding", "m-window", () -> charge(window, 1));
    String session =
        subjectOf("m-session", plan(limit("s", "tokens", 5, "{'type':'session','seconds':60}")));
    assertStatus(200, charge(session, 5));
    assertDecision("charge", "quota-exhausted", "session", "m-session", () -> charge(session, 1));
    String few =
        subjectOf(
            "m-few", planWith("'hold':{'max_holds':1},", limit("all", "tokens", 100, FOREVER)));
    held(few, 1);
    assertDecision("reserve", "too-many-holds", "none", "m-few", () -> reserve(few, 1));
  }

  @Test
  void aRefusalNamesThePlanOfTheParentThatRefuses() {
    String parent = subjectOf("m-parent", plan(limit("all", "tokens", 5, FOREVER)));
    putPlan("m-member", plan(limit("all", "tokens", 100, FOREVER)));
    String member = fresh("s");
    putSubject(member, "{'plan':'m-member','parent':'%s'}".formatted(parent));
    assertDecision("charge", "admitted", "none", "m-member", () -> charge(member, 5));
    assertDecision("charge", "quota-exhausted", "period", "m-parent", () -> charge(member, 1));
  }

  private static Response keyed(String path, String key, String body) {
    return as(METER, body).header("Idempotency-Key", key).post(path);
  }

  @Test
  void aReplayIsNoDecisionAndChargesNothing() {
    String subject = subjectOf("m-replay", plan(limit("all", "tokens", 100, FOREVER)));
    String charges = quotaPath(subject) + "/charges";
    assertStatus(200, keyed(charges, "k", tokens(3)));
    Runnable again = () -> assertStatus(200, keyed(charges, "k", tokens(3)));
    assertEquals(Map.of(), moved("tidegate_decisions_total", again));
    assertEquals(Map.of(), moved("tidegate_charged_units_total", again));
    assertEquals(Map.of("operation=charge", 1.0), moved("tidegate_replays_total", again));
    assertDecision(
        "charge",
        "idempotency-key-reused",
        "none",
        "m-replay",
        () -> keyed(charges, "k", tokens(4)));
  }

  @Test
  void whatBecomesOfReservationsIsCountedOnce() {
    set(NOON);
    String subject = subjectOf("m-fates", plan(limit("all", "tokens", 1000, FOREVER)));
    String settled = held(subject, 10);
    String released = held(subject, 10);
    String lapsed = held(subject, 10, 60);
    String late = held(subject, 10, 60);
    assertEquals(
        Map.of("late=false", 1.0),
        moved(
            "tidegate_reservations_settled_total",
            () -> {
              settle(subject, settled, 12);
              settle(subject, settled, 12);
            }));
    assertEquals(
        Map.of("", 1.0),
        moved(
            "tidegate_reservations_released_total",
            () -> {
              release(subject, released);
              release(subject, released);
            }));
    assertEquals(
        Map.of("", 1.0),
        moved("tidegate_reservations_extended_total", () -> extend(subject, lapsed, 90)));
    set(NOON.plusSeconds(90));
    assertEquals(
        Map.of("", 2.0),
        moved(
            "tidegate_reservations_lapsed_total",
            () -> {
              read(subject);
              settle(subject, late, 1);
              charge(subject, 1);
            }));
    assertEquals(
        Map.of("late=true", 1.0),
        moved("tidegate_reservations_settled_total", () -> settle(subject, lapsed, 1)));
    assertEquals(
        Map.of("", 1.0), moved("tidegate_reservations_taken_total", () -> held(subject, 1)));
  }

  @Test
  void unitsAreCountedByMeterAndApartWhereMoreWasSettledThanReserved() {
    String subject = subjectOf("m-units", plan(limit("all", "tokens", 1000, FOREVER)));
    String id = held(subject, 10);
    Runnable above = () -> assertStatus(200, settle(subject, id, 17));
    Scrape before = Scrape.now();
    assertEquals(Map.of("meter=tokens", 7.0), moved("tidegate_oversettled_units_total", above));
    assertEquals(
        17.0,
        Scrape.now().sum("tidegate_charged_units_total", "meter", "tokens")
            - before.sum("tidegate_charged_units_total", "meter", "tokens"));
    assertEquals(Map.of(), moved("tidegate_oversettled_units_total", () -> charge(subject, 50)));
    String below = held(subject, 10);
    assertEquals(
        Map.of(), moved("tidegate_oversettled_units_total", () -> settle(subject, below, 3)));
  }

  @Test
  void warningsAreCountedAsAnswersCarryThem() {
    String subject =
        subjectOf("m-warned", plan(limit("all", "tokens", 10, FOREVER, ",'warn_at_percent':[50]")));
    assertEquals(Map.of(), moved("tidegate_warnings_total", () -> charge(subject, 4)));
    assertEquals(Map.of("", 1.0), moved("tidegate_warnings_total", () -> charge(subject, 1)));
  }

  private static void assertGrant(String kind, String code, Runnable call) {
    assertEquals(
        Map.of("code=%s, kind=%s".formatted(code, kind), 1.0),
        moved("tidegate_grants_total", call));
  }

  @Test
  void grantsAreCountedByKindAndCode() {
    String subject =
        subjectOf(
            "m-grants",
            plan(
                limit(
                    "all",
                    "tokens",
                    100,
                    DAILY,
                    ",'emergency':{'amount':5,'max':1,'per':'period'}")));
    assertGrant("reset", "unchanged", () -> reset(subject, "{'mode':'keep_anchor'}"));
    assertEquals(
        Map.of("kind=purchase, meter=tokens", 40.0),
        moved("tidegate_topup_units_total", () -> buy(subject, 40)));
    assertGrant("purchase", "granted", () -> buy(subject, 1));
    assertGrant(
        "emergency", "version-conflict", () -> emergency(subject, "\"1\"", "{'mode':'emergency'}"));
    assertEquals(
        Map.of("kind=emergency, meter=tokens", 5.0),
        moved("tidegate_topup_units_total", () -> emergency(subject)));
    assertGrant("emergency", "topup-cap-reached", () -> emergency(subject));
    assertGrant("reset", "granted", () -> reset(subject, "{'mode':'keep_anchor'}"));
    assertGrant("restart", "granted", () -> reset(subject, "{'mode':'restart'}"));
    assertGrant(
        "purchase",
        "limit-not-found",
        () -> topUp(subject, "{'mode':'purchase','amounts':{'none':1}}"));
    String bought = "{'mode':'purchase','amounts':{'all':1}}";
    assertStatus(200, keyedGrant(subject, "topup", "k", bought));
    assertEquals(
        Map.of("operation=purchase", 1.0),
        moved("tidegate_replays_total", () -> keyedGrant(subject, "topup", "k", bought)));
    assertEquals(
        Map.of(),
        moved("tidegate_topup_units_total", () -> keyedGrant(subject, "topup", "k", bought)));
  }

  @Test
  void scriptsAreTimedByCommandAndCountedInBuckets() {
    String subject = subjectOf("m-timed", plan(limit("all", "tokens", 100, FOREVER)));
    assertEquals(
        Map.of("command=take_charge", 1.0),
        moved("tidegate_script_duration_seconds_count", () -> charge(subject, 1)));
    List<Scrape.Sample> buckets =
        Scrape.now().samples("tidegate_script_duration_seconds_bucket").stream()
            .filter(bucket -> "take_charge".equals(bucket.labels().get("command")))
            .toList();
    assertEquals(10, buckets.size());
    assertEquals(
        buckets.getLast().value(),
        Scrape.now().sum("tidegate_script_duration_seconds_count", "command", "take_charge"));
  }

  @Test
  void whatRedisAnswersAndHoldsIsShown() {
    String subject = subjectOf("m-redis", plan(limit("all", "tokens", 100, FOREVER)));
    Scrape before = Scrape.now();
    assertStatus(200, charge(subject, 1));
    Scrape after = Scrape.now();
    String commands = "tidegate_redis_commands_total";
    assertTrue(after.sum(commands) > before.sum(commands));
    assertTrue(after.sum("tidegate_redis_lanes", "state", "open") >= 1);
    try (TestRedis redis = TestRedis.open()) {
      redis.send("SCRIPT", "FLUSH");
    }
    assertTrue(
        moved("tidegate_redis_errors_total", () -> assertStatus(200, charge(subject, 1)))
                .getOrDefault("code=NOSCRIPT", 0.0)
            >= 1);
    assertEquals(0, after.sum("tidegate_redis_failures_total", "kind", "fault"));
  }

  @Test
  void plansAreShownAsThisProcessKnowsThem() {
    putPlan("m-known", plan(limit("all", "tokens", 1, FOREVER)));
    Scrape before = Scrape.now();
    putPlan("m-known", plan(limit("all", "tokens", 2, FOREVER)));
    Scrape after = Scrape.now();
    String generation = "tidegate_plans_generation";
    assertTrue(after.sum(generation) > before.sum(generation));
    String refreshes = "tidegate_plans_refreshes_total";
    assertTrue(
        after.sum(refreshes, "outcome", "changed") > before.sum(refreshes, "outcome", "changed"));
    assertTrue(after.sum("tidegate_plans_in_force") >= 1);
    assertTrue(after.sum("tidegate_plans_checked_age_seconds") < 60);
  }

  @Test
  void aDecisionThatIsRepeatedIsCountedByWhatWasStale() {
    String subject = subjectOf("m-stale", plan(limit("all", "tokens", 100, FOREVER)));
    charge(subject, 1);
    try (TestRedis redis = TestRedis.open()) {
      redis.send("HINCRBY", "tidegate:1:{%s}:subject:%s".formatted(subject, subject), "v", "1");
    }
    assertEquals(
        Map.of("reason=configuration", 1.0),
        moved("tidegate_decided_anew_total", () -> assertStatus(200, charge(subject, 1))));
  }
}
