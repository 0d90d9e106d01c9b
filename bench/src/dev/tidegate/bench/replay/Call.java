package dev.tidegate.bench.replay;

/**
 * One row of the trace as it is to be played.
 *
 * @param row the row
 * @param subject on whose quota
 * @param fate what becomes of its caller
 * @param dueNanos when it is to start, by {@link System#nanoTime()}
 */
record Call(TraceRow row, String subject, Fate fate, long dueNanos) {

  /** What a caller does once its call has returned. */
  enum Fate {
    /** Settles at once. */
    SETTLES,
    /** Is gone, and its reservation lapses. */
    DIES,
    /** Settles when its lease has lapsed already. */
    SETTLES_LATE
  }
}
