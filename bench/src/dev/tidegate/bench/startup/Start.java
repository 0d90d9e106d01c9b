package dev.tidegate.bench.startup;

import dev.tidegate.dev.EmbeddedRedis;
import dev.tidegate.dev.ServiceProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What one start of the service came to.
 *
 * @param readyMillis from the start of the process to the first 200 of {@code /q/health/ready},
 *     which means that it has read its plans from Redis
 * @param chargedMillis from the start of the process to the answer to the first charge
 * @param readyMegabytes resident memory, in MiB, when it was ready
 * @param usedMegabytes resident memory, in MiB, after {@value #CHARGES} charges
 */
record Start(
    double readyMillis, double chargedMillis, double readyMegabytes, double usedMegabytes) {

  private static final int CHARGES = 2000;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration PROBE_PAUSE = Duration.ofMillis(2);
  private static final String PLANS =
      """
      revision: 1
      default_plan: bench
      plans:
        bench:
          resources:
            api:
              meters: [tokens]
              limits:
                - {name: daily, kind: period, meter: tokens, limit: 1000000000,
                   schedule: {type: calendar, unit: day, zone: Europe/Berlin}}
      """;

  /** Starts a program on a Redis, lets it work, asks it to end and waits until it has. */
  static Start measure(Form form, EmbeddedRedis redis, Path folder)
      throws IOException, InterruptedException {
    Path plans = Files.writeString(folder.resolve("plans.yaml"), PLANS);
    List<String> options = new ArrayList<>(form.options());
    options.add("-Dquarkus.profile=demo");
    options.add("-Dtidegate.plans.file=" + plans);
    long started = System.nanoTime();
    try (ServiceProcess service =
            ServiceProcess.launch(
                form.program(), redis.url(), folder.resolve(form.name() + ".log"), options);
        HttpClient client = HttpClient.newHttpClient()) {
      awaitReady(service, client);
      double ready = millisSince(started);
      double readyMegabytes = residentMegabytes(service);
      charge(service, client);
      double charged = millisSince(started);
      for (int n = 1; n < CHARGES; n++) {
        charge(service, client);
      }
      double usedMegabytes = residentMegabytes(service);
      service.terminate();
      service.awaitEnd();
      return new Start(ready, charged, readyMegabytes, usedMegabytes);
    }
  }

  private static double millisSince(long startedNanos) {
    return (System.nanoTime() - startedNanos) / 1e6;
  }

  private static void awaitReady(ServiceProcess service, HttpClient client)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(service.at("/q/health/ready")).build();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (service.isAlive() && System.nanoTime() < deadline) {
      try {
        if (client.send(request, BodyHandlers.discarding()).statusCode() == 200) {
          return;
        }
      } catch (IOException notYet) {
        // Nobody listens so far.
      }
      Thread.sleep(PROBE_PAUSE);
    }
    throw new IOException("the service did not become ready; its log is beside its plans");
  }

  private static void charge(ServiceProcess service, HttpClient client)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(service.at("/v1/quota/bench/api/charges"))
            .header("Authorization", "Bearer demo-meter")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"amounts\":{\"tokens\":1}}"))
            .build();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("a charge was answered with " + answer.body());
    }
  }

  /** What Linux says of the process. */
  private static double residentMegabytes(ServiceProcess service) throws IOException {
    return Files.readAllLines(Path.of("/proc", "" + service.pid(), "status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
            .findFirst()
            .orElseThrow()
        / 1024.0;
  }
}
