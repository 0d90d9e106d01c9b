package dev.tidegate.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tidegate.domain.Forecast;
import dev.tidegate.domain.PeriodUse;
import dev.tidegate.domain.RecentUse;
import dev.tidegate.service.Resolved;
import dev.tidegate.store.Insight;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One limit as it is read: as it is now, and how it is used.
 *
 * @param burnRate1h units per hour; null = the record is too young
 * @param burnRate24h likewise
 * @param estimatedExhaustAt null = not before the reset, not known, or exhausted already
 * @param usageBreakdown units by category; null = the limit has no periods
 */
@RegisterForReflection
record LimitReport(
    @JsonUnwrapped LimitView limit,
    @JsonProperty("burn_rate_1h") @Nullable BigDecimal burnRate1h,
    @JsonProperty("burn_rate_24h") @Nullable BigDecimal burnRate24h,
    @Nullable Instant estimatedExhaustAt,
    @Nullable Map<String, Long> usageBreakdown,
    @Nullable BigDecimal cacheHitRate,
    @Nullable String mostExpensive) {

  private static final Set<String> KINDS_WITH_PERIODS = Set.of("period", "session");

  /** A limit of a level that is read at {@code now}. */
  static LimitReport toApi(
      LevelState level, LimitState limit, Insight insight, Resolved on, Instant now) {
    LimitView view = LimitView.toApi(on.resource(), level, limit);
    RecentUse recent = insight.byMeter().get(limit.meter());
    var period = limit.period();
    PeriodUse use = useOf(limit, insight);
    return new LimitReport(
        view,
        burnRate(recent == null ? null : recent.overHour()),
        burnRate(recent == null ? null : recent.overDay()),
        Forecast.exhaustedAt(now, limit.remaining(), recent, period == null ? null : period.end()),
        breakdown(limit, insight, on),
        plain(use.cacheHitRate()),
        use.mostExpensive());
  }

  /** Units per hour as a number without an exponent; null = there is no rate. */
  static @Nullable BigDecimal burnRate(RecentUse.@Nullable Rate rate) {
    return rate == null ? null : plain(rate.perHour());
  }

  private static @Nullable BigDecimal plain(@Nullable BigDecimal number) {
    if (number == null) {
      return null;
    }
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  private static PeriodUse useOf(LimitState limit, Insight insight) {
    return insight.byLimit().getOrDefault(limit.name(), PeriodUse.NONE);
  }

  /**
   * Units by category: of those that feed the limit's meter, in the order of the plan, then of
   * others that were used; null = the limit has no periods.
   */
  static @Nullable Map<String, Long> breakdown(LimitState limit, Insight insight, Resolved on) {
    if (!KINDS_WITH_PERIODS.contains(limit.kind())) {
      return null;
    }
    Map<String, Long> units = new LinkedHashMap<>();
    on.usageRules().categoriesOf(limit.meter()).forEach(category -> units.put(category, 0L));
    useOf(limit, insight).byCategory().forEach((category, use) -> units.put(category, use.units()));
    return units;
  }
}
