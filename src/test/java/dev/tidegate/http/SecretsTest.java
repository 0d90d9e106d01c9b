package dev.tidegate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidegate.config.TidegateSettings;
import dev.tidegate.dev.EmbeddedRedis;
import dev.tidegate.dev.OwnRedis;
import dev.tidegate.dev.RespConnection;
import dev.tidegate.dev.TestCredentials;
import dev.tidegate.dev.TestIssuer;
import dev.tidegate.dev.TracedLogs;
import dev.tidegate.security.Rotation;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whoever calls, with whatever, and whatever fails, and however much is logged: nothing that lets
 * anybody in stands in the log, and what does stand there names its request.
 */
@QuarkusTest
@TestProfile(TracedLogs.class)
class SecretsTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String UNKNOWN_KEY = "k3y-that-nobody-knows-4711";
  private static final String PLAIN_KEY = "MyPlainTextKey-1234567890123";
  private static final String PRIVATE_CLAIM = "anna.private@example.com";
  private static final String NO_TOKEN = "bm90LmEudG9rZW4x.bm90LmEudG9rZW4y.bm90LmEudG9rZW4z";
  private static final String BASIC =
      Base64.getEncoder().encodeToString("anna:geheim-0815".getBytes(StandardCharsets.UTF_8));

  private static final List<String> LOUD =
      List.of(
          "dev.tidegate",
          "io.smallrye.jwt",
          "io.vertx.redis",
          "io.quarkus.redis",
          "io.quarkus.security",
          "io.quarkus.vertx.http.runtime.security");

  @Inject Rotation rotation;

  @Inject TidegateSettings settings;

  private final TestIssuer issuer = TestIssuer.shared();
  private final String admin = issuer.token("anna", "admin").text();
  private final String subject = HttpSuite.fresh("s");

  private final Handler text = new Text();

  /** Keeps lines as the log has them by default. */
  private static final class Text extends Handler {

    private static final PatternFormatter LINES =
        new PatternFormatter("%-5p [%c] [%X{request_id}] %s%e%n");

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    @Override
    public void publish(LogRecord record) {
      lines.add(LINES.format(record));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public String toString() {
      return String.join("", lines);
    }
  }

  /** Makes all log what they can who get to see a secret. */
  @BeforeEach
  void traceAll() {
    Logger.getLogger("").addHandler(text);
    LOUD.forEach(name -> Logger.getLogger(name).setLevel(Level.ALL));
  }

  @AfterEach
  void traceNoMore() {
    LOUD.forEach(name -> Logger.getLogger(name).setLevel(null));
    Logger.getLogger("").removeHandler(text);
  }

  private List<String> tokens() {
    TestIssuer.Token good = issuer.token("anna", "meter").with("email", PRIVATE_CLAIM);
    long past = System.currentTimeMillis() / 1000 - 1000;
    return List.of(
        good.text(),
        admin,
        good.with("exp", past).text(),
        good.with("iss", "https://other.test").text(),
        good.with("aud", "other").text(),
        good.with("groups", 7).text(),
        good.with("tidegate_subject", 7).text(),
        good.with("sub", null).text(),
        good.with("exp", "soon").text(),
        TestIssuer.create().token("anna", "admin").with("email", PRIVATE_CLAIM).text(),
        good.signed("none", null, null).text(),
        issuer.withEc(good).text(),
        NO_TOKEN);
  }

  /** Files of keys with a key in plain text where something else belongs. */
  private static final List<String> KEYS_FILES =
      List.of(
          PLAIN_KEY,
          "keys: {gateway: %s}".formatted(PLAIN_KEY),
          "keys: {%s: {roles: [meter]}}".formatted(PLAIN_KEY),
          "keys: {gateway: {%s: x}}".formatted(PLAIN_KEY),
          "keys: {gateway: {sha256: %s, roles: [meter]}}".formatted(PLAIN_KEY),
          "keys: {gateway: %s: x}".formatted(PLAIN_KEY));

  private void refuseKeysFiles() throws IOException {
    Path keysFile = Path.of(settings.apiKeysFile().orElseThrow());
    String good = Files.readString(keysFile);
    try {
      for (String file : KEYS_FILES) {
        Files.writeString(keysFile, file);
        rotation.refresh();
        assertEquals(1, Scrape.now().sum("tidegate_keys_file_refused", "file", "api_keys"), file);
      }
    } finally {
      Files.writeString(keysFile, good);
    }
    rotation.refresh();
    assertEquals(0, Scrape.now().sum("tidegate_keys_file_refused"));
  }

  private static Response call(String id, String authorization, String method, String path) {
    return given()
        .header("Authorization", authorization)
        .header("X-Request-Id", id)
        .contentType("application/json")
        .body("{\"amounts\":{\"tokens\":1}}")
        .request(method, path);
  }

  private Response charge(String id, String authorization) {
    return call(id, authorization, "POST", HttpSuite.quotaPath(subject) + "/charges");
  }

  private static Response eventually(int status, Supplier<Response> call) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Response last = call.get();
    while (last.statusCode() != status && System.nanoTime() < end) {
      last = call.get();
    }
    assertEquals(status, last.statusCode(), last::asString);
    return last;
  }

  private void configure() {
    String plan = HttpSuite.plan(HttpSuite.limit("all", "tokens", 100, HttpSuite.FOREVER));
    for (String[] put :
        new String[][] {
          {"/v1/plans/logged", plan}, {"/v1/subjects/" + subject, "{'plan':'logged'}"}
        }) {
      eventually(
          200,
          () ->
              given()
                  .header("Authorization", "Bearer " + admin)
                  .contentType("application/json")
                  .body(HttpSuite.json(put[1]))
                  .put(put[0]));
    }
  }

  /** Breaks what is stored, so that a script fails. */
  private void breakState() {
    String key = "tidegate:1:{%s}:state:%s:0:api".formatted(subject, subject);
    try (RespConnection redis = RespConnection.open("127.0.0.1", OwnRedis.port())) {
      redis.send("AUTH", TracedLogs.PASSWORD);
      redis.send("HSET", key, "L:all", "nonsense");
    }
  }

  /** Sets another password than the service knows, and ends its connections. */
  private static void changePassword() {
    try (RespConnection redis = RespConnection.open("127.0.0.1", OwnRedis.port())) {
      redis.send("AUTH", TracedLogs.PASSWORD);
      redis.send("CONFIG", "SET", "requirepass", "another");
      redis.send("CLIENT", "KILL", "TYPE", "normal");
      redis.send("CLIENT", "KILL", "TYPE", "pubsub");
    }
  }

  private List<String> secrets() {
    List<String> secrets =
        new ArrayList<>(
            List.of(
                UNKNOWN_KEY,
                PLAIN_KEY,
                PRIVATE_CLAIM,
                BASIC,
                TestCredentials.BOUND_METER,
                TestCredentials.FREE_VIEWER,
                TestCredentials.sha256(TestCredentials.BOUND_METER),
                TracedLogs.PASSWORD,
                URLEncoder.encode(TracedLogs.PASSWORD, StandardCharsets.UTF_8)));
    return secrets;
  }

  @Test
  void noSecretIsLogged() throws IOException {
    List<String> secrets = secrets();
    charge("log-away", "Bearer " + TestCredentials.BOUND_METER);
    try (EmbeddedRedis redis = TracedLogs.startRedis()) {
      assertTrue(redis.isAlive());
      configure();
      assertEquals(200, charge("log-good", "Bearer " + admin).statusCode());
      for (String key :
          new String[] {UNKNOWN_KEY, TestCredentials.BOUND_METER, TestCredentials.FREE_VIEWER}) {
        charge("log-key", "Bearer " + key);
        charge("log-key", "bearer   " + key);
        charge("log-key", key);
        call("log-key", "Bearer " + key, "GET", "/v1/nothing?key=" + key);
      }
      charge("log-basic", "Basic " + BASIC);
      for (String token : tokens()) {
        secrets.add(token);
        secrets.addAll(List.of(token.split("\\.", -1)).subList(1, 3));
        charge("log-token", "Bearer " + token);
        charge("log-token", "Bearer " + token + "x");
      }
      refuseKeysFiles();
      breakState();
      assertEquals(500, charge("log-broken", "Bearer " + admin).statusCode());
      changePassword();
      eventually(503, () -> charge("log-refused", "Bearer " + admin));
      given().get("/q/health/group/redis");
    }
    eventually(503, () -> charge("log-gone", "Bearer " + admin));
    given().get("/q/health/group/redis");

    String json = Files.readString(TracedLogs.FILE);
    String logged = text.toString() + json;
    for (String secret : secrets) {
      if (!secret.isEmpty()) {
        List<String> leaks = logged.lines().filter(line -> line.contains(secret)).toList();
        assertEquals(List.of(), leaks, secret);
      }
    }
    for (String request : List.of("log-broken", "log-refused", "log-gone", "log-token")) {
      assertTrue(text.toString().contains("[" + request + "] "), request);
    }
    List<String> requests = json.lines().map(SecretsTest::requestOf).distinct().toList();
    assertTrue(requests.contains("log-broken"), requests::toString);
    assertTrue(requests.contains("log-token"), requests::toString);
  }

  /** The platform reads it at the start, and prints the cause of a start that fails. */
  @Test
  void anAddressOfRedisThatIsNoneIsRefusedWithoutItsPassword() {
    String option = "quarkus.redis.hosts[0]";
    System.setProperty(option, "redis://user:" + UNKNOWN_KEY + "%zz@host");
    try {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> ConfigProvider.getConfig().getOptionalValue(option, URI.class));
      assertTrue(refused.toString().contains(option), refused::toString);
      assertFalse(refused.toString().contains(UNKNOWN_KEY), refused::toString);
      assertNull(refused.getCause());
    } finally {
      System.clearProperty(option);
    }
  }

  /** The id of the request that a line of JSON is of; empty where it is of none. */
  private static String requestOf(String line) {
    try {
      return JSON.readTree(line).at("/mdc/request_id").asText();
    } catch (JsonProcessingException notJson) {
      throw new IllegalStateException(line, notJson);
    }
  }
}
