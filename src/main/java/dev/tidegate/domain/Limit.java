package dev.tidegate.domain;

import org.jspecify.annotations.Nullable;

/** One named rule on one meter. */
public sealed interface Limit permits PeriodQuota, TokenBucket, SlidingBudget {

  /** Unique in its resource. */
  String name();

  /** The meter that is counted. */
  String meter();

  /** Units until it refuses, 0 to {@link Amounts#MAX}; null counts but never refuses. */
  @Nullable Long amount();

  /** What else the plan says. */
  LimitOptions options();
}
