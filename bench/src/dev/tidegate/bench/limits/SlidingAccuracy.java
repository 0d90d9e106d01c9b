package dev.tidegate.bench.limits;

import dev.tidegate.bench.replay.ReplayException;
import dev.tidegate.bench.replay.TraceReader;
import dev.tidegate.bench.replay.TraceRow;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.PlanLevel;
import dev.tidegate.store.PlanLimit;
import dev.tidegate.store.QuotaState.LimitState;
import dev.tidegate.store.redis.RedisUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Compares the usage that a sliding budget tells with an exact log of the last minute, after every
 * call of a trace.
 */
public final class SlidingAccuracy {

  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final List<Integer> BUCKETS = List.of(1, 6, 12, 60);
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final String METER = "tokens";

  private SlidingAccuracy() {}

  /** What an estimate was off by, over a trace. */
  private static final class Deviation {

    private double sum;
    private double exactSum;
    private long peak;
    private long worstOver;
    private long worstUnder;

    void add(long told, long exact) {
      sum += Math.abs(told - exact);
      exactSum += exact;
      peak = Math.max(peak, exact);
      worstOver = Math.max(worstOver, told - exact);
      worstUnder = Math.max(worstUnder, exact - told);
    }

    String line(String trace, int buckets) {
      return String.format(
          Locale.ROOT,
          "| %s | %d | %.2f %% | %.2f %% | %.2f %% |",
          trace,
          buckets,
          100 * sum / exactSum,
          100.0 * worstOver / peak,
          100.0 * worstUnder / peak);
    }
  }

  /** An exact log of what was spent in the window. */
  private static final class ExactLog {

    private record Spend(long atMillis, long amount) {}

    private final Deque<Spend> spends = new ArrayDeque<>();
    private long sum;

    long after(long nowMillis, long amount) {
      spends.addLast(new Spend(nowMillis, amount));
      sum += amount;
      while (true) {
        @Nullable Spend oldest = spends.peekFirst();
        if (oldest == null || oldest.atMillis() > nowMillis - WINDOW.toMillis()) {
          return sum;
        }
        sum -= spends.removeFirst().amount();
      }
    }
  }

  /** Prints a table over the traces named. */
  public static void main(String... files) throws ReplayException {
    System.out.println("| trace | buckets | mean error | most above | most below |");
    System.out.println("|---|---:|---:|---:|---:|");
    for (String file : files) {
      Path path = Path.of(file);
      measure(String.valueOf(path.getFileName()), TraceReader.read(path, Integer.MAX_VALUE));
    }
    System.exit(0);
  }

  private static void measure(String trace, List<TraceRow> rows) {
    List<PlanLimit> limits = new ArrayList<>();
    List<Deviation> errors = new ArrayList<>();
    for (int buckets : BUCKETS) {
      limits.add(PlanLimit.sliding("of-" + buckets, METER, null, WINDOW, buckets));
      errors.add(new Deviation());
    }
    PlanLevel subject = PlanLevel.of("trace").withLimits(limits);
    ExactLog log = new ExactLog();
    Instant fullFrom = rows.getFirst().at().plus(WINDOW);
    try (RedisUnderTest redis = RedisUnderTest.open()) {
      for (TraceRow row : rows) {
        redis.setClock(row.at().toEpochMilli());
        Outcome.Charging answer =
            redis
                .store()
                .charge(
                    PlanLevel.scope(List.of(subject), "api", 1, row.at()),
                    Bill.of(Amounts.of(METER, row.usedTokens())),
                    WINDOW,
                    null)
                .await()
                .atMost(DEADLINE);
        long exact = log.after(row.at().toEpochMilli(), row.usedTokens());
        List<LimitState> told = ((Outcome.Charged) answer).state().levels().getFirst().limits();
        if (row.at().isAfter(fullFrom)) {
          for (int n = 0; n < errors.size(); n++) {
            errors.get(n).add(told.get(n).used(), exact);
          }
        }
      }
    }
    for (int n = 0; n < errors.size(); n++) {
      System.out.println(errors.get(n).line(trace, BUCKETS.get(n)));
    }
  }
}
