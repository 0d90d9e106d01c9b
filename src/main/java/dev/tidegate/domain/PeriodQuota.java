package dev.tidegate.domain;

import dev.tidegate.domain.calendar.Schedule;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * A quota that starts full and refills whole at each boundary of its schedule.
 *
 * @param name unique in its resource
 * @param meter the meter that is counted
 * @param amount units in a period, 0 to {@link Amounts#MAX}; null counts but never refuses
 * @param schedule how time is cut into periods
 * @param zone the limit's own zone; null is the subject's
 * @param grants what may be granted on top
 * @param options what else the plan says
 */
public record PeriodQuota(
    String name,
    String meter,
    @Nullable Long amount,
    Schedule schedule,
    @Nullable ZoneId zone,
    GrantRules grants,
    LimitOptions options)
    implements Limit {

  /**
   * What may be granted on a period quota, and taken back.
   *
   * @param emergency the rule for emergency top-ups; null allows none
   * @param restart the cap on restarts; null is uncapped
   * @param reclaimUnusedAtPercent of a pool; null is off
   */
  public record GrantRules(
      @Nullable EmergencyRule emergency,
      @Nullable RestartRule restart,
      @Nullable Integer reclaimUnusedAtPercent) {

    /** No emergency top-ups, uncapped restarts, no reclaiming. */
    public static final GrantRules NONE = new GrantRules(null, null, null);
  }

  /**
   * Emergency top-ups of a limit.
   *
   * @param amount units that each adds, 1 or more
   * @param max how many there may be, 1 or more
   * @param perDay whether they are counted per natural day of the subject's zone instead of per
   *     period
   * @param selfService whether the subject itself may ask for one
   */
  public record EmergencyRule(long amount, int max, boolean perDay, boolean selfService) {}

  /**
   * The cap on restarts of a limit.
   *
   * @param max how many there may be, 1 or more
   * @param perDays in how many days
   */
  public record RestartRule(int max, int perDays) {}
}
