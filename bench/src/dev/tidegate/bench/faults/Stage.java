package dev.tidegate.bench.faults;

import dev.tidegate.bench.replay.Load;
import dev.tidegate.dev.EmbeddedRedis;
import dev.tidegate.dev.FaultyWay;
import dev.tidegate.dev.ServiceProcess;
import dev.tidegate.dev.Signals;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A Redis that syncs before it answers, the packaged service, and the ways to both, all of which
 * faults happen to.
 */
public final class Stage implements AutoCloseable {

  private static final String[] KEEPS_ALL = {
    "--save", "", "--appendonly", "yes", "--appendfsync", "always"
  };
  private static final String PLANS =
      """
      revision: 1
      default_plan: replay
      plans:
        replay:
          resources:
            claude:
              meters: [tokens, requests]
              hold: {ttl_seconds: 120}
              limits:
                - {name: rpm, kind: token_bucket, meter: requests, capacity: 1000000, refill: 1000, interval_seconds: 1}
                - {name: tpm, kind: sliding, meter: tokens, limit: 1000000000, window_seconds: 60, buckets: 6}
                - {name: short, kind: period, meter: tokens, limit: 1000000000, schedule: {type: fixed, seconds: 5}}
                - {name: daily, kind: period, meter: requests, limit: 1000000000,
                   schedule: {type: calendar, unit: day, at: "00:00"}}
                - {name: weekly, kind: period, meter: tokens, limit: 1000000000,
                   schedule: {type: calendar, unit: week, day_of_week: MON, at: "00:00", zone: Europe/Berlin}}
      """;

  private static final Duration SLOWNESS = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final int TROUBLES = 30;
  private static final int REFUSALS = 10;

  /** What a refusal may take where the machine is busy with other things, too. */
  private static final Duration IN_TIME = Duration.ofSeconds(3);

  private final Path folder;
  private final Path jar;
  private final HttpClient client = HttpClient.newHttpClient();
  private final FaultyWay toRedis;
  private final FaultyWay toService;
  private EmbeddedRedis redis;
  private ServiceProcess service;
  private int services;

  private Stage(Path folder, Path jar) throws IOException, InterruptedException {
    this.folder = folder;
    this.jar = jar;
    redis = EmbeddedRedis.start(0, folder.resolve("redis"), KEEPS_ALL);
    toRedis = FaultyWay.to(redis.port());
    Files.writeString(folder.resolve("plans.yaml"), PLANS);
    service = launch();
    toService = FaultyWay.to(service.at("/").getPort());
  }

  /** Packages the service as it is compiled now, and starts it all. */
  public static Stage open(Path folder) throws IOException, InterruptedException {
    Path jar = ServiceProcess.packageInto(folder.resolve("service"));
    return new Stage(folder, jar);
  }

  private ServiceProcess launch() throws IOException, InterruptedException {
    services++;
    return ServiceProcess.launch(
            jar,
            "redis://127.0.0.1:" + toRedis.port(),
            folder.resolve("service-" + services + ".log"),
            List.of(
                "-XX:TieredStopAtLevel=1",
                "-Dquarkus.profile=demo",
                "-Dtidegate.redis.deadline-millis=250",
                "-Dtidegate.plans.file=" + folder.resolve("plans.yaml")))
        .awaitReady();
  }

  /** The address of the service, whichever process it is. */
  public String base() {
    return "http://127.0.0.1:" + toService.port();
  }

  EmbeddedRedis redis() {
    return redis;
  }

  void startRedis() {
    redis = EmbeddedRedis.start(redis.port(), folder.resolve("redis"), KEEPS_ALL);
  }

  void forgetRedisData() throws IOException {
    Files.delete(folder.resolve("redis").resolve("appendonly.aof"));
  }

  void pauseRedis() {
    Signals.pause(redis.pid());
  }

  void resumeRedis() {
    Signals.resume(redis.pid());
  }

  void slowDown() {
    toRedis.delay(SLOWNESS);
  }

  void speedUp() {
    toRedis.delay(Duration.ZERO);
  }

  /** Sends Redis an inline command, and waits for an answer. */
  void command(String inline) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), redis.port())) {
      socket.getOutputStream().write((inline + "\r\n").getBytes(StandardCharsets.US_ASCII));
      if (socket.getInputStream().read() != '+') {
        throw new IOException("Redis refused: " + inline);
      }
    }
  }

  /** Lets the next answer be lost with its connection. */
  void cutOne() throws InterruptedException {
    int before = toRedis.cuts();
    toRedis.cut(1);
    await("an answer was lost", () -> toRedis.cuts() > before);
  }

  void replaceService() throws IOException, InterruptedException {
    service.kill();
    service = launch();
    toService.leadTo(service.at("/").getPort());
  }

  /** A condition that is looked at again and again. */
  interface Condition {
    boolean holds() throws IOException, InterruptedException;
  }

  static void await(String what, Condition condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        if (condition.holds()) {
          return;
        }
      } catch (IOException notYet) {
        // Nobody answers at the moment.
      }
      if (System.nanoTime() > end) {
        throw new IllegalStateException("not within " + PATIENCE + ": " + what);
      }
      Thread.sleep(PAUSE);
    }
  }

  void awaitSettlements(Load load, int more) throws InterruptedException {
    long goal = load.settled() + more;
    await("calls are settled", () -> load.settled() >= goal);
  }

  /**
   * Waits until callers have met the fault, and sees that they are refused as they must be: in
   * time, with the code and when to come back, by a service that stays ready.
   */
  void awaitRefusals(Load load) throws InterruptedException, IOException {
    long goal = load.troubles() + TROUBLES;
    await("a call is refused", () -> probe() == 503);
    for (int n = 0; n < REFUSALS; n++) {
      probe();
    }
    URI ready = service.at("/q/health/ready");
    int health =
        client.send(HttpRequest.newBuilder(ready).build(), BodyHandlers.discarding()).statusCode();
    if (health != 200) {
      throw new IllegalStateException("the service is not ready: " + health);
    }
    await("callers meet the fault", () -> load.troubles() >= goal);
  }

  /** Waits until calls are admitted again, and returns how long that took. */
  Duration awaitRecovery() throws InterruptedException {
    long start = System.nanoTime();
    await("calls are admitted again", () -> probe() == 201);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** Asks for a reservation and returns the status of the answer. */
  private int probe() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base() + "/v1/quota/probe/claude/reservations"))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer demo-meter")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"amounts\":{\"tokens\":1}}"))
            .build();
    long start = System.nanoTime();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    if (response.statusCode() == 503) {
      boolean sound =
          response.body().contains("store-unavailable")
              && response.headers().firstValue("Retry-After").isPresent();
      if (!sound || took.compareTo(IN_TIME) > 0) {
        throw new IllegalStateException("after %s: %s".formatted(took, response.body()));
      }
    }
    return response.statusCode();
  }

  @Override
  public void close() {
    service.close();
    toService.close();
    toRedis.close();
    redis.close();
    client.close();
  }
}
