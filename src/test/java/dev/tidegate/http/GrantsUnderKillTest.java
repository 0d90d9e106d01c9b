package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidegate.dev.EmbeddedRedis;
import dev.tidegate.dev.ServiceProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand keyed top-ups, in the middle of which a process is killed; then all are sent again.
 * Each is granted exactly once and has exactly one event.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GrantsUnderKillTest {

  private static final int TOP_UPS = 1000;
  private static final int AT_A_TIME = 8;
  private static final int KILLED_AFTER = 300;
  private static final int TRIES = 200;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String[] KEEPS_ALL = {
    "--save", "", "--appendonly", "yes", "--appendfsync", "always"
  };

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static EmbeddedRedis redis;

  @SuppressWarnings("NullAway.Init")
  private static ServiceProcess first;

  @SuppressWarnings("NullAway.Init")
  private static ServiceProcess second;

  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    redis = EmbeddedRedis.start(0, folder.resolve("redis"), KEEPS_ALL);
    Path jar = ServiceProcess.packageInto(folder.resolve("service"));
    first = ServiceProcess.launch(jar, redis.url(), folder.resolve("first.log"));
    second = ServiceProcess.launch(jar, redis.url(), folder.resolve("second.log"));
    first.awaitReady();
    second.awaitReady();
  }

  @AfterAll
  static void stop() {
    first.close();
    second.close();
    redis.close();
  }

  @Test
  @Order(1)
  @DisplayName(
      "Law 20, D10: the service is killed amid 1,000 keyed top-ups, which another one retries")
  void serviceIsKilled() throws Exception {
    String subject = "killed-service";
    configure(subject);
    AtomicInteger done = new AtomicInteger();
    sendAll(
        subject,
        key -> {
          if (topUp(first, subject, key) == 200 && done.incrementAndGet() == KILLED_AFTER) {
            first.kill();
          }
        });
    assertTrue(done.get() >= KILLED_AFTER && done.get() < TOP_UPS, "before the kill: " + done);
    sendAll(subject, key -> assertEquals(200, retried(subject, key)));
    assertGrantedOnce(subject);
  }

  @Test
  @Order(2)
  @DisplayName("Law 20, D10: Redis is killed amid 1,000 keyed top-ups and started again")
  void redisIsKilled() throws Exception {
    String subject = "killed-redis";
    configure(subject);
    AtomicInteger done = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    sendAll(
        subject,
        key -> {
          if (topUp(second, subject, key) == 200) {
            if (done.incrementAndGet() == KILLED_AFTER) {
              redis.kill();
            }
          } else {
            failed.incrementAndGet();
          }
        });
    assertTrue(failed.get() > 0, "nothing failed");
    redis = EmbeddedRedis.start(redis.port(), folder.resolve("redis"), KEEPS_ALL);
    sendAll(subject, key -> assertEquals(200, retried(subject, key)));
    assertGrantedOnce(subject);
  }

  private interface Step {
    void run(String key) throws Exception;
  }

  private void sendAll(String subject, Step step) throws Exception {
    List<Future<?>> steps = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME)) {
      for (int n = 0; n < TOP_UPS; n++) {
        String key = subject + "-" + n;
        steps.add(
            threads.submit(
                () -> {
                  step.run(key);
                  return null;
                }));
      }
      for (Future<?> future : steps) {
        future.get();
      }
    }
  }

  private int retried(String subject, String key) throws Exception {
    int status = 0;
    for (int n = 0; n < TRIES && status != 200; n++) {
      status = topUp(second, subject, key);
      if (status != 200) {
        Thread.sleep(PAUSE);
      }
    }
    return status;
  }

  private int topUp(ServiceProcess service, String subject, String key)
      throws InterruptedException {
    HttpRequest request =
        to(service, "/v1/quota/" + subject + "/api/topup", "demo-operator")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString("{\"mode\":\"purchase\",\"amounts\":{\"all\":1}}"))
            .build();
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException killed) {
      return 0;
    }
  }

  private static HttpRequest.Builder to(ServiceProcess service, String path, String key) {
    return HttpRequest.newBuilder(service.at(path))
        .timeout(Duration.ofSeconds(20))
        .header("Authorization", "Bearer " + key)
        .header("Content-Type", "application/json");
  }

  private void configure(String subject) throws Exception {
    String plan =
        "{'resources':{'api':{'meters':['tokens'],'limits':[{'name':'all','kind':'period',"
            + "'meter':'tokens','limit':1,'schedule':{'type':'fixed','seconds':315576000,"
            + "'epoch':'2020-01-01T00:00:00Z'}}]}}}";
    put("/v1/plans/killed", plan);
    put("/v1/subjects/" + subject, "{'plan':'killed'}");
  }

  private void put(String path, String body) throws Exception {
    HttpRequest request =
        to(second, path, "demo-admin")
            .PUT(BodyPublishers.ofString(body.replace('\'', '"')))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), response::body);
  }

  private JsonNode get(String path) throws Exception {
    HttpRequest request = to(second, path, "demo-operator").GET().build();
    return JSON.readTree(client.send(request, BodyHandlers.ofString()).body());
  }

  private void assertGrantedOnce(String subject) throws Exception {
    String quota = "/v1/quota/" + subject + "/api";
    assertEquals(TOP_UPS, get(quota + "/limits/all").path("topup").asInt());
    Set<String> keys = new HashSet<>();
    int events = 0;
    String after = "";
    do {
      JsonNode page = get(quota + "/audit?count=200" + after);
      for (JsonNode event : page.path("events")) {
        keys.add(event.path("idempotency_key").asText());
        events++;
      }
      after = page.has("next") ? "&after=" + page.path("next").asText() : "";
    } while (!after.isEmpty());
    assertEquals(TOP_UPS, events);
    assertEquals(TOP_UPS, keys.size());
  }
}
