package dev.tidegate.bench.fuzz;

import dev.tidegate.dev.RespConnection;
import dev.tidegate.dev.ServiceProcess;
import dev.tidegate.dev.SystemRedis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The command {@code ./tidegate fuzz}: malformed requests to a service of its own. */
public final class Fuzz {

  private Fuzz() {}

  /**
   * Ends with 0 when every request was refused as it must be and nothing has changed.
   *
   * @param args the jar of the service, the number of requests, and the seed
   */
  public static void main(String... args) throws Exception {
    int count = Integer.parseInt(args[1]);
    long seed = Long.parseLong(args[2]);
    Path folder = Files.createTempDirectory("tidegate-fuzz");
    System.out.println("seed " + seed + ", data and logs: " + folder);
    try (SystemRedis redis =
            SystemRedis.start(
                0, folder.resolve("redis"), "--save", "", "--enable-debug-command", "local");
        ServiceProcess service =
            ServiceProcess.launch(
                Path.of(args[0]),
                redis.url(),
                folder.resolve("service.log"),
                List.of("-Dquarkus.profile=demo", "-Dtidegate.test-clock.enabled=true"));
        RespConnection connection = RespConnection.open("127.0.0.1", redis.port())) {
      service.awaitReady();
      Fuzzer fuzzer = Fuzzer.of(service.at("").getPort(), () -> connection.text("DEBUG", "DIGEST"));
      long started = System.nanoTime();
      Fuzzer.Report report =
          fuzzer.run(count, seed, so -> tell(so, count, System.nanoTime() - started));
      System.out.printf("%n%s%n%s%n%s%n", report.statuses(), report.faults(), report.operations());
      List<String> refused = fuzzer.refusedOfGood();
      report.wrong().forEach(wrong -> System.out.println("WRONG " + wrong));
      refused.forEach(good -> System.out.println("REFUSED, BUT WELL FORMED " + good));
      System.out.printf(
          Locale.ROOT,
          "%,d malformed requests, %d answered wrongly; %d well-formed ones refused%n",
          report.sent(),
          report.wrongs(),
          refused.size());
      System.exit(report.wrongs() == 0 && refused.isEmpty() ? 0 : 1);
    }
  }

  private static void tell(Fuzzer.Report report, int count, long nanos) {
    if (report.sent() % 10_000 == 0 || report.sent() >= count) {
      System.out.printf(
          Locale.ROOT,
          "%,7d of %,d, %,.0f a second, %d wrong%n",
          report.sent(),
          count,
          report.sent() * 1e9 / nanos,
          report.wrongs());
    }
  }
}
