package dev.tidegate.bench.replay;

import static dev.tidegate.bench.replay.Table.count;

import dev.tidegate.bench.replay.ServiceClient.Answer;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The command {@code ./tidegate replay}. */
public final class Replay {

  private static final int FORBIDDEN = 403;
  private static final int UNAUTHORIZED = 401;
  private static final int BASE_36 = 36;

  private final Settings settings;
  private final PrintStream out;

  private Replay(Settings settings, PrintStream out) {
    this.settings = settings;
    this.out = out;
  }

  /** Ends with 0 when the audit is exact, 1 when something failed, 2 for a bad command line. */
  public static void main(String[] args) {
    System.exit(exitCode(List.of(args)));
  }

  private static int exitCode(List<String> args) {
    if (args.contains("--help") || args.contains("-h")) {
      System.out.print(CommandLine.help());
      return 0;
    }
    try {
      return new Replay(CommandLine.parse(args), System.out).run() ? 0 : 1;
    } catch (ReplayException told) {
      System.err.println("replay: " + told.getMessage());
      return told.exitCode();
    }
  }

  /** Plays the trace, reports, and says whether all went as it must. */
  private boolean run() throws ReplayException {
    List<TraceRow> rows = TraceReader.read(settings.file(), settings.maxRows());
    try (ServiceClient service = new ServiceClient(settings)) {
      List<String> subjects = subjects();
      register(service, subjects);
      announce(rows, subjects);
      Tally tally = new Tally();
      long start = System.nanoTime();
      boolean terminal = Boolean.getBoolean("tidegate.terminal");
      Player player = new Player(settings, service, tally, subjects);
      Progress.during(tally, rows.size(), terminal, out, () -> player.play(rows));
      Report report = new Report(tally, rows.size(), System.nanoTime() - start);
      out.printf("%n%s%n", report.text());
      Audit audit = Audit.compare(tally.ledger(), Periods.used(service, subjects));
      out.print(Report.audit(audit));
      return verdict(tally, audit);
    }
  }

  private boolean verdict(Tally tally, Audit audit) {
    boolean admitted = tally.admitted.sum() > 0;
    if (!admitted) {
      out.println("FAILED: nothing was admitted");
    }
    boolean settled = tally.unsettledByReason().isEmpty();
    if (!settled) {
      out.println("FAILED: some calls could not be settled, so the audit cannot be trusted");
    }
    return admitted && settled && audit.isExact();
  }

  /** New ones each time, so that the audit starts from nothing. */
  private List<String> subjects() {
    String run = Long.toString(System.currentTimeMillis(), BASE_36);
    return IntStream.rangeClosed(1, settings.subjects())
        .mapToObj(number -> "replay-%s-%d".formatted(run, number))
        .toList();
  }

  private void register(ServiceClient service, List<String> subjects) throws ReplayException {
    try {
      for (String subject : subjects) {
        Answer answer = service.register(subject);
        if (answer.status() == UNAUTHORIZED || answer.status() == FORBIDDEN) {
          throw refused("admin key", settings.adminKey(), answer);
        }
        if (answer.status() >= 300) {
          throw ReplayException.failed("cannot register a subject: " + answer.explanation());
        }
      }
      Answer view = service.quota(subjects.getFirst());
      if (view.status() == UNAUTHORIZED || view.status() == FORBIDDEN) {
        throw refused("key", settings.key(), view);
      }
      if (view.status() >= 300) {
        throw ReplayException.failed(
            "cannot read the quota of %s: %s".formatted(settings.resource(), view.explanation()));
      }
    } catch (IOException unreachable) {
      throw ReplayException.failed(
          "no service answers at %s (%s); start one with: ./tidegate run"
              .formatted(settings.base(), unreachable));
    }
  }

  private static ReplayException refused(String kind, String key, Answer answer) {
    return ReplayException.failed(
        "the service does not accept the %s %s: %s".formatted(kind, key, answer.explanation()));
  }

  private void announce(List<TraceRow> rows, List<String> subjects) {
    Duration length = Duration.between(rows.getFirst().at(), rows.getLast().at());
    double seconds = length.toMillis() / 1e3 / settings.speed();
    out.printf(
        Locale.ROOT,
        "%s calls of %s, %d min of trace in %.0f s, on %s subjects (%s to %s)%n",
        count(rows.size()),
        settings.file().getFileName(),
        length.toMinutes(),
        seconds,
        count(subjects.size()),
        subjects.getFirst(),
        subjects.getLast());
  }
}
