package dev.tidegate.bench.replay;

import static dev.tidegate.bench.replay.Table.count;
import static dev.tidegate.bench.replay.Table.duration;
import static dev.tidegate.bench.replay.Table.percent;

import dev.tidegate.bench.replay.Audit.Difference;
import java.util.Locale;
import java.util.Map;

/** What a replay says at its end. */
final class Report {

  private static final int MAX_DIFFERENCES = 20;

  private final Tally tally;
  private final int rows;
  private final long elapsedNanos;

  /**
   * Makes a report.
   *
   * @param rows how many rows were played
   * @param elapsedNanos from the first reservation to the end of the last caller
   */
  Report(Tally tally, int rows, long elapsedNanos) {
    this.tally = tally;
    this.rows = rows;
    this.elapsedNanos = elapsedNanos;
  }

  /** The counts, the latencies and the lag. */
  String text() {
    return counts().text() + "\n" + times().text();
  }

  private Table counts() {
    Table table = new Table().line("rows", count(rows));
    long admitted = tally.admitted.sum();
    table.line("admitted", count(admitted), percent(admitted, rows));
    addAll(table, "denied", tally.deniedByCode());
    addAll(table, "failed", tally.failedByReason());
    table.line("settled", count(tally.settled.sum()), percent(tally.settled.sum(), admitted));
    table.line("  late", count(tally.settledLate.sum()));
    table.line("  repeated", count(tally.settleRetries.sum()));
    addAll(table, "not settled", tally.unsettledByReason());
    table.line("died", count(tally.died.sum()), percent(tally.died.sum(), admitted));
    table.line("tokens charged", count(tally.chargedTokens.sum()));
    return table.line("tokens returned", count(tally.returnedTokens.sum()));
  }

  private void addAll(Table table, String title, Map<String, Long> counts) {
    long total = counts.values().stream().mapToLong(Long::longValue).sum();
    table.line(title, count(total), percent(total, rows));
    counts.forEach((name, number) -> table.line("  " + name, count(number)));
  }

  private Table times() {
    double seconds = elapsedNanos / 1e9;
    long calls = tally.reserve.count() + tally.settle.count();
    return new Table()
        .line("", "p50", "p95", "p99", "max")
        .line(percentiles("reserve", tally.reserve))
        .line(percentiles("settle", tally.settle))
        .line(percentiles("lag", tally.lag))
        .line("throughput", perSecond(rows, seconds, "rows"), perSecond(calls, seconds, "calls"));
  }

  private static String[] percentiles(String title, Latencies latencies) {
    Latencies.Percentiles of = latencies.percentiles();
    return new String[] {
      title, duration(of.at(50)), duration(of.at(95)), duration(of.at(99)), duration(of.at(100))
    };
  }

  private static String perSecond(long number, double seconds, String unit) {
    return String.format(Locale.ROOT, "%,.0f %s/s", number / seconds, unit);
  }

  /** What the audit found, on a line for each difference. */
  static String audit(Audit audit) {
    if (audit.isExact()) {
      return "AUDIT exact: in all %s periods the service counted what was settled, to the token\n"
          .formatted(count(audit.periods()));
    }
    StringBuilder text =
        new StringBuilder(
            "AUDIT FAILED: %s of %s periods differ\n"
                .formatted(count(audit.differences().size()), count(audit.periods())));
    audit.differences().stream().limit(MAX_DIFFERENCES).map(Report::line).forEach(text::append);
    return text.toString();
  }

  private static String line(Difference difference) {
    Long used = difference.used();
    return "  %s %s %s (seq %d): settled %s, the service says %s\n"
        .formatted(
            difference.period().subject(),
            difference.period().limit(),
            difference.period().periodId(),
            difference.period().seq(),
            count(difference.settled()),
            used == null ? "nothing about this period" : count(used));
  }
}
