package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidegate.dev.EmbeddedRedis;
import dev.tidegate.dev.RespConnection;
import dev.tidegate.dev.ServiceProcess;
import dev.tidegate.dev.TestCredentials;
import dev.tidegate.dev.TestIssuer;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console of what was packaged, in production, when its log is to be in lines of JSON. */
class JsonLogsIT {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private static final String PASSWORD = "log/no@password-4217";
  private static final String UNKNOWN_KEY = "k3y-that-nobody-knows-0815";
  private static final String SUBJECT = "logged";

  /** What docs/operations.md says that each line has. */
  private static final List<String> FIELDS =
      List.of("timestamp", "level", "loggerName", "message", "threadName", "mdc");

  /** Who gets to see keys, tokens and passwords; they are to say all that they can. */
  private static final List<String> LOUD =
      List.of(
          "dev.tidegate",
          "io.smallrye.jwt",
          "io.vertx.redis",
          "io.quarkus.redis",
          "io.quarkus.security",
          "io.quarkus.vertx.http.runtime.security");

  /** 128 and the number of SIGTERM: it ended because it was asked to. */
  private static final int ENDED_BY_SIGTERM = 143;

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();
  private final String admin = TestIssuer.shared().token("anna", "admin").text();

  @AfterEach
  void close() {
    client.close();
  }

  private Path console() {
    return folder.resolve("console.log");
  }

  private ServiceProcess startService(int redisPort) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>();
    options.add("-Dquarkus.log.console.json.enabled=true");
    options.add("-Dquarkus.shutdown.delay=0s");
    options.add("-Dtidegate.redis.deadline-millis=5000");
    LOUD.forEach(name -> options.add("-Dquarkus.log.category.\"%s\".level=DEBUG".formatted(name)));
    new TestCredentials().start().forEach((name, value) -> options.add("-D" + name + "=" + value));
    String password = URLEncoder.encode(PASSWORD, StandardCharsets.UTF_8);
    String redis = "redis://:%s@127.0.0.1:%d".formatted(password, redisPort);
    return ServiceProcess.launch(ServiceProcess.packaged(), redis, console(), options).awaitReady();
  }

  private int send(ServiceProcess service, String id, String key, String method, String... call)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(service.at(call[0]))
            .header("Authorization", "Bearer " + key)
            .header(RequestIds.HEADER, id)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(HttpSuite.json(call[1])))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  private int charge(ServiceProcess service, String id, String key)
      throws IOException, InterruptedException {
    String path = HttpSuite.quotaPath(SUBJECT) + "/charges";
    return send(service, id, key, "POST", path, HttpSuite.tokens(1));
  }

  private void configure(ServiceProcess service) throws IOException, InterruptedException {
    String plan = HttpSuite.plan(HttpSuite.limit("all", "tokens", 100, HttpSuite.FOREVER));
    assertEquals(200, send(service, "put-plan", admin, "PUT", "/v1/plans/logged", plan));
    String subject = HttpSuite.subjectPath(SUBJECT);
    assertEquals(200, send(service, "put", admin, "PUT", subject, "{'plan':'logged'}"));
  }

  /** Breaks what is stored, so that a script fails. */
  private static void breakState(int redisPort) {
    String key = "tidegate:1:{%s}:state:%s:0:api".formatted(SUBJECT, SUBJECT);
    try (RespConnection redis = RespConnection.open("127.0.0.1", redisPort)) {
      redis.send("AUTH", PASSWORD);
      redis.send("HSET", key, "L:all", "nonsense");
    }
  }

  /** Calls of all kinds until Redis is gone, between the first line of the service and its last. */
  private void letItWork() throws IOException, InterruptedException {
    Path data = folder.resolve("redis");
    try (EmbeddedRedis redis = EmbeddedRedis.start(0, data, "--requirepass", PASSWORD);
        ServiceProcess service = startService(redis.port())) {
      configure(service);
      assertEquals(200, charge(service, "log-token", admin));
      assertEquals(401, charge(service, "log-forged", admin + "x"));
      assertEquals(401, charge(service, "log-unknown", UNKNOWN_KEY));
      assertEquals(403, charge(service, "log-key", TestCredentials.BOUND_METER));
      breakState(redis.port());
      assertEquals(500, charge(service, "log-broken", admin));
      redis.kill();
      assertEquals(503, charge(service, "log-gone", admin));
      service.terminate();
      assertEquals(ENDED_BY_SIGTERM, service.awaitEnd());
    }
  }

  private static JsonNode document(String line) {
    try {
      JsonNode document = JSON.readTree(line);
      assertTrue(document.isObject(), line);
      return document;
    } catch (JsonProcessingException notJson) {
      throw new AssertionError(line, notJson);
    }
  }

  /** The lines of one request at one level. */
  private static List<JsonNode> of(String request, String level, List<JsonNode> documents) {
    return documents.stream()
        .filter(each -> each.at("/mdc/request_id").asText().equals(request))
        .filter(each -> each.path("level").asText().equals(level))
        .toList();
  }

  private static List<String> secrets(String token) {
    List<String> secrets =
        new ArrayList<>(
            List.of(
                UNKNOWN_KEY,
                TestCredentials.BOUND_METER,
                TestCredentials.sha256(TestCredentials.BOUND_METER),
                PASSWORD,
                URLEncoder.encode(PASSWORD, StandardCharsets.UTF_8)));
    // What a token says and its signature; its header is that of many others.
    secrets.addAll(List.of(token.split("\\.", -1)).subList(1, 3));
    return secrets;
  }

  @Test
  void everyLineIsADocumentThatNamesItsRequestAndNoSecret() throws Exception {
    letItWork();
    List<String> lines = Files.readAllLines(console());
    List<JsonNode> documents = lines.stream().map(JsonLogsIT::document).toList();
    for (JsonNode each : documents) {
      FIELDS.forEach(name -> assertTrue(each.has(name), () -> name + " is not in " + each));
    }
    List<JsonNode> broken = of("log-broken", "ERROR", documents);
    assertEquals(1, broken.size(), lines::toString);
    assertTrue(broken.getFirst().path("exception").isObject(), broken::toString);
    for (String refused : List.of("log-forged", "log-key", "log-gone")) {
      assertFalse(of(refused, "DEBUG", documents).isEmpty(), () -> refused + " in " + lines);
    }
    String last = documents.getLast().path("message").asText();
    assertTrue(last.contains("stopped in"), last);
    for (String secret : secrets(admin)) {
      assertEquals(List.of(), lines.stream().filter(line -> line.contains(secret)).toList());
    }
  }
}
