package dev.tidegate.observe;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.dev.EmbeddedRedis;
import dev.tidegate.dev.OwnRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A service that is to be ready only while Redis answers. */
@QuarkusTest
@TestProfile(OwnRedis.WithReadiness.class)
public class ReadinessTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static void awaitReadiness(int status) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    int last;
    do {
      last = given().get("/q/health/ready").statusCode();
    } while (last != status && System.nanoTime() < end);
    assertEquals(status, last);
  }

  @Test
  @DisplayName("H13: readiness goes red with Redis, and green again with it")
  void followsRedis() {
    awaitReadiness(503);
    EmbeddedRedis redis = OwnRedis.start();
    try {
      awaitReadiness(200);
      redis.kill();
      awaitReadiness(503);
      assertEquals(200, given().get("/q/health/live").statusCode());
      redis = OwnRedis.start();
      awaitReadiness(200);
    } finally {
      redis.close();
    }
  }
}
