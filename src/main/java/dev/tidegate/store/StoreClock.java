package dev.tidegate.store;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the service takes for now. The store's clock decides; this one follows it, so that a service
 * whose own clock is wrong still hands over the right periods at the first attempt. A test clock,
 * once set, stands still for both.
 */
public final class StoreClock {

  /** How far the store's clock is ahead of this machine's, in milliseconds, never overestimated. */
  private final AtomicLong offsetMillis = new AtomicLong();

  private volatile long pinnedMillis;

  /** The best idea of the store's clock. */
  public Instant now() {
    long pinned = pinnedMillis;
    return Instant.ofEpochMilli(
        pinned != 0 ? pinned : System.currentTimeMillis() + offsetMillis.get());
  }

  /**
   * The instant of the test clock in milliseconds since 1970, or 0 when the store's clock decides.
   */
  public long pinnedMillis() {
    return pinnedMillis;
  }

  /** Makes the clock stand still at {@code instant}, later than 1970. */
  public void pin(Instant instant) {
    pinnedMillis = instant.toEpochMilli();
  }

  /** Lets the store's clock decide again. */
  public void unpin() {
    pinnedMillis = 0;
  }

  /** Takes note of what the store's clock has just said. */
  public void observe(Instant storeNow) {
    if (pinnedMillis == 0) {
      offsetMillis.set(storeNow.toEpochMilli() - System.currentTimeMillis());
    }
  }
}
