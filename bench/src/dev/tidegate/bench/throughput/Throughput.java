package dev.tidegate.bench.throughput;

import dev.tidegate.dev.ServiceProcess;
import dev.tidegate.dev.SystemRedis;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures how many calls a second the service answers, in rounds that take every load in turn,
 * against an endpoint that only runs the same script, and against redis-benchmark with it.
 */
public final class Throughput {

  private static final Path BENCH = Path.of("bench");
  private static final Path WRK = BENCH.resolve("wrk");
  private static final Path RESULTS = BENCH.resolve("results");
  private static final String KEY = "bench-key";
  private static final int REDIS_REQUESTS = 50_000;

  private static final String BARE = "bare script over HTTP";
  private static final String READ = "the same, answers are read";
  private static final String REDIS = "redis-benchmark, same script";
  private static final String SPREAD = "reserve, 1000 subjects";
  private static final String HOT = "reserve, one subject";
  private static final String PAIRS = "reserve and settle, calls";

  private Throughput() {}

  /**
   * Measures, prints a table and writes it with a chart to {@code bench/results}.
   *
   * @param args the jar of the service with the bare endpoint; the number of rounds; the seconds of
   *     each load
   */
  public static void main(String... args) throws IOException, InterruptedException {
    int rounds = Integer.parseInt(args[1]);
    int seconds = Integer.parseInt(args[2]);
    Path folder = Files.createTempDirectory("tidegate-bench");
    try (SystemRedis redis = SystemRedis.start(0, folder.resolve("redis"));
        ServiceProcess service = start(Path.of(args[0]), redis, folder.resolve("service.log"))) {
      service.awaitReady();
      List<Load> loads = loads(service, redis, seconds);
      System.out.println("warming up");
      for (int n = 0; n < 2; n++) {
        for (Load load : loads) {
          load.run();
        }
      }
      Map<String, List<Load.Result>> results = new LinkedHashMap<>();
      for (int round = 1; round <= rounds; round++) {
        System.out.printf("round %d of %d%n", round, rounds);
        for (Load load : loads) {
          results.computeIfAbsent(load.name(), first -> new ArrayList<>()).add(load.run());
        }
      }
      write(results, machine(redis, rounds, seconds));
    }
    System.exit(0);
  }

  private static ServiceProcess start(Path jar, SystemRedis redis, Path log) throws IOException {
    return ServiceProcess.launch(
        jar,
        redis.url(),
        log,
        List.of(
            "-Dquarkus.profile=prod",
            "-Dtidegate.plans.file=" + BENCH.resolve("plans.yaml"),
            "-Dtidegate.redis.deadline-millis=5000",
            "-Dtidegate.api-keys.bench.roles=meter",
            "-Dtidegate.api-keys.bench.sha256=" + sha256(KEY)));
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  private static List<Load> loads(ServiceProcess service, SystemRedis redis, int seconds)
      throws IOException, InterruptedException {
    String url = service.at("").toString();
    Map<String, String> spread = environment(1000);
    Map<String, String> hot = environment(1);
    return List.of(
        Load.wrk(BARE, WRK, "bare.lua", url + "/bench/bare", seconds, Map.of()),
        Load.wrk(SPREAD, WRK, "reserve.lua", url, seconds, spread),
        Load.wrk(HOT, WRK, "reserve.lua", url, seconds, hot),
        Load.wrk(READ, WRK, "bare-read.lua", url + "/bench/bare", seconds, Map.of()),
        Load.wrk(PAIRS, WRK, "pairs.lua", url, seconds, spread),
        Load.redis(REDIS, redis.port(), REDIS_REQUESTS, evalsha(service)));
  }

  private static Map<String, String> environment(int subjects) {
    return Map.of("BENCH_KEY", KEY, "BENCH_WRK", WRK.toString(), "BENCH_SUBJECTS", "" + subjects);
  }

  /** The words of one call, with a random number where the token of the reservation is. */
  private static List<String> evalsha(ServiceProcess service)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(service.at("/bench/command")).build();
    HttpRequest once =
        HttpRequest.newBuilder(service.at("/bench/bare"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      client.send(once, BodyHandlers.discarding());
      String body = client.send(request, BodyHandlers.ofString()).body();
      return body.lines()
          .map(word -> word.replace("bench___________", "b___" + "__rand_int__"))
          .toList();
    }
  }

  private static List<String> machine(SystemRedis redis, int rounds, int seconds)
      throws IOException {
    String processor =
        Files.readString(Path.of("/proc/cpuinfo"))
            .lines()
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 2))
            .findFirst()
            .orElse("unknown processor");
    String version =
        redis
            .ask("INFO", "server")
            .lines()
            .filter(line -> line.startsWith("redis_version:"))
            .map(line -> line.substring("redis_version:".length()).strip())
            .findFirst()
            .orElse("unknown");
    return List.of(
        LocalDate.now(ZoneOffset.UTC)
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors shared by load, service and Redis, "
            + processor,
        "Java %s, Redis %s without persistence, wrk with 2 threads and %d connections"
            .formatted(Runtime.version(), version, Load.CONNECTIONS),
        "%d rounds of %d s for each load, one after another, after a warm-up"
            .formatted(rounds, seconds));
  }

  private static void write(Map<String, List<Load.Result>> results, List<String> machine)
      throws IOException {
    List<Load.Result> bare = of(results, BARE);
    StringBuilder page = new StringBuilder("# Throughput\n\n");
    machine.forEach(line -> page.append("- ").append(line).append('\n'));
    page.append("\n| load | requests/s | p50 ms | p99 ms | to the bare script |\n");
    page.append("|---|---|---|---|---|\n");
    Map<String, Series> bars = new LinkedHashMap<>();
    results.forEach(
        (name, runs) -> {
          Series rate = Series.of(runs, Load.Result::perSecond);
          bars.put(name, rate);
          page.append(
              "| %s | %s | %s | %s | %s |%n"
                  .formatted(
                      name,
                      rate.text("%,.0f"),
                      Series.of(runs, Load.Result::p50Millis).text("%.1f"),
                      Series.of(runs, Load.Result::p99Millis).text("%.1f"),
                      Series.ratio(runs, bare).text("%.2f")));
        });
    page.append('\n');
    ratio(page, "reserve to bare", Series.ratio(of(results, SPREAD), bare), 0.75);
    Series pairs = Series.ratio(of(results, PAIRS), of(results, READ)).times(0.5);
    ratio(page, "pairs of reserve and settle to bare, both with answers read", pairs, 0.35);
    Series hot = Series.ratio(of(results, HOT), of(results, SPREAD));
    ratio(page, "one subject to 1000", hot, 0.9);
    page.append("\n![requests per second](throughput.svg)\n");
    Files.createDirectories(RESULTS);
    Files.writeString(RESULTS.resolve("throughput.md"), page);
    Files.writeString(
        RESULTS.resolve("throughput.svg"), Bars.svg("requests per second, median", bars));
    System.out.println(page);
  }

  private static List<Load.Result> of(Map<String, List<Load.Result>> results, String load) {
    return results.getOrDefault(load, List.of());
  }

  private static void ratio(StringBuilder page, String what, Series ratio, double aim) {
    page.append(
        String.format(
            Locale.ROOT,
            "- %s: %s, the aim is %.2f: %s%n",
            what,
            ratio.text("%.2f"),
            aim,
            ratio.median() >= aim ? "met" : "missed"));
  }
}
