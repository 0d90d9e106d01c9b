package dev.tidegate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Calls of pages of other origins, where that is switched on. */
@QuarkusTest
@TestProfile(CorsTest.Dashboard.class)
class CorsTest extends HttpSuite {

  private static final String ORIGIN = "https://dashboard.test";

  /** Lets one origin in. */
  public static final class Dashboard implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of("quarkus.http.cors.enabled", "true", "quarkus.http.cors.origins", ORIGIN);
    }
  }

  private static Response preflight(String origin) {
    return given()
        .header("Origin", origin)
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "authorization,content-type,idempotency-key")
        .options("/v1/quota/u-1/api/topup");
  }

  @Test
  void aPreflightNeedsNoKeyAndAllowsTheCall() {
    Response answer = preflight(ORIGIN);

    assertStatus(200, answer);
    assertEquals(ORIGIN, answer.header("Access-Control-Allow-Origin"));
    assertEquals("POST", answer.header("Access-Control-Allow-Methods"));
    assertEquals(
        Set.of("authorization", "content-type", "idempotency-key"),
        Set.of(answer.header("Access-Control-Allow-Headers").split(",", -1)));
  }

  @Test
  void anotherOriginIsNotLetIn() {
    Response answer = preflight("https://elsewhere.test");

    assertStatus(403, answer);
    assertNull(answer.header("Access-Control-Allow-Origin"));
  }

  @Test
  void aCallLetsThePageReadTheHeadersThatTellOfLimits() {
    String subject = subjectWith(10);
    Response answer =
        as(METER, tokens(1)).header("Origin", ORIGIN).post(quotaPath(subject) + "/charges");

    assertStatus(200, answer);
    assertEquals(ORIGIN, answer.header("Access-Control-Allow-Origin"));
    Set<String> exposed = new TreeSet<>();
    for (String name : answer.header("Access-Control-Expose-Headers").split(",", -1)) {
      exposed.add(name.strip());
    }
    assertEquals(
        new TreeSet<>(
            Arrays.asList(
                "ETag",
                "Location",
                "RateLimit",
                "RateLimit-Policy",
                "Retry-After",
                "X-Request-Id")),
        exposed);
  }

  @Test
  void aRefusalCanBeReadByThePage() {
    Response answer = as(null).header("Origin", ORIGIN).get("/v1/quota/u-1/api");

    assertProblem(401, "unauthenticated", answer);
    assertEquals(ORIGIN, answer.header("Access-Control-Allow-Origin"));
  }
}
