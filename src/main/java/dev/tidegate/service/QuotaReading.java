package dev.tidegate.service;

import dev.tidegate.domain.PeriodQuota;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.domain.calendar.PeriodicSchedule;
import dev.tidegate.domain.calendar.SessionSchedule;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.service.Resolved.ResolvedLevel;
import dev.tidegate.store.ClosedPeriod;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.QuotaState.LimitState;
import dev.tidegate.store.ScheduleLabel;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads quotas and their periods; writes nothing. */
@ApplicationScoped
public class QuotaReading {

  /** The greatest number of past periods that can be asked for. */
  public static final int MAX_PAST = 1000;

  /** The greatest number of next resets that can be asked for. */
  public static final int MAX_NEXT = 100;

  private final Decisions decisions;
  private final MeteringStore store;

  QuotaReading(Decisions decisions, MeteringStore store) {
    this.decisions = decisions;
    this.store = store;
  }

  /** The quota of a subject on a resource as it is now. */
  public Uni<Answer<Outcome.Reading>> read(SubjectId subject, String resource) {
    return decisions.read(
        subject,
        resource,
        (resolved, scope) -> store.read(scope).map(outcome -> new Decided<>(outcome, resolved)));
  }

  /** The current and the closed periods as they are stored. */
  public Uni<Answer<Outcome.ReadingPeriods>> readPeriods(SubjectId subject, String resource) {
    return decisions.read(
        subject,
        resource,
        (resolved, scope) ->
            store.readPeriods(scope).map(outcome -> new Decided<>(outcome, resolved)));
  }

  /**
   * The periods of a limit.
   *
   * @param current null = a session that is not running
   * @param past newest first
   * @param next the resets to come
   */
  public record LimitPeriods(
      LimitState state, @Nullable Period current, List<ClosedPeriod> past, List<Instant> next) {}

  /**
   * The periods of a limit, with those in which it was not used.
   *
   * @param periods all that is known of the subject
   * @param past how many closed periods, 0 to {@value #MAX_PAST}
   * @param next how many resets, 0 to {@value #MAX_NEXT}
   */
  public LimitPeriods periodsOf(
      LimitState state, ResolvedLevel level, Outcome.Periods periods, int past, int next) {
    PeriodQuota quota = level.quota(state.name());
    List<ClosedPeriod> known =
        periods.closed().stream()
            .filter(period -> period.limit().equals(state.name()))
            .sorted(Comparator.comparingLong(ClosedPeriod::seq).reversed())
            .toList();
    if (quota == null) {
      return new LimitPeriods(state, state.period(), first(known, past), List.of());
    }
    ZoneId zone = Scopes.zoneOf(quota, level);
    Instant anchor = periods.anchors().get(state.name());
    return new LimitPeriods(
        state,
        state.period(),
        withIdle(known, quota, zone, state, anchor, past),
        nextResets(state, quota, zone, anchor, next));
  }

  private static List<ClosedPeriod> first(List<ClosedPeriod> periods, int count) {
    return periods.subList(0, Math.min(count, periods.size()));
  }

  /**
   * Fills the gaps between the periods that were used with those that the schedule had there. Their
   * numbers differ as their ordinals do, which of cron schedules is by more than one.
   */
  private static List<ClosedPeriod> withIdle(
      List<ClosedPeriod> known,
      PeriodQuota quota,
      ZoneId zone,
      LimitState state,
      @Nullable Instant anchor,
      int count) {
    if (!(quota.schedule() instanceof PeriodicSchedule schedule) || state.period() == null) {
      return first(known, count);
    }
    ScheduleLabel label = ScheduleLabel.of(schedule, zone);
    List<ClosedPeriod> all = new ArrayList<>();
    Period later = state.period();
    long laterSeq = state.seq();
    Instant laterAnchor = anchor;
    for (ClosedPeriod period : known) {
      PeriodicSchedule counted = Scopes.anchored(schedule, zone, laterAnchor);
      long seq = laterSeq;
      Instant end = later.start();
      long ordinal = counted.periodAt(end, zone).ordinal();
      while (all.size() < count
          && period.label().equals(label)
          && period.period().end().isBefore(end)) {
        Period idle = counted.periodAt(end.minusMillis(1), zone);
        seq -= Math.max(1, ordinal - idle.ordinal());
        all.add(
            new ClosedPeriod(quota.name(), label, seq, idle, quota.amount(), 0, 0, 0, laterAnchor));
        end = idle.start();
        ordinal = idle.ordinal();
      }
      if (all.size() < count) {
        all.add(period);
      }
      later = period.period();
      laterSeq = period.seq();
      laterAnchor = period.anchor();
    }
    return all;
  }

  /** Whether the current period is of the schedule of today, so that its anchor counts on. */
  private static boolean isOf(LimitState state, PeriodicSchedule schedule, ZoneId zone) {
    return state.label().fingerprint().equals(ScheduleLabel.of(schedule, zone).fingerprint());
  }

  private static List<Instant> nextResets(
      LimitState state, PeriodQuota quota, ZoneId zone, @Nullable Instant anchor, int count) {
    Period current = state.period();
    List<Instant> next = new ArrayList<>();
    if (current == null || count == 0) {
      return next;
    }
    next.add(current.end());
    switch (quota.schedule()) {
      case PeriodicSchedule schedule when count > 1 ->
          Scopes.anchored(schedule, zone, isOf(state, schedule, zone) ? anchor : null)
              .periodsFrom(current.end(), zone, count - 1)
              .forEach(period -> next.add(period.end()));
      case PeriodicSchedule one -> {}
      case SessionSchedule opensOnUse -> {}
    }
    return next;
  }
}
