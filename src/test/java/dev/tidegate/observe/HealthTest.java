package dev.tidegate.observe;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.EmbeddedRedis;
import dev.tidegate.dev.OwnRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the health of the service and that of its Redis say, of each other and apart. */
@QuarkusTest
@TestProfile(OwnRedis.class)
public class HealthTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static Response health(String what) {
    return given().get("/q/health/" + what);
  }

  private static JsonPath await(int status, String what) {
    return await(status, what, "status");
  }

  /** Waits for an answer of that status that tells of it: one may come before Redis is found. */
  private static JsonPath await(int status, String what, String told) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Response last = health(what);
    while ((last.statusCode() != status || last.jsonPath().get(told) == null)
        && System.nanoTime() < end) {
      last = health(what);
    }
    assertEquals(status, last.statusCode(), last::asString);
    assertNotNull(last.jsonPath().get(told), last::asString);
    return last.jsonPath();
  }

  private static List<String> checks(String what) {
    return health(what).jsonPath().getList("checks.name");
  }

  @Test
  void redisIsAGroupOfItsOwnThatTakesNoPodOut() {
    assertEquals(200, health("live").statusCode());
    assertEquals(200, health("started").statusCode());
    assertEquals(List.of("service"), checks("started"));
    assertNotNull(await(503, "group/redis").getString("checks[0].data.failure"));
    EmbeddedRedis redis = OwnRedis.start();
    try {
      JsonPath well = await(200, "group/redis");
      assertEquals("redis", well.getString("checks[0].name"));
      assertEquals("they run", well.getString("checks[0].data.scripts"));
      assertEquals("maxmemory-policy is noeviction", well.getString("checks[0].data.eviction"));
      assertEquals("Redis keeps an append-only file", well.getString("checks[0].data.persistence"));
      assertEquals("Redis takes writes", well.getString("checks[0].data.writes"));
      await(200, "ready");
      redis.ask("CONFIG", "SET", "maxmemory", "100kb");
      String writes = await(503, "group/redis").getString("checks[0].data.writes");
      assertTrue(writes.contains("takes no writes"), writes);
      assertEquals(1, concerns());
      redis.ask("CONFIG", "SET", "maxmemory", "0");
      await(200, "group/redis");
      redis.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      String told = "checks[0].data.eviction";
      String eviction = await(503, "group/redis", told).getString(told);
      assertTrue(eviction.contains("set it to noeviction"), eviction);
      assertEquals(1, concerns());
      redis.ask("CONFIG", "SET", "maxmemory-policy", "noeviction");
      await(200, "group/redis");
      redis.ask("CONFIG", "SET", "appendonly", "no");
      told = "checks[0].data.persistence";
      String persistence = await(503, "group/redis", told).getString(told);
      assertTrue(persistence.contains("set appendonly to yes"), persistence);
      redis.kill();
      await(503, "group/redis");
      assertEquals(200, health("ready").statusCode());
      assertEquals(200, health("live").statusCode());
      assertEquals(200, health("started").statusCode());
      assertTrue(checks("ready").contains("plans"));
      assertFalse(checks("ready").contains("redis"));
    } finally {
      redis.close();
    }
  }

  private static double concerns() {
    return given()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith("tidegate_redis_concerns"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
