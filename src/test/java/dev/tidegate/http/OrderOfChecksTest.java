package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of two things that are wrong, the one that is checked first is told. */
@QuarkusTest
class OrderOfChecksTest extends HttpSuite {

  private static final String BAD = "{'amounts':{'tokens':-1}}";

  private static Response keyed(String subject, String call, String key, String body) {
    return keyed(METER, subject, call, key, body);
  }

  private static Response keyed(
      @Nullable String caller, String subject, String call, String key, String body) {
    return as(caller, body).header("Idempotency-Key", key).post(quotaPath(subject) + "/" + call);
  }

  @Test
  void nobodyIsToldToComeBackAsSomebodyBeforeAnythingElse() {
    assertProblem(401, "unauthenticated", send(null, "POST", quotaPath(BOUND) + "/charges", BAD));
    assertProblem(401, "unauthenticated", send("x", "PUT", "/v1/plans/me", BAD));
  }

  @Test
  void aMissingRoleComesBeforeABadBodyOrPath() {
    assertProblem(403, "forbidden", send(VIEWER, "POST", quotaPath(BOUND) + "/charges", BAD));
    assertProblem(403, "forbidden", send(OPERATOR, "PUT", "/v1/plans/me", BAD));
  }

  @Test
  void anotherSubjectComesBeforeABadQuery() {
    String path = quotaPath(fresh("other")) + "/periods?past=-1";
    assertProblem(403, "forbidden", as(VIEWER).get(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"reservations", "charges"})
  void aBadBodyComesBeforeTheReplay(String call) {
    String subject = subjectWith(100);
    assertTrue(keyed(subject, call, "k", tokens(1)).statusCode() < 300);
    assertProblem(400, "invalid-request", keyed(subject, call, "k", BAD));
  }

  @Test
  void aBadKeyComesBeforeTheUnknownSubject() {
    Response answer = keyed(fresh("nobody"), "charges", "no spaces", tokens(1));
    assertProblem(400, "invalid-request", answer);
    assertEquals("Idempotency-Key", answer.jsonPath().getString("violations[0].path"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"reservations", "charges"})
  void theReplayComesBeforeThePlanThatIsGone(String call) {
    String subject = subjectWith(100);
    Response first = keyed(subject, call, "k", tokens(7));
    assertStatus(204, as(ADMIN).delete("/v1/plans/p-" + subject));
    Response again = keyed(subject, call, "k", tokens(7));
    assertStatus(first.statusCode(), again);
    assertTrue(again.jsonPath().getBoolean("replayed"));
    assertEquals(first.jsonPath().getString("id"), again.jsonPath().getString("id"));
    assertProblem(404, "plan-not-found", keyed(subject, call, "other", tokens(7)));
    assertProblem(422, "idempotency-key-reused", keyed(subject, call, "k", tokens(8)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"reservations", "charges"})
  void theReplayComesBeforeTheDisabledSubject(String call) {
    String subject = subjectWith(100);
    Response first = keyed(subject, call, "k", tokens(7));
    putSubject(subject, "{'plan':'p-%s','disabled':true}".formatted(subject));
    Response again = keyed(subject, call, "k", tokens(7));
    assertStatus(first.statusCode(), again);
    assertTrue(again.jsonPath().getBoolean("replayed"));
    assertEquals(first.jsonPath().getMap("limits[0]"), again.jsonPath().getMap("limits[0]"));
    assertProblem(403, "resource-disabled", keyed(subject, call, "other", tokens(7)));
    assertProblem(422, "idempotency-key-reused", keyed(subject, call, "k", tokens(8)));
  }

  @Test
  void theReplayOfAnExtensionComesBeforeTheDisabledSubject() {
    String subject = subjectWith(100);
    String id = held(subject, 1);
    Response first = keyed(subject, "reservations/" + id + "/extend", "k", "{'ttl_seconds':900}");
    putSubject(subject, "{'plan':'p-%s','disabled':true}".formatted(subject));
    Response again = keyed(subject, "reservations/" + id + "/extend", "k", "{'ttl_seconds':900}");
    assertStatus(200, again);
    assertTrue(again.jsonPath().getBoolean("replayed"));
    assertEquals(
        first.jsonPath().getString("expires_at"), again.jsonPath().getString("expires_at"));
  }

  @Test
  void anUnknownResourceComesBeforeTheDisabledSubject() {
    String subject = subjectWith(100);
    putSubject(subject, "{'plan':'p-%s','disabled':true}".formatted(subject));
    String path = "/v1/quota/" + subject + "/other/charges";
    assertProblem(404, "resource-not-found", send(METER, "POST", path, tokens(1)));
  }

  @Test
  void aBadBodyComesBeforeTheUnknownSubject() {
    assertProblem(400, "invalid-request", charge(fresh("nobody"), BAD));
    assertProblem(404, "subject-not-found", charge(fresh("nobody"), tokens(1)));
  }

  @Test
  void anAmountThatDoesNotFitThePlanComesBeforeTheDisabledSubject() {
    String subject = subjectWith(100);
    putSubject(subject, "{'plan':'p-%s','disabled':true}".formatted(subject));
    assertProblem(400, "invalid-request", charge(subject, "{'amounts':{'cents':1}}"));
    assertProblem(400, "invalid-request", reserve(subject, "{}"));
    assertProblem(403, "resource-disabled", charge(subject, tokens(1)));
  }

  @Test
  void theDisabledSubjectComesBeforeTheAmountThatCanNeverFit() {
    String subject = subjectWith(100);
    putSubject(subject, "{'plan':'p-%s','disabled':true}".formatted(subject));
    assertProblem(403, "resource-disabled", reserve(subject, 101));
    assertProblem(403, "resource-disabled", charge(subject, 101));
  }

  @Test
  void whatCanNeverFitComesBeforeTooManyHoldsWhichComeBeforeTheExhaustedQuota() {
    String limits = limit("all", "tokens", 100, FOREVER);
    String subject = subjectOn(planWith("'hold':{'max_holds':1},", limits));
    held(subject, 100);
    assertProblem(422, "exceeds-capacity", reserve(subject, 101));
    Response full = reserve(subject, 1);
    assertProblem(429, "too-many-holds", full);
    assertEquals(2, full.jsonPath().getList("violations").size(), full::asString);
    assertProblem(429, "quota-exhausted", charge(subject, 1));
  }
}
