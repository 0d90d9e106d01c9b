package dev.tidegate.bench.startup;

import dev.tidegate.dev.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Measures starts of the service in several forms, in rounds that take every form in turn. */
public final class Startup {

  private static final String RECORD = "record";

  private Startup() {}

  /**
   * Measures, and prints a table that it also writes to a file. Or records the AOT cache of a jar
   * in a run that does what is measured.
   *
   * @param args the number of rounds, the file, and forms as {@code NAME=PROGRAM}; or {@code
   *     record} and one form
   */
  public static void main(String... args) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("tidegate-startup");
    try (EmbeddedRedis redis = EmbeddedRedis.start(0, folder.resolve("redis"))) {
      if (args[0].equals(RECORD)) {
        Start.measure(Form.parse(args[1]).recording(), redis, folder);
      } else {
        List<Form> forms = new ArrayList<>();
        for (int n = 2; n < args.length; n++) {
          forms.add(Form.parse(args[n]));
        }
        String table = table(measure(forms, Integer.parseInt(args[0]), redis, folder), args[0]);
        Path file = Path.of(args[1]);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, table);
        System.out.println(table);
      }
    }
    System.exit(0);
  }

  private static Map<String, List<Start>> measure(
      List<Form> forms, int rounds, EmbeddedRedis redis, Path folder)
      throws IOException, InterruptedException {
    Map<String, List<Start>> starts = new LinkedHashMap<>();
    // The first round finds files that are not in memory yet; nobody counts it.
    for (int round = 0; round <= rounds; round++) {
      for (Form form : forms) {
        Start start = Start.measure(form, redis, folder);
        if (round > 0) {
          starts.computeIfAbsent(form.name(), first -> new ArrayList<>()).add(start);
        }
      }
    }
    return starts;
  }

  private static String table(Map<String, List<Start>> starts, String rounds) throws IOException {
    StringBuilder page =
        new StringBuilder(
            """
            # Start-up

            - %s, %d processors shared by the service, its Redis and the one who measures
            - Java %s; %s rounds that take each form in turn, after one that is not counted
            - from the start of the process: `ready` is the first 200 of `/q/health/ready`, with the plans
              read from Redis, `charged` the answer to the first charge; resident memory then, and after
              2,000 charges; median (least to greatest)

            | form | ready ms | charged ms | MiB when ready | MiB after use |
            |---|---|---|---|---|
            """
                .formatted(
                    LocalDate.now(ZoneOffset.UTC),
                    Runtime.getRuntime().availableProcessors(),
                    Runtime.version(),
                    rounds));
    starts.forEach(
        (name, all) ->
            page.append(
                "| %s | %s | %s | %s | %s |\n"
                    .formatted(
                        name,
                        series(all, Start::readyMillis),
                        series(all, Start::chargedMillis),
                        series(all, Start::readyMegabytes),
                        series(all, Start::usedMegabytes))));
    return page.toString();
  }

  private static String series(List<Start> starts, ToDoubleFunction<Start> figure) {
    double[] sorted = starts.stream().mapToDouble(figure).sorted().toArray();
    return String.format(
        Locale.ROOT,
        "%,.0f (%,.0f to %,.0f)",
        sorted[sorted.length / 2],
        sorted[0],
        sorted[sorted.length - 1]);
  }
}
