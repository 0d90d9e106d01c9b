package dev.tidegate.bench.replay;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** A trace that is played in the background, for those who disturb the service meanwhile. */
public final class Load implements AutoCloseable {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int CONCURRENCY = 128;
  private static final long OUTPUT_CAP = 100;
  private static final double LATE_PERCENT = 2;
  private static final double DIE_PERCENT = 2;

  private final ServiceClient service;
  private final Tally tally = new Tally();
  private final List<String> subjects;
  private final Thread player;

  private Load(Settings settings, String name, List<TraceRow> rows) {
    service = new ServiceClient(settings);
    subjects =
        IntStream.rangeClosed(1, settings.subjects())
            .mapToObj(n -> "%s-%d".formatted(name, n))
            .toList();
    player =
        Thread.ofVirtual().start(() -> new Player(settings, service, tally, subjects).play(rows));
  }

  /**
   * Starts to play. The subjects have the default plan; of a hundred callers two die and two settle
   * late.
   *
   * @param base the address of the service
   * @param name what the subjects' names start with
   * @param speed how many times faster than the trace
   */
  public static Load start(
      String base, String name, int subjects, List<TraceRow> rows, double speed, long seed) {
    Settings settings =
        new Settings(
            Path.of(name),
            base,
            speed,
            subjects,
            CONCURRENCY,
            OUTPUT_CAP,
            DIE_PERCENT,
            LATE_PERCENT,
            "demo-meter",
            "demo-admin",
            "-",
            "claude",
            seed,
            rows.size());
    return new Load(settings, name, rows);
  }

  /** Calls as they could be in a trace: so many a second on average, with small answers. */
  public static List<TraceRow> anyRows(int rows, int perSecond, long seed) {
    Random random = new Random(seed);
    List<TraceRow> all = new ArrayList<>();
    Instant at = START;
    for (int n = 1; n <= rows; n++) {
      at = at.plusNanos((long) (-Math.log(1 - random.nextDouble()) * 1e9 / perSecond));
      all.add(new TraceRow(n, at, 1 + random.nextInt(4000), 1 + random.nextInt(10)));
    }
    return all;
  }

  /** What was settled at one moment, as far as the callers had been told. */
  public static final class Mark {

    private final Map<PeriodKey, Long> settled;

    private Mark(Map<PeriodKey, Long> settled) {
      this.settled = settled;
    }

    /** Nothing was settled. */
    public static Mark none() {
      return new Mark(Map.of());
    }
  }

  /** What was settled so far. */
  public Mark mark() {
    return new Mark(tally.ledger());
  }

  /** How many calls were settled so far. */
  public long settled() {
    return tally.settled.sum();
  }

  /** How many calls were admitted so far. */
  public long admitted() {
    return tally.admitted.sum();
  }

  /** How often a call has met a fault so far. */
  public long troubles() {
    return sum(tally.failedByReason()) + tally.settleRetries.sum();
  }

  /** Settlements that did not succeed in the end, by their code. */
  public Map<String, Long> unsettled() {
    return tally.unsettledByReason();
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Waits until the last caller is done; whether it was within {@code limit}. */
  public boolean await(Duration limit) throws InterruptedException {
    return player.join(limit);
  }

  /**
   * Holds the service's count against what was settled, in each period of each limit.
   *
   * @param lostAtLeast of what was settled then, the store has lost all
   * @param lostAtMost of what was settled since then, it has lost nothing
   * @return what is wrong; nothing when the service counted all that was settled, and nothing twice
   */
  public List<String> audit(Mark lostAtLeast, Mark lostAtMost) throws ReplayException {
    Map<PeriodKey, Long> settled = tally.ledger();
    Map<PeriodKey, Long> used = Periods.used(service, subjects);
    Set<PeriodKey> periods = new TreeSet<>(settled.keySet());
    periods.addAll(used.keySet());
    List<String> wrong = new ArrayList<>();
    for (PeriodKey period : periods) {
      long all = settled.getOrDefault(period, 0L);
      long least = all - lostAtMost.settled.getOrDefault(period, 0L);
      long most = all - lostAtLeast.settled.getOrDefault(period, 0L);
      long counted = used.getOrDefault(period, 0L);
      if (counted < least || counted > most) {
        wrong.add("%s: %d is not within %d and %d".formatted(period, counted, least, most));
      }
    }
    return wrong;
  }

  @Override
  public void close() {
    service.close();
  }
}
