package dev.tidegate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reservations as time passes. */
@QuarkusTest
class LeasesTest extends ClockSuite {

  private static final Instant T = Instant.parse("2027-03-01T08:00:00Z");
  private static final Duration PROOF = Duration.ofDays(1);

  @BeforeEach
  void theClockStandsStill() {
    set(T);
  }

  private static void pass(long millis) {
    set(T.plusMillis(millis));
  }

  private static String stateOf(String subject, String id) {
    return find(subject, id).jsonPath().getString("state");
  }

  @Test
  @DisplayName("B12 A lease lapses exactly at its end")
  void b12() {
    String subject = subjectWith(100);
    String id = held(subject, 10, 60);
    pass(59_999);
    assertEquals("held", stateOf(subject, id));
    assertEquals("0/10", usedAndHeld(subject));
    pass(60_000);
    assertEquals("lapsed", stateOf(subject, id));
    assertEquals("0/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("B14 A settlement after the room was resold is charged, late, above the limit")
  void b14() {
    String subject = subjectWith(100);
    String lapsed = held(subject, 100, 60);
    pass(60_000);
    settle(subject, held(subject, 100, 60), 100);
    pass(660_000);
    Response late = settle(subject, lapsed, 80);
    assertStatus(200, late);
    assertTrue(late.jsonPath().getBoolean("late"));
    assertEquals(180, late.jsonPath().getInt("limits[0].used"));
    assertEquals(80, late.jsonPath().getInt("limits[0].over_by"));
  }

  @Test
  @DisplayName(
      "B16 After the proof is gone a settlement finds nothing, makes no key and gives advice")
  void b16() {
    String subject = subjectWith(100);
    String one = held(subject, 10, 60);
    String two = held(subject, 10, 60);
    Instant end = T.plusSeconds(60).plus(PROOF);
    set(end.minusMillis(1));
    assertTrue(settle(subject, one, 5).jsonPath().getBoolean("late"));
    set(end);
    try (TestRedis redis = TestRedis.open()) {
      List<String> before = redis.keys().stream().sorted().toList();
      Response gone = settle(subject, two, 5);
      assertProblem(404, "reservation-not-found", gone);
      assertTrue(gone.jsonPath().getString("detail").contains("charge"), gone::asString);
      assertProblem(404, "reservation-not-found", settle(subject, one, 5));
      assertProblem(404, "reservation-not-found", find(subject, two));
      assertProblem(404, "reservation-not-found", release(subject, two));
      assertEquals(before, redis.keys().stream().sorted().toList());
    }
    assertEquals("5/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("B19 A lapsed lease cannot be extended")
  void b19() {
    String subject = subjectWith(100);
    String id = held(subject, 10, 60);
    pass(60_000);
    Response closed = extend(subject, id, 60);
    assertProblem(409, "reservation-closed", closed);
    assertEquals("lapsed", closed.jsonPath().getString("state"));
  }

  @Test
  @DisplayName("B22 What a client leaves behind comes back by itself and is counted in a metric")
  void b22() {
    String subject = subjectWith(100);
    held(subject, 100);
    double before = lapses();
    pass(120_000);
    assertStatus(201, reserve(subject, 100));
    assertEquals(before + 1, lapses());
  }

  private static double lapses() {
    return given()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith("tidegate_reservations_lapsed_total"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void theReleaseOfALapsedReservationSaysSo() {
    String subject = subjectWith(100);
    String id = held(subject, 10, 60);
    pass(60_000);
    assertEquals("lapsed", release(subject, id).jsonPath().getString("state"));
    assertEquals("0/0", usedAndHeld(subject));
    assertTrue(settle(subject, id, 5).jsonPath().getBoolean("late"));
  }

  @Test
  void aSettlementIsRepeatedAfterTheLeaseAndHoursLater() {
    String subject = subjectWith(100);
    String id = held(subject, 10, 60);
    pass(59_999);
    assertFalse(settle(subject, id, 5).jsonPath().getBoolean("late"));
    pass(23L * 3_600_000);
    Response again = settle(subject, id, 5);
    assertTrue(again.jsonPath().getBoolean("replayed"));
    assertFalse(again.jsonPath().getBoolean("late"));
    assertEquals("5/0", usedAndHeld(subject));
  }

  @Test
  void anExtendedLeaseCountsToItsNewEnd() {
    String subject = subjectWith(100);
    String id = held(subject, 100, 60);
    pass(30_000);
    Response extended = extend(subject, id, 60);
    assertEquals(T.plusSeconds(90).toString(), extended.jsonPath().getString("expires_at"));
    pass(89_999);
    assertProblem(429, "quota-exhausted", reserve(subject, 1));
    pass(90_000);
    assertStatus(201, reserve(subject, 1));
  }

  @Test
  @DisplayName("I8 Blocked by holds, the wait is to the end of the lease and exact")
  void i8() {
    String subject = subjectWith(100);
    held(subject, 60, 40);
    held(subject, 40, 60);
    pass(1);
    Response denied = reserve(subject, 1);
    assertProblem(429, "quota-exhausted", denied);
    assertEquals(39_999, denied.jsonPath().getLong("retry_after_ms"));
    assertEquals("40", denied.header("Retry-After"));
    assertEquals(59_999, reserve(subject, 61).jsonPath().getLong("retry_after_ms"));
    pass(39_999);
    Response last = reserve(subject, 60);
    assertEquals(1, last.jsonPath().getLong("retry_after_ms"));
    assertEquals("1", last.header("Retry-After"));
    pass(40_000);
    assertStatus(201, reserve(subject, 60));
  }

  @Test
  @DisplayName("I5 With 0.6 seconds left Retry-After is 1 and the body says 600")
  void i5() {
    String subject = subjectWith(100);
    held(subject, 100, 60);
    pass(59_400);
    Response denied = charge(subject, 1);
    assertEquals(600, denied.jsonPath().getLong("retry_after_ms"));
    assertEquals("1", denied.header("Retry-After"));
  }

  @Test
  void tooManyHoldsAreOverWhenTheFirstLeaseEnds() {
    String limits = limit("all", "tokens", 100, FOREVER);
    String subject = subjectOn(planWith("'hold':{'max_holds':2},", limits));
    held(subject, 1, 90);
    held(subject, 1, 30);
    Response refused = reserve(subject, 1);
    assertProblem(429, "too-many-holds", refused);
    assertEquals(30_000, refused.jsonPath().getLong("retry_after_ms"));
    assertEquals("30", refused.header("Retry-After"));
    pass(29_999);
    assertProblem(429, "too-many-holds", reserve(subject, 1));
    pass(30_000);
    assertStatus(201, reserve(subject, 1));
  }

  @Test
  @DisplayName("D13 After its retention a key is new")
  void d13() {
    String subject = subjectWith(100);
    String path = quotaPath(subject) + "/charges";
    assertStatus(200, as(METER, tokens(1)).header("Idempotency-Key", "k").post(path));
    Instant end = T.plusSeconds(120).plus(PROOF);
    set(end.minusMillis(1));
    Response again = as(METER, tokens(1)).header("Idempotency-Key", "k").post(path);
    assertTrue(again.jsonPath().getBoolean("replayed"));
    set(end);
    Response anew = as(METER, tokens(2)).header("Idempotency-Key", "k").post(path);
    assertStatus(200, anew);
    assertFalse(anew.jsonPath().getBoolean("replayed"));
  }

  @Test
  void aLeaseIsExtendedToADayAfterItWasTakenAndNoFurther() {
    String subject = subjectWith(100);
    String id = held(subject, 1, 86_400);
    pass(86_399_999);
    Response capped = extend(subject, id, 1);
    assertTrue(capped.jsonPath().getBoolean("capped"));
    assertEquals(T.plus(Duration.ofDays(1)).toString(), capped.jsonPath().getString("expires_at"));
    pass(86_400_000);
    assertProblem(409, "reservation-closed", extend(subject, id, 1));
  }
}
