package dev.tidegate.domain;

import dev.tidegate.domain.PeriodQuota.EmergencyRule;
import dev.tidegate.domain.PeriodQuota.GrantRules;
import dev.tidegate.domain.PeriodQuota.RestartRule;
import dev.tidegate.domain.calendar.Schedule;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a limit that a subject overrides; a null field is the plan's. What the plan's limit
 * has no field for says nothing: the plan may have come to another kind since.
 *
 * @param amount the limit of a period quota or a sliding budget
 * @param timing the schedule and its zone, of a period quota
 * @param drip of a token bucket
 * @param window of a sliding budget
 * @param grants of a period quota
 * @param options of any kind
 */
public record LimitOverride(
    @Nullable AmountOverride amount,
    @Nullable Timing timing,
    Drip drip,
    Window window,
    Grants grants,
    Options options) {

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

  /** The fields of {@link TokenBucket}. */
  public record Drip(@Nullable Long capacity, @Nullable Long refill, @Nullable Duration interval) {

    /** The plan's. */
    public static final Drip NONE = new Drip(null, null, null);
  }

  /** The fields of {@link SlidingBudget}. */
  public record Window(@Nullable Duration length, @Nullable Integer buckets) {

    /** The plan's. */
    public static final Window NONE = new Window(null, null);
  }

  /** The fields of {@link GrantRules}. */
  public record Grants(
      @Nullable EmergencyRule emergency,
      @Nullable RestartRule restart,
      @Nullable Integer reclaimUnusedAtPercent) {

    /** The plan's. */
    public static final Grants NONE = new Grants(null, null, null);

    /** The plan's rules with these in place of its own. */
    public GrantRules appliedTo(GrantRules plan) {
      return new GrantRules(
          emergency == null ? plan.emergency() : emergency,
          restart == null ? plan.restart() : restart,
          reclaimUnusedAtPercent == null ? plan.reclaimUnusedAtPercent() : reclaimUnusedAtPercent);
    }
  }

  /** The fields of {@link LimitOptions}. */
  public record Options(
      @Nullable List<Integer> warnAtPercent,
      @Nullable Integer returnSpreadSeconds,
      @Nullable Boolean allowOnStoreFailure,
      @Nullable Boolean shareAmountsWithMembers) {

    /** The plan's. */
    public static final Options NONE = new Options(null, null, null, null);

    /** The plan's options with these in place of its own. */
    public LimitOptions appliedTo(LimitOptions plan) {
      return new LimitOptions(
          Objects.requireNonNullElse(warnAtPercent, plan.warnAtPercent()),
          Objects.requireNonNullElse(returnSpreadSeconds, plan.returnSpreadSeconds()),
          Objects.requireNonNullElse(allowOnStoreFailure, plan.allowOnStoreFailure()),
          Objects.requireNonNullElse(shareAmountsWithMembers, plan.shareAmountsWithMembers()));
    }
  }

  /** The plan's limit with these fields in place of its own. */
  public Limit appliedTo(Limit plan) {
    return switch (plan) {
      case PeriodQuota quota ->
          new PeriodQuota(
              quota.name(),
              quota.meter(),
              amountOver(quota.amount()),
              timing == null ? quota.schedule() : timing.schedule(),
              timing == null ? quota.zone() : timing.zone(),
              grants.appliedTo(quota.grants()),
              options.appliedTo(quota.options()));
      case TokenBucket bucket ->
          new TokenBucket(
              bucket.name(),
              bucket.meter(),
              Objects.requireNonNullElse(drip.capacity(), bucket.capacity()),
              Objects.requireNonNullElse(drip.refill(), bucket.refill()),
              Objects.requireNonNullElse(drip.interval(), bucket.interval()),
              options.appliedTo(bucket.options()));
      case SlidingBudget budget ->
          new SlidingBudget(
              budget.name(),
              budget.meter(),
              amountOver(budget.amount()),
              Objects.requireNonNullElse(window.length(), budget.window()),
              Objects.requireNonNullElse(window.buckets(), budget.buckets()),
              options.appliedTo(budget.options()));
    };
  }

  private @Nullable Long amountOver(@Nullable Long plan) {
    return amount == null ? plan : amount.amount();
  }
}
