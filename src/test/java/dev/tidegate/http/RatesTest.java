package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Token buckets and sliding budgets. */
@QuarkusTest
class RatesTest extends ClockSuite {

  /** The start of a minute and of a day. */
  private static final Instant T = Instant.parse("2027-03-01T00:00:00Z");

  @BeforeEach
  void theClockStandsStill() {
    set(T);
  }

  private static void pass(long millis) {
    set(T.plusMillis(millis));
  }

  private static String bucket(String name, String meter, long capacity, long refill, int seconds) {
    return ("{'name':'%s','kind':'token_bucket','meter':'%s','capacity':%d,'refill':%d,"
            + "'interval_seconds':%d}")
        .formatted(name, meter, capacity, refill, seconds);
  }

  private static String sliding(String name, String meter, long limit, int seconds, int buckets) {
    return ("{'name':'%s','kind':'sliding','meter':'%s','limit':%d,'window_seconds':%d,"
            + "'buckets':%d}")
        .formatted(name, meter, limit, seconds, buckets);
  }

  /** A subject with tokens per minute, kept in two buckets. */
  private static String perMinute(long tokens) {
    return subjectOn(plan(sliding("all", "tokens", tokens, 60, 1)));
  }

  /** A subject with a bucket of tokens. */
  private static String dripping(long capacity, long refill, int seconds) {
    return subjectOn(plan(bucket("all", "tokens", capacity, refill, seconds)));
  }

  private static void assertWaits(long millis, long seconds, Response denied) {
    assertProblem(429, "rate-limited", denied);
    assertEquals(millis, denied.jsonPath().getLong("retry_after_ms"), denied::asString);
    assertEquals(Long.toString(seconds), denied.header("Retry-After"));
  }

  @Test
  @DisplayName("I1 A sliding budget waits for what has to decay, not for the window")
  void i1() {
    String subject = perMinute(60);
    charge(subject, 60);
    pass(72_000);
    assertStatus(200, charge(subject, 12));
    assertEquals("60/0", usedAndHeld(subject));
    assertWaits(1000, 1, charge(subject, 1));
    assertWaits(5000, 5, charge(subject, 5));
    pass(77_000);
    assertStatus(200, charge(subject, 5));
  }

  @Test
  @DisplayName("I4 Of a limit of one the first passes, and the next after the window")
  void i4() {
    String subject = perMinute(1);
    assertStatus(200, charge(subject, 1));
    assertWaits(120_000, 120, charge(subject, 1));
    pass(119_999);
    assertWaits(1, 1, charge(subject, 1));
    pass(120_000);
    assertStatus(200, charge(subject, 1));
  }

  @Test
  @DisplayName("I5 With 0.6 seconds left Retry-After is 1, and who waits for it is let in")
  void i5() {
    String subject = dripping(1, 1, 6);
    charge(subject, 1);
    pass(5400);
    assertWaits(600, 1, charge(subject, 1));
    pass(6400);
    assertStatus(200, charge(subject, 1));
  }

  @Test
  @DisplayName("I7 Of two limits that deny, the one that frees last is named and decides the code")
  void i7() {
    String limits = limit("day", "tokens", 100, "{'type':'fixed','seconds':32410}");
    String subject = subjectOn(plan(bucket("minute", "tokens", 100, 10, 1), limits));
    charge(subject, 100);
    Response denied = reserve(subject, 100);
    assertProblem(429, "quota-exhausted", denied);
    JsonPath problem = denied.jsonPath();
    assertEquals("day", problem.getString("limit"));
    long wait = problem.getLong("retry_after_ms");
    assertEquals(T.plusMillis(wait).toString(), problem.getString("reset_at"));
    assertEquals(List.of("rate-limited", "quota-exhausted"), problem.getList("violations.code"));
    assertEquals(10_000, problem.getLong("violations[0].retry_after_ms"));

    String other = subjectOn(plan(bucket("slow", "tokens", 100, 1, 3600), limits));
    charge(other, 100);
    Response slow = reserve(other, 100);
    assertProblem(429, "rate-limited", slow);
    assertEquals("slow", slow.jsonPath().getString("limit"));
    assertEquals(360_000_000, slow.jsonPath().getLong("retry_after_ms"));
  }

  @Test
  @DisplayName("I8 Blocked by what is held, a sliding budget waits for the end of the lease")
  void i8() {
    String subject = perMinute(100);
    held(subject, 100, 40);
    assertEquals("0/100", usedAndHeld(subject));
    assertWaits(40_000, 40, reserve(subject, 1));
    pass(40_000);
    assertStatus(201, reserve(subject, 100));
  }

