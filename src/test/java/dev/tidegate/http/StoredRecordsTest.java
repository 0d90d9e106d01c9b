package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the service makes of records that are not as it writes them. */
@QuarkusTest
class StoredRecordsTest extends HttpSuite {

  @ParameterizedTest
  @ValueSource(strings = {"", "NaN", "0 0 0 1 nil 0 0 0 0 100 x", "1e400"})
  @DisplayName("H12 What cannot be read is a failure, never a grant")
  void h12(String record) {
    String subject = subjectWith(100);
    charge(subject, 99);
    try (TestRedis redis = TestRedis.open()) {
      String state = stateKey(redis, subject);
      String intact = "" + redis.send("HGET", state, "L:all");
      redis.send("HSET", state, "L:all", record);
      for (Response failed :
          new Response[] {reserve(subject, 1), charge(subject, 1), read(subject)}) {
        assertProblem(500, "internal-error", failed);
      }
      redis.send("HSET", state, "L:all", intact);
    }
    assertEquals("99/0", usedAndHeld(subject));
  }

  private static String stateKey(TestRedis redis, String subject) {
    return redis.keys().stream()
        .filter(key -> key.contains(":state:") && key.contains(subject))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aPlanThatComesFromAFileIsNeitherReplacedNorDeletedOverHttp() {
    String name = fresh("file");
    String document = json(plan(limit("all", "tokens", 100, FOREVER)));
    try (TestRedis redis = TestRedis.open()) {
      String plans = "tidegate:1:plans";
      redis.send("HSET", plans, "p:" + name, "1 file " + document);
      redis.send("HINCRBY", plans, "g", "1");
      assertStatus(200, as(ADMIN).get("/v1/plans/" + name));
      assertProblem(409, "plan-managed-by-file", send(ADMIN, "PUT", "/v1/plans/" + name, document));
      assertProblem(409, "plan-managed-by-file", as(ADMIN).delete("/v1/plans/" + name));
      redis.send("HDEL", plans, "p:" + name);
      redis.send("HINCRBY", plans, "g", "1");
    }
    assertProblem(404, "plan-not-found", as(ADMIN).get("/v1/plans/" + name));
  }

  @Test
  void theSchemasOfDocumentsAreShownToAnyone() {
    for (String name : new String[] {"plan", "plans-file", "subject"}) {
      Response schema = as(null).get("/v1/schemas/" + name + ".schema.json");
      assertStatus(200, schema);
      assertEquals(
          "https://json-schema.org/draft/2020-12/schema", schema.jsonPath().getString("'$schema'"));
    }
    assertProblem(404, "not-found", as(null).get("/v1/schemas/other.json"));
  }
}
