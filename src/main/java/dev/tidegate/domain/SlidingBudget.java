package dev.tidegate.domain;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A limit on what is spent in the time just passed. It is kept in a few small buckets, of which the
 * oldest decays linearly.
 *
 * @param name unique in its resource
 * @param meter the meter that is counted
 * @param amount units in a window, 0 to {@link Amounts#MAX}; null counts but never refuses
 * @param window how far back spend counts; whole seconds
 * @param buckets how many the window is cut into, 1 to {@link #MAX_BUCKETS}; more are more exact
 * @param options what else the plan says
 */
public record SlidingBudget(
    String name,
    String meter,
    @Nullable Long amount,
    Duration window,
    int buckets,
    LimitOptions options)
    implements Limit {

  /** The longest window. */
  public static final Duration LONGEST_WINDOW = Duration.ofDays(366);

  /** The greatest number of buckets. */
  public static final int MAX_BUCKETS = 60;
}
