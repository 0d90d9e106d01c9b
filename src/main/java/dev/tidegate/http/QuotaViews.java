package dev.tidegate.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tidegate.service.QuotaReading.LimitPeriods;
import dev.tidegate.service.Resolved;
import dev.tidegate.store.ClosedPeriod;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bodies of reading answers. */
final class QuotaViews {

  private QuotaViews() {}

  /**
   * The whole quota.
   *
   * @param limits a {@link LimitView} each, or a {@link MemberView} of a parent's limit that is not
   *     shared
   */
  @RegisterForReflection
  record Quota(
      String subject,
      String resource,
      long version,
      Instant now,
      Map<String, @Nullable Long> available,
      boolean boundByParent,
      List<Object> limits,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Warning> warnings) {

    /**
     * A quota as the caller may see it.
     *
     * @param viewer whether it sees its own limits alone
     */
    static Quota toApi(QuotaState state, Resolved on, boolean viewer) {
      LevelState own = state.levels().getFirst();
      List<LevelState> counted = viewer ? List.of(own) : state.levels();
      return new Quota(
          own.subject().value(),
          on.resource(),
          own.version(),
          state.now(),
          StateViews.available(counted),
          StateViews.isBoundByParent(state),
          limits(state, on, viewer),
          StateViews.warnings(new QuotaState(state.now(), counted), on));
    }

    private static List<Object> limits(QuotaState state, Resolved on, boolean viewer) {
      LevelState own = state.levels().getFirst();
      List<Object> views = new ArrayList<>();
      for (LevelState level : state.levels()) {
        var applying = on.levelOf(level.subject());
        for (LimitState limit : level.limits()) {
          var planned = applying == null ? null : applying.limit(limit.name());
          boolean shared = planned != null && planned.options().shareAmountsWithMembers();
          views.add(
              viewer && !level.subject().equals(own.subject()) && !shared
                  ? MemberView.toApi(limit, StateViews.binds(limit, own))
                  : LimitView.toApi(on.resource(), level, limit, applying));
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
      var current = periods.current();
      return new OfLimit(
          state.name(),
          state.meter(),
          "period",
          state.label().zone(),
          current == null
              ? null
              : new OnePeriod(
                  LimitView.periodId(current.start(), state.label()),
                  state.seq(),
                  current.start(),
                  current.end(),
                  state.amount(),
                  state.topup(),
                  state.used(),
                  state.held()),
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
