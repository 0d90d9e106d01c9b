package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Grants that wait for a replica where there is none. */
@QuarkusTest
@TestProfile(UnconfirmedGrantTest.WithoutReplica.class)
class UnconfirmedGrantTest extends HttpSuite {

  /** One is waited for. */
  public static final class WithoutReplica implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "tidegate.redis.grants-wait-replicas", "1", "tidegate.redis.grants-wait-millis", "200");
    }
  }

  private static Response buy(String subject, String key) {
    return as(OPERATOR, "{'mode':'purchase','amounts':{'all':50}}")
        .header("Idempotency-Key", key)
        .post("/v1/quota/" + subject + "/" + RESOURCE + "/topup");
  }

  @Test
  @DisplayName(
      "It is 503 not-confirmed, counts once however often it is repeated, and leaves one event")
  void notConfirmed() {
    String subject = subjectOn(plan(limit("all", "tokens", 100, FOREVER, "")));
    for (int n = 0; n < 3; n++) {
      Response told = buy(subject, "order-1");
      assertEquals(503, told.statusCode(), told::asString);
      assertEquals("not-confirmed", told.jsonPath().getString("code"));
      assertEquals("1", told.header("Retry-After"));
      assertTrue(told.jsonPath().getString("detail").contains("counts"), told::asString);
    }
    assertEquals(50, readLimit(subject, "all").jsonPath().getLong("topup"));
    Response trail = as(OPERATOR).get("/v1/quota/" + subject + "/" + RESOURCE + "/audit");
    assertEquals(1, trail.jsonPath().getList("events").size(), trail::asString);
  }

  @Test
  @DisplayName("What is no grant waits for nobody")
  void meteringGoesOn() {
    String subject = subjectOn(plan(limit("all", "tokens", 100, FOREVER, "")));
    assertEquals(200, charge(subject, 10).statusCode());
  }
}
