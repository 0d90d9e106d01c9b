package dev.tidegate.bench.replay;

import java.util.Arrays;

/** Durations of many calls, each kept, so that percentiles are exact. Safe for many threads. */
final class Latencies {

  private static final int INITIAL_CAPACITY = 1_024;

  private long[] nanos = new long[INITIAL_CAPACITY];
  private int size;

  /**
   * Adds one.
   *
   * @param elapsedNanos how long the call took
   */
  synchronized void add(long elapsedNanos) {
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * size);
    }
    nanos[size++] = elapsedNanos;
  }

  /** How many were added. */
  synchronized long count() {
    return size;
  }

  /** All that were added until now. */
  synchronized Percentiles percentiles() {
    long[] sorted = Arrays.copyOf(nanos, size);
    Arrays.sort(sorted);
    return new Percentiles(sorted);
  }

  /** Durations in ascending order. */
  static final class Percentiles {

    private final long[] sorted;

    private Percentiles(long[] sorted) {
      this.sorted = sorted;
    }

    /**
     * The least duration that {@code percent} of all do not exceed (nearest rank), 0 without any.
     *
     * @param percent from 1 to 100, where it is the longest of all
     * @return nanoseconds
     */
    long at(int percent) {
      if (percent < 1 || percent > 100) {
        throw new IllegalArgumentException("not a percentile: " + percent);
      }
      if (sorted.length == 0) {
        return 0;
      }
      return sorted[Math.toIntExact(Math.ceilDiv((long) percent * sorted.length, 100L)) - 1];
    }
  }
}
