package dev.tidegate.domain;

import java.time.Duration;

/**
 * A limit that drips: it starts full and is refilled all the time, up to its capacity.
 *
 * @param name unique in its resource
 * @param meter the meter that is counted
 * @param capacity units in the full bucket, 0 to {@link Amounts#MAX}
 * @param refill units that come back in each interval, 1 to {@link Amounts#MAX}
 * @param interval in which {@code refill} units come back, evenly; whole seconds
 * @param options what else the plan says
 */
public record TokenBucket(
    String name, String meter, long capacity, long refill, Duration interval, LimitOptions options)
    implements Limit {

  /** The longest interval. */
  public static final Duration LONGEST_INTERVAL = Duration.ofDays(366);

  @Override
  public Long amount() {
    return capacity;
  }
}
