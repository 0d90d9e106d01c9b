package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.EmbeddedRedis;
import dev.tidegate.dev.ServiceProcess;
import dev.tidegate.dev.Signals;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was packaged is asked to end, as a rolling update does it, while a call is on its way. */
class GracefulShutdownIT {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** 128 and the number of SIGTERM: it ended because it was asked to. */
  private static final int ENDED_BY_SIGTERM = 143;

  private static final String CHARGES = "/v1/quota/leaving/api/charges";

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();

  @SuppressWarnings("NullAway.Init")
  private EmbeddedRedis redis;

  @BeforeEach
  void startRedis() {
    redis = EmbeddedRedis.start(0, folder.resolve("redis"));
  }

  @AfterEach
  void stop() {
    client.close();
    redis.close();
  }

  private ServiceProcess startService(String delay) throws IOException, InterruptedException {
    ServiceProcess service =
        ServiceProcess.launch(
                ServiceProcess.packaged(),
                redis.url(),
                folder.resolve("service.log"),
                List.of(
                    "-Dquarkus.profile=demo",
                    "-Dtidegate.redis.deadline-millis=20000",
                    "-Dquarkus.shutdown.delay=" + delay))
            .awaitReady();
    String plan =
        HttpSuite.json(HttpSuite.plan(HttpSuite.limit("all", "tokens", 100, HttpSuite.FOREVER)));
    assertEquals(200, put(service, "/v1/plans/leaving", plan));
    assertEquals(200, put(service, "/v1/subjects/leaving", "{\"plan\":\"leaving\"}"));
    return service;
  }

  private int put(ServiceProcess service, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(service.at(path))
            .header("Authorization", "Bearer demo-admin")
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString()).statusCode();
  }

  private CompletableFuture<HttpResponse<String>> charge(ServiceProcess service) {
    HttpRequest request =
        HttpRequest.newBuilder(service.at(CHARGES))
            .header("Authorization", "Bearer demo-meter")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"amounts\":{\"tokens\":1}}"))
            .build();
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  private HttpResponse<String> get(ServiceProcess service, String path)
      throws IOException, InterruptedException {
    return client.send(HttpRequest.newBuilder(service.at(path)).build(), BodyHandlers.ofString());
  }

  /** A call that Redis, which stands still, keeps from being answered. */
  private CompletableFuture<HttpResponse<String>> chargeOnItsWay(ServiceProcess service)
      throws Exception {
    Signals.pause(redis.pid());
    CompletableFuture<HttpResponse<String>> call = charge(service);
    await(
        "the call is on its way, beside the one that asks",
        () ->
            get(service, "/q/metrics")
                .body()
                .lines()
                .anyMatch(line -> line.matches("http_server_active_requests(\\{.*})? [2-9].*")));
    return call;
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      assertTrue(System.nanoTime() < deadline, "in vain: " + what);
      Thread.sleep(PAUSE);
    }
  }

  @Test
  @DisplayName(
      "It is not ready at once, serves on for its delay, then ends with nothing broken off")
  void delay() throws Exception {
    long asked;
    try (ServiceProcess service = startService("4s")) {
      CompletableFuture<HttpResponse<String>> before = chargeOnItsWay(service);
      asked = Files.size(folder.resolve("service.log"));
      service.terminate();
      await("it is not ready", () -> get(service, "/q/health/ready").statusCode() == 503);
      assertEquals(200, get(service, "/q/health/live").statusCode());
      assertFalse(before.isDone());
      CompletableFuture<HttpResponse<String>> during = charge(service);
      Signals.resume(redis.pid());
      assertEquals(200, before.get().statusCode());
      assertEquals(200, during.get().statusCode());
      assertEquals(ENDED_BY_SIGTERM, service.awaitEnd());
    }
    assertNothingWentWrong(asked);
  }

  @Test
  @DisplayName("Without a delay it still waits for the call that is on its way")
  void callInFlight() throws Exception {
    long asked;
    try (ServiceProcess service = startService("0s")) {
      CompletableFuture<HttpResponse<String>> call = chargeOnItsWay(service);
      asked = Files.size(folder.resolve("service.log"));
      service.terminate();
      await("it takes no more calls or says so", () -> isLeaving(service));
      assertTrue(service.isAlive());
      assertFalse(call.isDone());
      Signals.resume(redis.pid());
      assertEquals(200, call.get().statusCode());
      assertEquals(ENDED_BY_SIGTERM, service.awaitEnd());
    }
    assertNothingWentWrong(asked);
  }

  private boolean isLeaving(ServiceProcess service) throws InterruptedException {
    try {
      return get(service, "/q/health/ready").statusCode() == 503;
    } catch (IOException refused) {
      return true;
    }
  }

  /** From when it was asked to end on; a start may have its own troubles on a busy machine. */
  private void assertNothingWentWrong(long asked) throws IOException {
    String log = Files.readString(folder.resolve("service.log")).substring((int) asked);
    assertFalse(log.contains(" ERROR "), log);
    assertTrue(log.contains("stopped in"), log);
  }
}
