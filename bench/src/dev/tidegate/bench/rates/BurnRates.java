package dev.tidegate.bench.rates;

import dev.tidegate.bench.replay.ReplayException;
import dev.tidegate.bench.replay.TraceReader;
import dev.tidegate.bench.replay.TraceRow;
import dev.tidegate.store.PlanLevel;
import dev.tidegate.store.PlanLimit;
import dev.tidegate.store.redis.RedisUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The command {@code ./tidegate bench rates}. */
public final class BurnRates {

  /** What the product promises, as a share of the exact rate. */
  private static final double BOUND = 0.05;

  private static final Duration HOUR = Duration.ofHours(1);

  /** How often a trace of an hour is played, so that it leaves each of the windows. */
  private static final int HOURS_DENSE = 3;

  private static final int HOURS_THIN = 27;

  /** Of how many calls one is played when a day is. */
  private static final int THINNED = 20;

  private BurnRates() {}

  /** Ends with 0 when every rate was within the bound, 1 when one was not, 2 without a trace. */
  public static void main(String[] args) {
    int code = 0;
    for (String file : args) {
      try {
        code = Math.max(code, play(file) ? 0 : 1);
      } catch (ReplayException told) {
        System.err.println("rates: " + told.getMessage());
        code = 2;
      }
    }
    System.exit(args.length == 0 ? 2 : code);
  }

  private static boolean play(String file) throws ReplayException {
    List<TraceRow> rows = TraceReader.read(Path.of(file), Integer.MAX_VALUE);
    Comparison dense = played(repeated(rows, HOURS_DENSE, 1));
    Comparison thin = played(repeated(rows, HOURS_THIN, THINNED));
    System.out.printf(
        Locale.ROOT,
        "%s, again for %d h: %s%n%s, 1 of %d for %d h: %s%n",
        Path.of(file).getFileName(),
        HOURS_DENSE,
        dense,
        Path.of(file).getFileName(),
        THINNED,
        HOURS_THIN,
        thin);
    return Math.max(dense.worst(), thin.worst()) <= BOUND;
  }

  private static Comparison played(List<Call> calls) {
    PlanLimit counted = PlanLimit.every(Duration.ofDays(1), "daily", "tokens", null);
    Comparison comparison =
        new Comparison(RedisUnderTest.open(), List.of(PlanLevel.of("trace", counted)));
    calls.forEach(comparison::charge);
    return comparison;
  }

  /** Every {@code each}-th call, the whole again and again, an hour later each time. */
  private static List<Call> repeated(List<TraceRow> rows, int times, int each) {
    List<Call> calls = new ArrayList<>();
    for (int n = 0; n < times; n++) {
      for (int row = n % each; row < rows.size(); row += each) {
        long at = rows.get(row).at().plus(HOUR.multipliedBy(n)).toEpochMilli();
        calls.add(new Call(at, rows.get(row).usedTokens()));
      }
    }
    calls.sort((a, b) -> Long.compare(a.atMillis(), b.atMillis()));
    return calls;
  }
}
