package dev.tidegate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.EmbeddedRedis;
import dev.tidegate.dev.OwnRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A service whose Redis comes late, goes away and comes back. */
@QuarkusTest
@TestProfile(OwnRedis.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StoreFailureTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ContractFilter CONTRACT = new ContractFilter();
  private static @Nullable EmbeddedRedis redis;

  @AfterAll
  static void end() {
    if (redis != null) {
      redis.close();
    }
  }

  private static void come() {
    redis = OwnRedis.start();
  }

  private static void go() {
    assertNotNull(redis);
    redis.kill();
  }

  private static Response send(String key, String method, String path, String body) {
    return given()
        .filter(CONTRACT)
        .auth()
        .oauth2(key)
        .contentType(ContentType.JSON)
        .body(HttpSuite.json(body))
        .request(method, path);
  }

  private static Response reserve(String subject, String more) {
    String body = "{'amounts':{'tokens':10}%s}".formatted(more);
    return send("demo-meter", "POST", HttpSuite.quotaPath(subject) + "/reservations", body);
  }

  private static Response charge(String subject) {
    String path = HttpSuite.quotaPath(subject) + "/charges";
    return send("demo-meter", "POST", path, "{'amounts':{'tokens':10}}");
  }

  /** A charge that counts once, however often it is sent. */
  private static Response onceCharged(String subject) {
    return given()
        .filter(CONTRACT)
        .auth()
        .oauth2("demo-meter")
        .header("Idempotency-Key", "once")
        .contentType(ContentType.JSON)
        .body("{\"amounts\":{\"tokens\":10}}")
        .post(HttpSuite.quotaPath(subject) + "/charges");
  }

  private static Response settle(String subject, String id) {
    String path = HttpSuite.quotaPath(subject) + "/reservations/" + id + "/settle";
    return send("demo-meter", "POST", path, "{'amounts':{'tokens':7}}");
  }

  private static Response read(String subject) {
    String path = HttpSuite.quotaPath(subject);
    return given().filter(CONTRACT).auth().oauth2("demo-meter").get(path);
  }

  private static int used(String subject) {
    return eventually(200, () -> read(subject)).path("limits[0].used");
  }

  private static int health(String what) {
    return given().get("/q/health/" + what).statusCode();
  }

  private static Response eventually(int status, Supplier<Response> call) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Response response = call.get();
    while (response.statusCode() != status && System.nanoTime() < end) {
      response = call.get();
    }
    assertEquals(status, response.statusCode(), response::asString);
    return response;
  }

  private static void assertUnavailable(Response response) {
    assertEquals(503, response.statusCode(), response::asString);
    assertEquals("store-unavailable", response.path("code"));
    assertEquals("1", response.header("Retry-After"));
  }

  private static void register(String subject, String document) {
    eventually(200, () -> send("demo-admin", "PUT", "/v1/subjects/" + subject, document));
  }

  @Test
  @Order(1)
  @DisplayName("the service starts without Redis, and takes over plans and calls when it comes")
  void comesLate() {
    assertEquals(200, health("live"));
    assertEquals(503, health("ready"));
    assertUnavailable(reserve("early", ""));
    come();
    eventually(200, () -> given().get("/q/health/ready"));
    eventually(201, () -> reserve("early", ""));
  }

  @Test
  @Order(2)
  @DisplayName("H11, H13: without Redis a service that is ready answers 503, and goes on with it")
  void goesAndComes() {
    String id = eventually(201, () -> reserve("ann", "")).path("id");
    go();
    assertUnavailable(reserve("ann", ""));
    assertUnavailable(charge("ann"));
    assertUnavailable(read("ann"));
    assertUnavailable(settle("ann", id));
    assertUnavailable(send("demo-admin", "PUT", "/v1/subjects/ann", "{'plan':'strict'}"));
    assertEquals(200, health("ready"));
    double before = plansRead();
    come();
    eventually(200, () -> settle("ann", id));
    assertEquals(7, used("ann"));
    awaitPlansReadSince(before);
  }

  @Test
  @Order(3)
  @DisplayName("Law 26: where every limit allows it, calls are let through, and nothing is counted")
  void letsThrough() {
    register("open", "{'plan':'open'}");
    register("open-member", "{'plan':'open','parent':'open'}");
    register("guarded", "{'plan':'strict'}");
    register("guarded-member", "{'plan':'open','parent':'guarded'}");
    register("stopped", "{'plan':'open','disabled':true}");
    String id = eventually(201, () -> reserve("open", "")).path("id");
    for (String subject : new String[] {"open-member", "guarded-member", "stopped", "stranger"}) {
      eventually(200, () -> read(subject));
    }
    double before = admissions();
    go();

    Response admitted = eventually(200, () -> reserve("open", ""));
    assertEquals(
        Map.of("degraded", true, "amounts", Map.of("tokens", 10)), admitted.jsonPath().getMap("$"));
    assertNull(admitted.header("Location"));
    assertEquals(200, reserve("open-member", "").statusCode());
    Response charged = charge("open");
    assertEquals(200, charged.statusCode());
    assertTrue(charged.<Boolean>path("degraded"));
    assertEquals(3, admissions() - before);

    assertUnavailable(reserve("guarded-member", ""));
    assertUnavailable(reserve("stranger", ""));
    assertUnavailable(reserve("never-seen", ""));
    assertUnavailable(reserve("open", ",'dry_run':true"));
    assertUnavailable(read("open"));
    assertUnavailable(settle("open", id));
    assertEquals("resource-disabled", reserve("stopped", "").path("code"));
    String other = HttpSuite.quotaPath("open") + "/charges";
    Response invalid = send("demo-meter", "POST", other, "{'amounts':{'cents':1}}");
    assertEquals(400, invalid.statusCode());
    assertEquals(3, admissions() - before);

    come();
    eventually(200, () -> settle("open", id));
    assertEquals(7, used("open"));
    long end = System.nanoTime() + PATIENCE.toNanos();
    Response real = onceCharged("open");
    while (real.asString().contains("degraded") && System.nanoTime() < end) {
      real = onceCharged("open");
    }
    assertEquals(200, real.statusCode(), real::asString);
    assertFalse(real.asString().contains("degraded"));
    assertEquals(17, used("open"));
  }

  /** How often plans were read anew, as they are when changes are followed again. */
  private static double plansRead() {
    return Scrape.now().sum("tidegate_plans_refreshes_total", "outcome", "changed");
  }

  /** Which subjects there are is then asked anew; without Redis there would be no answer. */
  private static void awaitPlansReadSince(double before) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (plansRead() == before && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertTrue(plansRead() > before);
  }

  private static double admissions() {
    return Scrape.now().sum("tidegate_degraded_admissions_total");
  }
}
