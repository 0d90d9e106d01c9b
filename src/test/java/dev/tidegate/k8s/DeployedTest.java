package dev.tidegate.k8s;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.dev.RedisCluster;
import dev.tidegate.dev.RespConnection;
import dev.tidegate.k8s.Manifests.Manifest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.http.ContentType;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The service works with what the manifests give it. */
@QuarkusTest
@TestProfile(Deployed.class)
public class DeployedTest {

  /** Where its Redis listens. */
  int redisPort;

  /** As Kubernetes waits before it sends anything. */
  @BeforeEach
  void isReady() {
    RedisCluster.await("it is ready", () -> get("/q/health/ready").statusCode() == 200);
  }

  @Test
  void everyPathThatIsProbedAnswers() {
    Set<String> paths = new TreeSet<>();
    for (Manifest service : Manifests.services()) {
      for (JsonNode probe : Manifests.container(service).findValues("httpGet")) {
        paths.add(probe.path("path").asText());
      }
    }
    assertEquals(Set.of("/q/health/live", "/q/health/ready", "/q/health/started"), paths);
    paths.forEach(path -> assertEquals(200, get(path).statusCode(), path));
  }

  @Test
  void theGatewayOfTheExampleReservesByThePlanOfTheConfigMap() {
    given()
        .header("Authorization", "Bearer " + Deployed.KEY)
        .contentType(ContentType.JSON)
        .body("{\"amounts\":{\"tokens\":800}}")
        .post("/v1/quota/user-123/claude/reservations")
        .then()
        .statusCode(201);
  }

  @Test
  void demoKeysAreOfNoUse() {
    given()
        .header("Authorization", "Bearer demo-admin")
        .get("/v1/plans/free")
        .then()
        .statusCode(401);
  }

  @Test
  void redisEvictsNothingAndWritesAllDown() {
    try (RespConnection redis = RespConnection.open("127.0.0.1", redisPort)) {
      redis.send("AUTH", Deployed.password());
      String info = redis.text("INFO");
      assertTrue(info.contains("maxmemory_policy:noeviction"), info);
      assertTrue(info.contains("aof_enabled:1"), info);
      assertEquals("[appendfsync, always]", redis.text("CONFIG", "GET", "appendfsync"));
    }
  }

  @Test
  void nobodyReachesRedisWithoutThePassword() {
    try (RespConnection redis = RespConnection.open("127.0.0.1", redisPort)) {
      var refused = assertThrows(RespConnection.RedisError.class, () -> redis.send("PING"));
      assertTrue(refused.toString().contains("NOAUTH"), refused::toString);
    }
  }
}
