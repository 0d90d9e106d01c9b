package dev.tidegate.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidegate.domain.RecentUse;
import dev.tidegate.domain.RecentUse.Rate;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.service.QuotaReading.LimitPeriods;
import dev.tidegate.service.Resolved;
import dev.tidegate.store.ClosedPeriod;
import dev.tidegate.store.Insight;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The bodies of reading answers. */
final class QuotaViews {

  private QuotaViews() {}

  /**
   * The whole quota.
   *
   * @param burnRate1h by meter that the subject's own limits count; null = its record is too young
   * @param burnRate24h likewise
   * @param usageBreakdown of that of the subject's own periods which has been running longest
   * @param limits a {@link LimitReport} each, or a {@link MemberView} of a parent's limit that is
   *     not shared
   */
  @RegisterForReflection
  record Quota(
      String subject,
      String resource,
      long version,
      Instant now,
      Map<String, @Nullable Long> available,
      boolean boundByParent,
      @JsonProperty("burn_rate_1h") Map<String, @Nullable BigDecimal> burnRate1h,
      @JsonProperty("burn_rate_24h") Map<String, @Nullable BigDecimal> burnRate24h,
      Map<String, Long> usageBreakdown,
      List<Object> limits,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Warning> warnings) {

    /**
     * A quota as the caller may see it.
     *
     * @param viewer whether it sees its own limits alone
     */
    static Quota toApi(Outcome.Quota read, Resolved on, boolean viewer) {
      QuotaState state = read.state();
      LevelState own = state.levels().getFirst();
      List<LevelState> counted = viewer ? List.of(own) : state.levels();
      return new Quota(
          own.subject().value(),
          on.resource(),
          own.version(),
          state.now(),
          StateViews.available(counted),
          StateViews.isBoundByParent(state),
          burnRates(own, read.insights().getFirst(), RecentUse::overHour),
          burnRates(own, read.insights().getFirst(), RecentUse::overDay),
          breakdown(read, on),
          limits(read, on, viewer),
          StateViews.warnings(new QuotaState(state.now(), counted), on));
    }

    private static Map<String, @Nullable BigDecimal> burnRates(
        LevelState own, Insight insight, Function<RecentUse, @Nullable Rate> over) {
      Map<String, @Nullable BigDecimal> rates = new TreeMap<>();
      for (LimitState limit : own.limits()) {
        RecentUse use = insight.byMeter().get(limit.meter());
        rates.put(limit.meter(), LimitReport.burnRate(use == null ? null : over.apply(use)));
      }
      return rates;
    }

    /** Empty when no category feeds a period that is running. */
    private static Map<String, Long> breakdown(Outcome.Quota read, Resolved on) {
      LevelState own = read.state().levels().getFirst();
      Insight insight = read.insights().getFirst();
      Map<String, Long> longest = Map.of();
      Instant since = Instant.MAX;
      for (LimitState limit : own.limits()) {
        var period = limit.period();
        var units = LimitReport.breakdown(limit, insight, on);
        boolean fed = units != null && !units.isEmpty();
        if (period != null && fed && period.start().isBefore(since)) {
          longest = Objects.requireNonNull(units);
          since = period.start();
        }
      }
      return longest;
    }

    private static List<Object> limits(Outcome.Quota read, Resolved on, boolean viewer) {
      QuotaState state = read.state();
      LevelState own = state.levels().getFirst();
      List<Object> views = new ArrayList<>();
      for (int l = 0; l < state.levels().size(); l++) {
        LevelState level = state.levels().get(l);
        Insight insight = read.insights().get(l);
        var applying = on.levelOf(level.subject());
        for (LimitState limit : level.limits()) {
          var planned = applying == null ? null : applying.limit(limit.name());
          boolean shared = planned != null && planned.options().shareAmountsWithMembers();
          views.add(
              viewer && !level.subject().equals(own.subject()) && !shared
                  ? MemberView.toApi(limit, StateViews.binds(limit, own))
                  : LimitReport.toApi(level, limit, insight, on, state.now()));
        }
      }
      return views;
    }
  }

  /** Periods of all limits of a subject. */
  @RegisterForReflection
  record Periods(String subject, String resource, long version, List<OfLimit> limits) {}

  /**
   * Periods of one limit.
   *
   * @param current null = a session that is not running
   * @param past newest first
   * @param next resets to come
   */
  @RegisterForReflection
  record OfLimit(
      String name,
      String meter,
      String kind,
      String zone,
      @Nullable OnePeriod current,
      List<OnePeriod> past,
      List<Instant> next) {

    static OfLimit toApi(LimitPeriods periods) {
      LimitState state = periods.state();
      return new OfLimit(
          state.name(),
          state.meter(),
          "period",
          state.label().zone(),
          OnePeriod.current(state),
          periods.past().stream().map(OnePeriod::toApi).toList(),
          periods.next());
    }
  }

  /** One period of one limit. */
  @RegisterForReflection
  record OnePeriod(
      String periodId,
      long seq,
      Instant start,
      Instant end,
      @Nullable Long limit,
      long topup,
      long used,
      long held) {

    /** The period that a limit is in, or null when it is in none. */
    static @Nullable OnePeriod current(LimitState state) {
      Period period = state.period();
      return period == null
          ? null
          : new OnePeriod(
              LimitView.periodId(period.start(), state.label()),
              state.seq(),
              period.start(),
              period.end(),
              state.amount(),
              state.topup(),
              state.used(),
              state.held());
    }

    static OnePeriod toApi(ClosedPeriod closed) {
      return new OnePeriod(
          LimitView.periodId(closed.period().start(), closed.label()),
          closed.seq(),
          closed.period().start(),
          closed.period().end(),
          closed.amount(),
          closed.topup(),
          closed.used(),
          closed.held());
    }
  }
}