  @Test
  @DisplayName("I9 A slow bucket that is polled gives its token when it is due")
  void i9() {
    String subject = dripping(1, 1, 6);
    charge(subject, 1);
    for (int second = 1; second < 6; second++) {
      pass(second * 1000L);
      assertWaits(6000 - second * 1000L, 6 - second, charge(subject, 1));
      assertEquals(
          6000 - second * 1000, readLimit(subject, "all").jsonPath().getInt("retry_after_ms"));
    }
    pass(6000);
    assertStatus(200, charge(subject, 1));
  }

  @Test
  @DisplayName("I12 More than the capacity is told so, and nothing is drained")
  void i12() {
    for (String subject : List.of(dripping(100, 1, 1), perMinute(100))) {
      Response refused = reserve(subject, 101);
      assertProblem(422, "exceeds-capacity", refused);
      assertNull(refused.header("Retry-After"));
      assertFalse(refused.asString().contains("retry_after"), refused::asString);
      assertEquals(100, readLimit(subject, "all").jsonPath().getInt("remaining"));
    }
  }

  @Test
  @DisplayName("I13 After long idle time no wait and no reset is in the past")
  void i13() {
    String drip = dripping(100, 1, 1);
    String window = perMinute(100);
    charge(drip, 100);
    charge(window, 100);
    Instant later = T.plus(Duration.ofDays(365));
    set(later);
    for (String subject : List.of(drip, window)) {
      JsonPath limit = readLimit(subject, "all").jsonPath();
      assertEquals(later.toString(), limit.getString("reset_at"));
      assertEquals(0, limit.getInt("retry_after_ms"));
      assertEquals(0, limit.getInt("used"));
    }
  }

