package dev.tidegate.bench.replay;

import dev.tidegate.bench.replay.Call.Fate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** Starts the calls of a trace when they are due. */
final class Player {

  private final Settings settings;
  private final ServiceClient service;
  private final Tally tally;
  private final List<String> subjects;
  private final double[] shares;
  private final Random random;

  Player(Settings settings, ServiceClient service, Tally tally, List<String> subjects) {
    this.settings = settings;
    this.service = service;
    this.tally = tally;
    this.subjects = subjects;
    this.shares = shares(subjects.size());
    this.random = new Random(settings.seed());
  }

  /** Plays all rows and returns when the last caller is done, late ones included. */
  void play(List<TraceRow> rows) {
    Instant first = rows.getFirst().at();
    long start = System.nanoTime();
    // Fair, so that a late caller that wants its slot back is not passed by all that follow.
    Semaphore slots = new Semaphore(settings.concurrency(), true);
    Caller caller = new Caller(settings, service, tally, slots);
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (TraceRow row : rows) {
        long due = start + scaled(Duration.between(first, row.at()));
        Call call = new Call(row, anySubject(), anyFate(), due);
        sleepUntil(due);
        slots.acquireUninterruptibly();
        callers.execute(
            () -> {
              try {
                caller.play(call);
              } finally {
                slots.release();
              }
            });
      }
    }
  }

  private long scaled(Duration traced) {
    return (long) (traced.toNanos() / settings.speed());
  }

  /** The n-th subject makes 1/n as many calls as the first: a few are heavy, as in life. */
  private String anySubject() {
    int at = Arrays.binarySearch(shares, random.nextDouble() * shares[shares.length - 1]);
    return subjects.get(at < 0 ? -at - 1 : at);
  }

  /** The sums of the weights of the first, the first two, and so on to all. */
  private static double[] shares(int subjects) {
    double[] shares = new double[subjects];
    double sum = 0;
    for (int at = 0; at < subjects; at++) {
      sum += 1.0 / (at + 1);
      shares[at] = sum;
    }
    return shares;
  }

  private Fate anyFate() {
    double percent = 100 * random.nextDouble();
    if (percent < settings.diePercent()) {
      return Fate.DIES;
    }
    return percent < settings.diePercent() + settings.latePercent()
        ? Fate.SETTLES_LATE
        : Fate.SETTLES;
  }

  private static void sleepUntil(long dueNanos) {
    for (long rest = dueNanos - System.nanoTime(); rest > 0; rest = dueNanos - System.nanoTime()) {
      LockSupport.parkNanos(rest);
    }
  }
}
