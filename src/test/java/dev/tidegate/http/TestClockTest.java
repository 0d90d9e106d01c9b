package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The test clock itself. */
@QuarkusTest
class TestClockTest extends ClockSuite {

  private static final String NOON = "2027-03-01T12:00:00Z";

  private static String now(String subject) {
    return read(subject).jsonPath().getString("now");
  }

  @Test
  void itStandsWhereItWasSet() {
    String subject = subjectWith(100);
    assertEquals(NOON, clock(NOON).jsonPath().getString("now"));
    assertEquals(NOON, now(subject));
    assertEquals(NOON, now(subject));
    String id = held(subject, 1);
    assertEquals(NOON, find(subject, id).jsonPath().getString("taken_at"));
  }

  @Test
  void itMovesForwardOnlyWhileAnythingIsMetered() {
    set(NOON);
    String subject = subjectWith(100);
    charge(subject, 1);
    assertProblem(409, "has-state", clock("2027-03-01T11:59:59.999Z"));
    assertProblem(409, "has-state", as(ADMIN).delete("/v1/test-clock"));
    assertEquals(NOON, now(subject));
    set(NOON);
    set("2027-03-01T12:00:00.001Z");
    assertEquals("2027-03-01T12:00:00.001Z", now(subject));
  }

  @Test
  void aDenialMetersNothing() {
    set(NOON);
    String subject = subjectWith(0);
    assertProblem(422, "exceeds-capacity", reserve(subject, 1));
    set("2027-03-01T11:00:00Z");
  }

  @Test
  void withNothingMeteredItMovesBackAndOff() {
    set(NOON);
    String subject = subjectWith(100);
    set("2001-02-03T04:05:06.007Z");
    assertEquals("2001-02-03T04:05:06.007Z", now(subject));
    assertStatus(204, as(ADMIN).delete("/v1/test-clock"));
    assertStatus(204, as(ADMIN).delete("/v1/test-clock"));
  }

  @Test
  void itCrossesTheEndOfAMonthInNoTime() {
    set("2028-02-29T23:59:59.999Z");
    String monthly = "{'type':'calendar','unit':'month','zone':'UTC'}";
    String subject = subjectOn(plan(limit("all", "tokens", 10, monthly)));
    charge(subject, 10);
    Response denied = charge(subject, 1);
    assertEquals(1, denied.jsonPath().getLong("retry_after_ms"));
    set("2028-03-01T00:00:00Z");
    assertStatus(200, charge(subject, 10));
  }

  @Test
  void itReachesBackTo1970AndOnTo9990() {
    set("1970-01-02T00:00:00Z");
    set("9990-01-01T00:00:00Z");
    String subject = dailySubject(100);
    assertStatus(200, charge(subject, 1));
    assertEquals(
        "9990-01-02T00:00:00Z", readLimit(subject, "all").jsonPath().getString("reset_at"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                   | $.now
          {'now':null}                         | $.now
          {'now':1798761600}                   | $.now
          {'now':'noon'}                       | $.now
          {'now':'2027-02-29T00:00:00Z'}       | $.now
          {'now':'2027-03-01T12:00:00+01:00'}  | $.now
          {'now':'2027-03-01T12:00:00.0001Z'}  | $.now
          {'now':'1970-01-01T23:59:59.999Z'}   | $.now
          {'now':'9990-01-01T00:00:00.001Z'}   | $.now
          {'now':'2027-03-01T12:00:00Z','x':1} | $.x
          """)
  void whatIsNoInstantInItsRangeIsInvalid(String body, String path) {
    Response refused = send(ADMIN, "PUT", "/v1/test-clock", body);
    assertProblem(400, "invalid-request", refused);
    assertEquals(path, refused.jsonPath().getString("violations[0].path"));
  }
}
