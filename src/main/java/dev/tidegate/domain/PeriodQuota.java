package dev.tidegate.domain;

import dev.tidegate.domain.calendar.Schedule;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A quota that starts full and refills whole at each boundary of its schedule.
 *
 * @param name unique in its resource
 * @param meter the meter that is counted
 * @param amount units in a period, 0 to {@link Amounts#MAX}; null counts but never refuses
 * @param schedule how time is cut into periods
 * @param zone the limit's own zone; null is the subject's
 * @param options what else the plan says
 */
public record PeriodQuota(
    String name,
    String meter,
    @Nullable Long amount,
    Schedule schedule,
    @Nullable ZoneId zone,
    Options options)
    implements Limit {

  /**
   * The options of a period quota.
   *
   * @param emergency the rule for emergency top-ups; null allows none
   * @param restart the cap on restarts; null is uncapped
   * @param warnAtPercent ascending percentages of the limit, 1 to 100, whose crossing is warned of
   * @param returnSpreadSeconds over how long the advised retries after a reset are spread, 0 for
   *     not at all
   * @param allowOnStoreFailure whether a call is let through when the store does not answer
   * @param shareAmountsWithMembers whether members see the amounts of this limit of their parent
   * @param reclaimUnusedAtPercent of a pool; null is off
   */
  public record Options(
      @Nullable EmergencyRule emergency,
      @Nullable RestartRule restart,
      List<Integer> warnAtPercent,
      int returnSpreadSeconds,
      boolean allowOnStoreFailure,
      boolean shareAmountsWithMembers,
      @Nullable Integer reclaimUnusedAtPercent) {

    /** Every option off. */
    public static final Options NONE = new Options(null, null, List.of(), 0, false, false, null);

    public Options {
      warnAtPercent = List.copyOf(warnAtPercent);
    }
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
