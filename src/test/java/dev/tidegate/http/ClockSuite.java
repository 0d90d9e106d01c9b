package dev.tidegate.http;

import io.restassured.response.Response;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Tests that set the clock. It is that of the whole service, so each starts with nothing metered
 * and leaves the clock off.
 */
abstract class ClockSuite extends HttpSuite {

  static final String DAILY = "{'type':'calendar','unit':'day'}";

  @BeforeEach
  @AfterEach
  void nothingIsMeteredAndTheClockIsOff() {
    try (TestRedis redis = TestRedis.open()) {
      redis.forgetAllButPlans();
    }
    assertStatus(204, as(ADMIN).delete("/v1/test-clock"));
  }

  static Response clock(String instant) {
    return send(ADMIN, "PUT", "/v1/test-clock", "{'now':'%s'}".formatted(instant));
  }

  static void set(String instant) {
    assertStatus(200, clock(instant));
  }

  static void set(Instant instant) {
    set(instant.toString());
  }

  /** A new subject that may take so many tokens a day, in UTC. */
  static String dailySubject(long tokens) {
    return subjectOn(plan(limit("all", "tokens", tokens, DAILY)));
  }

  static Response periods(String subject, String query) {
    return send(METER, "GET", quotaPath(subject) + "/periods" + query, "");
  }

  static Response periods(String subject) {
    return periods(subject, "");
  }
}