  @Test
  @DisplayName("I14 Of many who come back at the instant that was told no more are let in than fit")
  void i14() {
    String subject = dripping(10, 10, 60);
    charge(subject, 10);
    Response denied = charge(subject, 10);
    pass(denied.jsonPath().getLong("retry_after_ms"));
    long granted =
        IntStream.range(0, 100)
            .parallel()
            .filter(n -> charge(subject, 1).statusCode() == 200)
            .count();
    assertEquals(10, granted);
    assertEquals("10/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("I15 A denial gives a relative wait beside the instant")
  void i15() {
    String subject = dripping(10, 10, 60);
    charge(subject, 10);
    pass(1);
    Response denied = charge(subject, 5);
    assertWaits(29_999, 30, denied);
    assertEquals(T.plusSeconds(60).toString(), denied.jsonPath().getString("reset_at"));
  }

  @Test
  void aBucketIsShownWithoutPeriodAndWithTheInstantWhenItIsFull() {
    String subject = dripping(60, 60, 60);
    charge(subject, 20);
    JsonPath limit = readLimit(subject, "all").jsonPath();
    assertEquals("token_bucket", limit.getString("kind"));
    assertNull(limit.get("period_id"));
    assertNull(limit.get("seq"));
    assertEquals(60, limit.getInt("limit"));
    assertEquals(20, limit.getInt("used"));
    assertEquals(40, limit.getInt("remaining"));
    assertEquals(T.plusSeconds(20).toString(), limit.getString("reset_at"));
    assertEquals("2027-03-01T00:00:20Z", limit.getString("reset_at_local"));
    assertFalse(limit.getMap("$").containsKey("opens_on_use"));
    assertEquals(Map.of("tokens", 40), read(subject).jsonPath().getMap("available"));
  }

  @Test
  void aSlidingBudgetIsShownWithTheInstantWhenItsWindowIsEmpty() {
    String subject = subjectOn(plan(sliding("all", "tokens", 60, 60, 6)));
    charge(subject, 20);
    held(subject, 5);
    JsonPath limit = readLimit(subject, "all").jsonPath();
    assertEquals("sliding", limit.getString("kind"));
    assertNull(limit.get("period_id"));
    assertEquals("20/5", usedAndHeld(subject));
    assertEquals(T.plusSeconds(70).toString(), limit.getString("reset_at"));
  }

  @Test
  void debtIsShownAsOverBy() {
    String subject = dripping(60, 60, 60);
    Response settled = settle(subject, held(subject, 10), 100);
    assertEquals(40, settled.jsonPath().getInt("limits[0].over_by"));
    assertEquals(0, settled.jsonPath().getInt("limits[0].remaining"));
    assertTrue(settled.jsonPath().getBoolean("limits[0].exhausted"));
    assertWaits(41_000, 41, reserve(subject, 1));
  }

  @Test
  void requestsAreChargedToASlidingBudgetWhenTheyAreTaken() {
    String subject = subjectOn(plan(sliding("rpm", "requests", 2, 60, 1)));
    String released = idOf(reserve(subject, "{'amounts':{}}"));
    String settled = idOf(reserve(subject, "{'amounts':{}}"));
    assertEquals("2/0", usedAndHeld(subject, "rpm"));
    assertProblem(429, "rate-limited", reserve(subject, "{'amounts':{}}"));
    release(subject, released);
    settle(subject, settled, "{'use_held':true}");
    assertEquals("1/0", usedAndHeld(subject, "rpm"));
  }

  @Test
  void aDryRunSaysThatItWouldBeRateLimited() {
    String subject = dripping(10, 10, 60);
    charge(subject, 10);
    Response dry = reserve(subject, "{'amounts':{'tokens':1},'dry_run':true}");
    assertStatus(200, dry);
    assertFalse(dry.jsonPath().getBoolean("allowed"));
    assertEquals("rate-limited", dry.jsonPath().getString("code"));
    assertEquals(6000, dry.jsonPath().getInt("retry_after_ms"));
  }

  @Test
  void ratesHaveNoPeriodsAndNoResets() {
    String limits = limit("daily", "tokens", 100, DAILY);
    String subject =
        subjectOn(
            plan(bucket("rpm", "tokens", 60, 60, 60), sliding("tpm", "tokens", 60, 60, 6), limits));
    assertEquals(List.of("daily"), periods(subject).jsonPath().getList("limits.name"));
    assertEquals(List.of(), periods(subject, "?limit=rpm").jsonPath().getList("limits"));
    assertProblem(404, "limit-not-found", periods(subject, "?limit=nope"));
    Response resets = as(METER).get("/v1/plans/p-" + subject + "/resets");
    assertStatus(200, resets);
    assertEquals(List.of("daily"), resets.jsonPath().getList("limits.limit"));
  }

  @Test
  void anOverrideChangesTheFieldsThatTheKindHas() {
    String subject =
        subjectOn(plan(bucket("rpm", "tokens", 60, 60, 60), sliding("tpm", "tokens", 60, 60, 6)));
    String overridden = "{'plan':'p-%s','overrides':{'api':{'limits':%s}}}";
    putSubject(
        subject,
        overridden.formatted(
            subject,
            "{'rpm':{'capacity':10,'refill':5,'interval_seconds':1},"
                + "'tpm':{'limit':9,'window_seconds':1,'buckets':1,'warn_at_percent':[50]}}"));
    assertEquals(10, readLimit(subject, "rpm").jsonPath().getInt("limit"));
    assertEquals(9, readLimit(subject, "tpm").jsonPath().getInt("limit"));
    Response charged = charge(subject, 9);
    assertEquals("quota-warning", charged.jsonPath().getString("warnings[0].code"));
    assertEquals("tpm", charged.jsonPath().getString("warnings[0].limit"));
    Response refused =
        send(
            ADMIN,
            "PUT",
            subjectPath(subject),
            overridden.formatted(
                subject,
                "{'rpm':{'limit':10,'schedule':{'type':'session','seconds':60}},"
                    + "'tpm':{'capacity':9,'restart':{'max':1,'per_days':1}}}"));
    assertProblem(400, "invalid-request", refused);
    assertEquals(
        List.of(
            "$.overrides.api.limits.rpm.limit",
            "$.overrides.api.limits.rpm.schedule",
            "$.overrides.api.limits.tpm.capacity",
            "$.overrides.api.limits.tpm.restart"),
        refused.jsonPath().getList("violations.path").stream().sorted().toList());
    assertEquals(
        "is not a field of a limit of kind token_bucket",
        refused.jsonPath().getString("violations.find { it.path.endsWith('rpm.limit') }.reason"));
  }

  @Test
  void anOverrideOfAKindThatThePlanHasNoMoreSaysNothing() {
    String subject = dripping(60, 60, 60);
    putSubject(
        subject,
        "{'plan':'p-%s','overrides':{'api':{'limits':{'all':{'capacity':10}}}}}"
            .formatted(subject));
    putPlan("p-" + subject, plan(sliding("all", "tokens", 50, 60, 6)));
    assertEquals(50, readLimit(subject, "all").jsonPath().getInt("limit"));
    putPlan("p-" + subject, plan(bucket("all", "tokens", 60, 60, 60)));
    assertEquals(10, readLimit(subject, "all").jsonPath().getInt("limit"));
  }

  @Test
  void aRateOfAParentIsNamedWithTheParent() {
    String team = subjectOn(plan(bucket("pool", "tokens", 10, 10, 60)));
    String member = fresh("s");
    putPlan("p-" + member, plan(limit("all", "tokens", 100, FOREVER)));
    putSubject(member, "{'plan':'p-%s','parent':'%s'}".formatted(member, team));
    charge(member, 10);
    Response denied = reserve(member, 1);
    assertWaits(6000, 6, denied);
    assertEquals(team, denied.jsonPath().getString("subject"));
    assertEquals("pool", denied.jsonPath().getString("limit"));
    assertTrue(read(member).jsonPath().getBoolean("bound_by_parent"));
  }
}
