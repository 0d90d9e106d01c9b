package dev.tidegate.domain;

import dev.tidegate.domain.calendar.Schedule;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a limit that a subject overrides; a null field is the plan's.
 *
 * @param amount the limit
 * @param timing the schedule and its zone
 */
public record LimitOverride(
    @Nullable AmountOverride amount,
    @Nullable Timing timing,
    PeriodQuota.@Nullable EmergencyRule emergency,
    PeriodQuota.@Nullable RestartRule restart,
    @Nullable List<Integer> warnAtPercent,
    @Nullable Integer returnSpreadSeconds,
    @Nullable Boolean allowOnStoreFailure,
    @Nullable Boolean shareAmountsWithMembers,
    @Nullable Integer reclaimUnusedAtPercent) {

  /**
   * An overridden limit.
   *
   * @param amount 0 to {@link Amounts#MAX}; null counts but never refuses
   */
  public record AmountOverride(@Nullable Long amount) {}

  /**
   * A schedule and where it is read.
   *
   * @param zone the limit's own zone; null is the subject's
   */
  public record Timing(Schedule schedule, @Nullable ZoneId zone) {}

  /** The plan's limit with these fields in place of its own. */
  public PeriodQuota appliedTo(PeriodQuota plan) {
    PeriodQuota.Options options = plan.options();
    return new PeriodQuota(
        plan.name(),
        plan.meter(),
        amount == null ? plan.amount() : amount.amount(),
        timing == null ? plan.schedule() : timing.schedule(),
        timing == null ? plan.zone() : timing.zone(),
        new PeriodQuota.Options(
            emergency == null ? options.emergency() : emergency,
            restart == null ? options.restart() : restart,
            warnAtPercent == null ? options.warnAtPercent() : warnAtPercent,
            returnSpreadSeconds == null ? options.returnSpreadSeconds() : returnSpreadSeconds,
            allowOnStoreFailure == null ? options.allowOnStoreFailure() : allowOnStoreFailure,
            shareAmountsWithMembers == null
                ? options.shareAmountsWithMembers()
                : shareAmountsWithMembers,
            reclaimUnusedAtPercent == null
                ? options.reclaimUnusedAtPercent()
                : reclaimUnusedAtPercent));
  }
}
