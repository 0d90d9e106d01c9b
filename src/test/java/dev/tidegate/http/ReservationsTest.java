package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reservations and charges whose outcome does not depend on the time of day. */
@QuarkusTest
class ReservationsTest extends HttpSuite {

  @Test
  void aReservationSaysWhereItIsWhatItHoldsAndWhatIsLeft() {
    String subject = subjectWith(100);
    Response held = reserve(subject, "{'amounts':{'tokens':30},'ttl_seconds':60}");
    String id = idOf(held);
    assertEquals(reservationPath(subject, id), held.header("Location"));
    var json = held.jsonPath();
    assertEquals(Map.of("tokens", 30, "requests", 1), json.getMap("amounts"));
    assertEquals(70, json.getInt("available.tokens"));
    assertEquals("all", json.getString("limits[0].name"));
    assertEquals(30, json.getInt("limits[0].held"));
    assertFalse(json.getBoolean("replayed"));
    Response found = as(METER).get(held.header("Location"));
    assertStatus(200, found);
    assertEquals("held", found.jsonPath().getString("state"));
    Instant taken = Instant.parse(found.jsonPath().getString("taken_at"));
    assertEquals(taken.plusSeconds(60), Instant.parse(json.getString("expires_at")));
  }

  @Test
  @DisplayName("A3 Equality: the last units go, one more does not")
  void a3() {
    String subject = subjectWith(100);
    held(subject, 60);
    Response last = reserve(subject, 40);
    assertStatus(201, last);
    assertEquals(0, last.jsonPath().getInt("available.tokens"));
    assertProblem(429, "quota-exhausted", reserve(subject, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"reservations", "charges"})
  @DisplayName("A5 An amount larger than the whole limit is told that waiting cannot help")
  void a5(String call) {
    String subject = subjectWith(100);
    Response refused = send(METER, "POST", quotaPath(subject) + "/" + call, tokens(101));
    assertProblem(422, "exceeds-capacity", refused);
    assertNull(refused.header("Retry-After"));
    assertNull(refused.jsonPath().get("retry_after_ms"));
    assertEquals(100, read(subject).jsonPath().getInt("available.tokens"));
  }

  @Test
  @DisplayName("A6 A denied request changes nothing, a thousand times")
  void a6() {
    String subject = subjectWith(10);
    charge(subject, 9);
    try (TestRedis redis = TestRedis.open()) {
      Map<String, TestRedis.Entry> before = entriesOf(redis, subject);
      String resetAt = reserve(subject, 5).jsonPath().getString("reset_at");
      for (int n = 1; n < 1000; n++) {
        Response denied = n % 100 == 0 ? reserve(subject, 5) : charge(subject, 5);
        assertProblem(429, "quota-exhausted", denied);
        assertEquals(resetAt, denied.jsonPath().getString("reset_at"));
      }
      assertUnchanged(before, entriesOf(redis, subject));
    }
    assertEquals("9/0", usedAndHeld(subject));
  }

  private static Map<String, TestRedis.Entry> entriesOf(TestRedis redis, String subject) {
    Map<String, TestRedis.Entry> entries = new TreeMap<>(redis.entries());
    entries.keySet().removeIf(key -> !key.contains(subject));
    return entries;
  }

  private static void assertUnchanged(
      Map<String, TestRedis.Entry> before, Map<String, TestRedis.Entry> after) {
    assertEquals(before.keySet(), after.keySet());
    before.forEach(
        (key, entry) -> {
          TestRedis.Entry now = after.getOrDefault(key, entry);
          assertEquals(entry.value(), now.value(), key);
          assertTrue(now.ttlMillis() <= entry.ttlMillis(), key + " lives longer");
        });
  }

  @Test
  @DisplayName("A8 A reservation without an estimate is 400, or takes the plan's default")
  void a8() {
    String subject = subjectWith(100);
    Response refused = reserve(subject, "{}");
    assertProblem(400, "invalid-request", refused);
    assertEquals("$.amounts.tokens", refused.jsonPath().getString("violations[0].path"));
    assertEquals("0/0", usedAndHeld(subject));
    String estimated =
        subjectOn(
            planWith("'default_estimate':{'tokens':40},", limit("all", "tokens", 100, FOREVER)));
    assertEquals(40, reserve(estimated, "{}").jsonPath().getInt("amounts.tokens"));
    assertEquals("0/40", usedAndHeld(estimated));
    assertProblem(400, "invalid-request", charge(estimated, "{'amounts':{}}"));
  }

  @Test
  @DisplayName("B17 An unknown, a malformed and a foreign reservation are told apart by nothing")
  void b17() {
    String subject = subjectWith(100);
    String foreign = held(subjectWith(100), 1);
    String unknown = "A".repeat(16) + foreign.substring(16);
    for (String call : List.of("settle", "release", "extend")) {
      String body =
          call.equals("settle") ? tokens(1) : call.equals("extend") ? "{'ttl_seconds':1}" : "";
      Map<String, Object> first = null;
      for (String id : List.of(unknown, "malformed", foreign, held(subject, 1) + "x")) {
        Response none = send(METER, "POST", reservationPath(subject, id) + "/" + call, body);
        assertProblem(404, "reservation-not-found", none);
        Map<String, Object> members = new TreeMap<>(none.jsonPath().<String, Object>getMap(""));
        members.keySet().removeAll(Set.of("instance", "request_id"));
        assertEquals(first == null ? members : first, members);
        first = members;
      }
    }
    assertProblem(404, "reservation-not-found", find(subject, foreign));
    assertEquals(0, readLimit(subject, "all").jsonPath().getInt("used"));
  }

  @Test
  @DisplayName("B17 A reservation is not found under another resource of its subject")
  void b17AnotherResource() {
    String limits = "[" + limit("all", "tokens", 9, FOREVER) + "]";
    String rules = "{'meters':['tokens'],'limits':%s}".formatted(limits);
    String subject = subjectOn("{'resources':{'api':%s,'b':%s}}".formatted(rules, rules));
    String path = "/v1/quota/" + subject + "/b/reservations/" + held(subject, 1);
    assertProblem(404, "reservation-not-found", as(METER).get(path));
    assertProblem(404, "reservation-not-found", send(METER, "POST", path + "/settle", tokens(1)));
  }

  @Test
  @DisplayName("B21 The end of the lease is absolute, so that a client sees that it is over")
  void b21() {
    String subject = subjectWith(100);
    Response held = reserve(subject, "{'amounts':{'tokens':1},'ttl_seconds':1}");
    Instant expires = Instant.parse(held.jsonPath().getString("expires_at"));
    Instant taken = Instant.parse(find(subject, idOf(held)).jsonPath().getString("taken_at"));
    assertEquals(Duration.ofSeconds(1), Duration.between(taken, expires));
  }

  @Test
  void aDryRunHoldsNothingAndSaysWhatACallWouldGet() {
    String subject = subjectWith(100);
    held(subject, 60);
    Response fits = reserve(subject, "{'amounts':{'tokens':40},'dry_run':true}");
    assertStatus(200, fits);
    assertTrue(fits.jsonPath().getBoolean("allowed"));
    Response not = reserve(subject, "{'amounts':{'tokens':41},'dry_run':true}");
    assertStatus(200, not);
    assertFalse(not.jsonPath().getBoolean("allowed"));
    assertEquals("quota-exhausted", not.jsonPath().getString("code"));
    assertEquals(40, not.jsonPath().getInt("remaining"));
    Response never = reserve(subject, "{'amounts':{'tokens':101},'dry_run':true}");
    assertEquals("exceeds-capacity", never.jsonPath().getString("code"));
    assertEquals("0/60", usedAndHeld(subject));
  }

  @Test
  void anExtensionSetsTheLaterEndAndIsCappedAtADay() {
    String subject = subjectWith(100);
    String id = held(subject, 1, 600);
    Instant before = Instant.parse(find(subject, id).jsonPath().getString("expires_at"));
    Response shorter = extend(subject, id, 1);
    assertEquals(before, Instant.parse(shorter.jsonPath().getString("expires_at")));
    Response longer = extend(subject, id, 900);
    assertTrue(Instant.parse(longer.jsonPath().getString("expires_at")).isAfter(before));
    assertFalse(longer.jsonPath().getBoolean("capped"));
    Response capped = extend(subject, id, 86_400);
    assertTrue(capped.jsonPath().getBoolean("capped"));
    Instant taken = Instant.parse(find(subject, id).jsonPath().getString("taken_at"));
    assertEquals(
        taken.plus(Duration.ofDays(1)), Instant.parse(capped.jsonPath().getString("expires_at")));
  }

  @Test
  void whatIsSettledOrReleasedCannotBeExtended() {
    String subject = subjectWith(100);
    String settled = held(subject, 1);
    settle(subject, settled, 1);
    String released = held(subject, 1);
    release(subject, released);
    for (String id : List.of(settled, released)) {
      Response closed = extend(subject, id, 60);
      assertProblem(409, "reservation-closed", closed);
      String state = id.equals(settled) ? "settled" : "released";
      assertEquals(state, closed.jsonPath().getString("state"));
    }
  }

  @Test
  void aLeaseIsAtMostWhatThePlanAllows() {
    String limits = limit("all", "tokens", 100, FOREVER);
    String subject = subjectOn(planWith("'hold':{'ttl_seconds':10,'max_ttl_seconds':60},", limits));
    String tooLong = "{'amounts':{'tokens':1},'ttl_seconds':61}";
    Response refused = reserve(subject, tooLong);
    assertProblem(400, "invalid-request", refused);
    assertEquals("$.ttl_seconds", refused.jsonPath().getString("violations[0].path"));
    String id = held(subject, 1);
    var found = find(subject, id).jsonPath();
    assertEquals(
        Instant.parse(found.getString("taken_at")).plusSeconds(10),
        Instant.parse(found.getString("expires_at")));
    assertProblem(400, "invalid-request", extend(subject, id, 61));
    assertStatus(200, extend(subject, id, 60));
  }

  @Test
  void severalLimitsAreChargedTogetherOrNotAtAll() {
    String subject =
        subjectOn(
            plan(
                limit("all", "tokens", 100, FOREVER),
                limit("few", "tokens", 50, FOREVER),
                limit("calls", "requests", 2, FOREVER)));
    Response refused = reserve(subject, 60);
    assertProblem(422, "exceeds-capacity", refused);
    assertEquals("few", refused.jsonPath().getString("limit"));
    assertEquals("0/0", usedAndHeld(subject, "all"));
    charge(subject, 40);
    Response denied = charge(subject, 20);
    assertProblem(429, "quota-exhausted", denied);
    assertEquals(List.of("few"), denied.jsonPath().getList("violations.limit"));
    assertEquals("40/0", usedAndHeld(subject, "all"));
    assertEquals("1/0", usedAndHeld(subject, "calls"));
  }

  @Test
  void requestsCountOneByThemselvesAndMayBeNamed() {
    String subject = subjectOn(plan(limit("calls", "requests", 10, FOREVER)));
    assertStatus(200, charge(subject, "{'amounts':{}}"));
    assertStatus(200, charge(subject, "{'amounts':{'requests':3}}"));
    String id = idOf(reserve(subject, "{'amounts':{'requests':2}}"));
    assertEquals("4/2", usedAndHeld(subject, "calls"));
    settle(subject, id, "{'amounts':{}}");
    assertEquals("6/0", usedAndHeld(subject, "calls"));
  }

  @Test
  void aMeterThatNobodyDeclaredIsInvalidAndNeverUnlimited() {
    String subject = subjectWith(100);
    String body = "{'amounts':{'tokens':1,'cents':1}}";
    for (Response refused : List.of(reserve(subject, body), charge(subject, body))) {
      assertProblem(400, "invalid-request", refused);
      assertEquals("$.amounts.cents", refused.jsonPath().getString("violations[0].path"));
    }
  }
}
