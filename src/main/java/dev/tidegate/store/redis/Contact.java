package dev.tidegate.store.redis;

/** When a server was last found to answer on a new connection; its lanes tell each other. */
final class Contact {

  private volatile long lastNanos = System.nanoTime();

  void made() {
    lastNanos = System.nanoTime();
  }

  /**
   * Whether it was found after that moment.
   *
   * @param nanos as {@link System#nanoTime} counts
   */
  boolean isAfter(long nanos) {
    return lastNanos - nanos > 0;
  }
}
