package dev.tidegate.store;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the audit trail tells of one grant.
 *
 * @param id unique in the trail of the subject, growing
 * @param at the store's clock
 * @param by who granted
 * @param role in which role
 * @param versionBefore with what had rolled over by then
 * @param version after it; the same when nothing was changed
 * @param reason as it was given; null = none
 * @param key the idempotency key; null = none
 * @param limits those that the grant named, in the order of the plan
 */
public record AuditEvent(
    String id,
    Instant at,
    Operation operation,
    String by,
    String role,
    String resource,
    long versionBefore,
    long version,
    @Nullable String reason,
    @Nullable String key,
    List<Change> limits) {

  /** The order of ids: that of the events. */
  public static final Comparator<String> BY_ID =
      Comparator.<String>comparingLong(id -> Long.parseLong(id.substring(0, id.indexOf('-'))))
          .thenComparingLong(id -> Long.parseLong(id.substring(id.indexOf('-') + 1)));

  public AuditEvent {
    limits = List.copyOf(limits);
  }

  /** What was done. */
  public enum Operation {
    PURCHASE,
    EMERGENCY,
    KEEP_ANCHOR,
    RESTART
  }

  /**
   * What became of one limit.
   *
   * @param granted units that were added
   */
  public record Change(String limit, long granted, Quota before, Quota after) {}

  /**
   * A limit at one instant.
   *
   * @param amount the plan's units; null = none
   * @param resetAt when it is full again if nobody acts; null = a session that is not running
   */
  public record Quota(
      long seq,
      @Nullable Long amount,
      long topup,
      long used,
      long held,
      @Nullable Instant resetAt) {}
}
