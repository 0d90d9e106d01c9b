package dev.tidegate.bench.faults;

import dev.tidegate.bench.replay.Load;
import dev.tidegate.bench.replay.TraceReader;
import dev.tidegate.bench.replay.TraceRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The command {@code ./tidegate faults}: every fault, round after round. */
public final class Campaign {

  private static final int ROWS = 400;
  private static final int ROWS_A_SECOND = 50;
  private static final int MAX_ROUNDS = 10_000;
  private static final double TRACE_SPEED = 10;

  private Campaign() {}

  /**
   * Ends with 0 when every audit is as it must be.
   *
   * @param args the number of rounds, and a trace where there is one
   */
  public static void main(String[] args) throws Exception {
    int rounds = Integer.parseInt(args[0]);
    if (rounds < 1 || rounds > MAX_ROUNDS) {
      throw new IllegalArgumentException("rounds: 1 to " + MAX_ROUNDS);
    }
    List<TraceRow> trace =
        args.length > 1 ? TraceReader.read(Path.of(args[1]), Integer.MAX_VALUE) : List.of();
    Path folder = Files.createTempDirectory("tidegate-faults");
    System.out.println("data and logs: " + folder);
    System.exit(run(rounds, trace, folder) ? 0 : 1);
  }

  private static boolean run(int rounds, List<TraceRow> trace, Path folder) throws Exception {
    long admitted = 0;
    long settled = 0;
    long troubles = 0;
    long charges = 0;
    int trials = 0;
    int failed = 0;
    try (Stage stage = Stage.open(folder)) {
      for (int round = 1; round <= rounds; round++) {
        for (Fault fault : Fault.values()) {
          trials++;
          List<TraceRow> rows = rows(trace, trials);
          Trial.Report report =
              Trial.of(stage, fault, "t" + trials, rows, trace.isEmpty() ? 1 : TRACE_SPEED);
          admitted += report.admitted();
          settled += report.settled();
          troubles += report.troubles();
          charges += report.charges();
          failed += report.wrong().isEmpty() ? 0 : 1;
          tell(round, report);
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d trials: %,d calls admitted, %,d settled, %,d keyed charges made, %,d times a call met a"
            + " fault; %d audits failed%n",
        trials,
        admitted,
        settled,
        charges,
        troubles,
        failed);
    return failed == 0;
  }

  /** The next part of the trace, from its start again when it is over. */
  private static List<TraceRow> rows(List<TraceRow> trace, int trial) {
    if (trace.isEmpty()) {
      return Load.anyRows(ROWS, ROWS_A_SECOND, trial);
    }
    int parts = Math.max(1, trace.size() / ROWS);
    int from = trial % parts * ROWS;
    return trace.subList(from, Math.min(trace.size(), from + ROWS));
  }

  private static void tell(int round, Trial.Report report) {
    System.out.printf(
        Locale.ROOT,
        "%3d  %-60s %5d admitted %5d settled %5d charged %6d in trouble, back after %d ms: %s%n",
        round,
        report.fault(),
        report.admitted(),
        report.settled(),
        report.charges(),
        report.troubles(),
        report.recovery().toMillis(),
        report.wrong().isEmpty() ? "exact" : "FAILED");
    report.wrong().forEach(wrong -> System.out.println("     " + wrong));
  }
}
