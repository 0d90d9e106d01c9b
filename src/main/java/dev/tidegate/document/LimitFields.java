package dev.tidegate.document;

import dev.tidegate.domain.Limit;
import dev.tidegate.domain.PeriodQuota;
import dev.tidegate.domain.SlidingBudget;
import dev.tidegate.domain.TokenBucket;
import java.util.Set;

/** Which fields of a limit its kind has, by the names that documents have for them. */
public final class LimitFields {

  private static final Set<String> OF_ALL =
      Set.of(
          "warn_at_percent",
          "return_spread_seconds",
          "on_store_failure",
          "share_amounts_with_members");

  private static final Set<String> OF_PERIOD =
      Set.of("limit", "schedule", "emergency", "restart", "reclaim_unused_at_percent");

  private static final Set<String> OF_BUCKET = Set.of("capacity", "refill", "interval_seconds");

  private static final Set<String> OF_SLIDING = Set.of("limit", "window_seconds", "buckets");

  private LimitFields() {}

  /** Whether a subject may override the field of this limit. */
  public static boolean has(Limit limit, String field) {
    Set<String> own =
        switch (limit) {
          case PeriodQuota quota -> OF_PERIOD;
          case TokenBucket bucket -> OF_BUCKET;
          case SlidingBudget budget -> OF_SLIDING;
        };
    return own.contains(field) || OF_ALL.contains(field);
  }

  /** The word that a document names the kind of the limit with. */
  public static String kindOf(Limit limit) {
    return switch (limit) {
      case PeriodQuota quota -> "period";
      case TokenBucket bucket -> "token_bucket";
      case SlidingBudget budget -> "sliding";
    };
  }
}
