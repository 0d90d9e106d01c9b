package dev.tidegate.service;

import dev.tidegate.domain.Limit;
import dev.tidegate.domain.PeriodQuota;
import dev.tidegate.domain.PeriodQuota.EmergencyRule;
import dev.tidegate.domain.ResourceRules.HoldRules;
import dev.tidegate.domain.SlidingBudget;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.TokenBucket;
import dev.tidegate.domain.calendar.CalendarSchedule;
import dev.tidegate.domain.calendar.CalendarUnit;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.domain.calendar.PeriodicSchedule;
import dev.tidegate.domain.calendar.SessionSchedule;
import dev.tidegate.service.Resolved.ResolvedLevel;
import dev.tidegate.store.Level;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.ScheduleLabel;
import dev.tidegate.store.Scope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns what applies to a subject into the terms of one call. */
final class Scopes {

  /** What emergency top-ups are counted by where the plan says per day. */
  static final CalendarSchedule DAYS = CalendarSchedule.every(CalendarUnit.DAY);

  private final BoundaryTable boundaries;

  Scopes(BoundaryTable boundaries) {
    this.boundaries = boundaries;
  }

  /** All levels with all limits, with the periods around {@code now}. */
  Scope at(Resolved resolved, Instant now, Anchors anchors) {
    List<Level> levels =
        resolved.levels().stream().map(level -> level(level, terms(level, now, anchors))).toList();
    return new Scope(resolved.root(), levels, resolved.resource(), resolved.plansGeneration());
  }

  /** The same levels without their limits, for what touches reservations alone. */
  static Scope withoutLimits(Scope scope) {
    List<Level> levels =
        scope.levels().stream()
            .map(
                level ->
                    new Level(
                        level.subject(),
                        level.recordVersion(),
                        level.incarnation(),
                        level.maxHolds(),
                        List.of()))
            .toList();
    return scope.withLevels(levels);
  }

  /** One level that nothing applies to any more. */
  static Scope ofUnresolved(SubjectId root, SubjectId subject, long incarnation, String resource) {
    return new Scope(root, List.of(bare(subject, incarnation)), resource, Scope.ANY_PLANS);
  }

  /**
   * The levels that a reservation was taken by; those that still apply keep their limits.
   *
   * @param taken {@code incarnation:length:subject}, comma between; the length is in bytes
   */
  static Scope asTaken(Scope scope, String taken) {
    List<Level> levels = new ArrayList<>();
    ByteBuffer text = ByteBuffer.wrap(taken.getBytes(StandardCharsets.UTF_8));
    while (text.hasRemaining()) {
      long incarnation = number(text);
      byte[] id = new byte[(int) number(text)];
      text.get(id);
      if (text.hasRemaining()) {
        text.get();
      }
      levels.add(level(scope, new SubjectId(new String(id, StandardCharsets.UTF_8)), incarnation));
    }
    return scope.withLevels(levels);
  }

  /** The number before the next colon. */
  private static long number(ByteBuffer text) {
    long number = 0;
    for (byte digit = text.get(); digit != ':'; digit = text.get()) {
      number = number * 10 + digit - '0';
    }
    return number;
  }

  private static Level level(Scope scope, SubjectId subject, long incarnation) {
    for (Level level : scope.levels()) {
      if (level.subject().equals(subject) && level.incarnation() == incarnation) {
        return level;
      }
    }
    return bare(subject, incarnation);
  }

  private static Level bare(SubjectId subject, long incarnation) {
    return new Level(
        subject, Level.ANY_VERSION, incarnation, HoldRules.DEFAULT.maxHolds(), List.of());
  }

  private static Level level(ResolvedLevel level, List<LimitTerms> limits) {
    return new Level(
        level.subject(),
        level.version(),
        level.incarnation(),
        level.rules().hold().maxHolds(),
        limits);
  }

  private List<LimitTerms> terms(ResolvedLevel level, Instant now, Anchors anchors) {
    List<LimitTerms> terms = new ArrayList<>();
    for (Limit limit : level.rules().limits()) {
      terms.add(
          switch (limit) {
            case PeriodQuota quota ->
                terms(quota, level, now, anchors.of(level.subject(), quota.name()));
            case TokenBucket bucket ->
                new LimitTerms.Bucket(
                    bucket.name(),
                    bucket.meter(),
                    bucket.capacity(),
                    bucket.refill(),
                    bucket.interval(),
                    ScheduleLabel.ofBucket(level.zone()));
            case SlidingBudget budget ->
                new LimitTerms.Sliding(
                    budget.name(),
                    budget.meter(),
                    budget.amount(),
                    budget.window(),
                    budget.buckets(),
                    ScheduleLabel.ofSliding(level.zone()));
          });
    }
    return terms;
  }

  /** The zone that a limit's schedule is read in. */
  static ZoneId zoneOf(PeriodQuota quota, ResolvedLevel level) {
    return quota.zone() == null ? level.zone() : quota.zone();
  }

  /** The schedule counted from a restart, if there was one and it can be counted so. */
  static PeriodicSchedule anchored(
      PeriodicSchedule schedule, ZoneId zone, @Nullable Instant anchor) {
    PeriodicSchedule restarted = anchor == null ? null : schedule.restartedAt(anchor, zone);
    return restarted == null ? schedule : restarted;
  }

  /** Restarted schedules are many and asked for at their boundaries alone: no table has them. */
  private BoundaryTable.Pair periodsOf(
      PeriodicSchedule schedule, ZoneId zone, Instant now, @Nullable Instant anchor) {
    if (anchor == null) {
      return boundaries.at(schedule, zone, now);
    }
    PeriodicSchedule restarted = anchored(schedule, zone, anchor);
    Period current = restarted.periodAt(now, zone);
    return new BoundaryTable.Pair(current, restarted.periodAfter(current, zone));
  }

  private LimitTerms terms(
      PeriodQuota quota, ResolvedLevel level, Instant now, @Nullable Instant anchor) {
    ZoneId zone = zoneOf(quota, level);
    List<LimitTerms.Deferral> deferrals = level.deferrals().getOrDefault(quota.name(), List.of());
    LimitTerms.Emergencies emergencies = emergencies(quota, level, now);
    ScheduleLabel label = ScheduleLabel.of(quota.schedule(), zone);
    return switch (quota.schedule()) {
      case PeriodicSchedule periodic -> {
        BoundaryTable.Pair pair = periodsOf(periodic, zone, now, anchor);
        yield new LimitTerms.Periodic(
            quota.name(),
            quota.meter(),
            quota.amount(),
            label,
            pair.current(),
            pair.next(),
            deferrals,
            emergencies,
            anchor);
      }
      case SessionSchedule session ->
          new LimitTerms.Session(
              quota.name(),
              quota.meter(),
              quota.amount(),
              label,
              session.length(),
              deferrals,
              emergencies);
    };
  }

  /** The cap on emergency top-ups; a natural day is one of the subject's zone. */
  private LimitTerms.Emergencies emergencies(PeriodQuota quota, ResolvedLevel level, Instant now) {
    EmergencyRule rule = quota.grants().emergency();
    if (rule == null) {
      return LimitTerms.Emergencies.NONE;
    }
    if (!rule.perDay()) {
      return new LimitTerms.Emergencies(rule.max(), List.of());
    }
    BoundaryTable.Pair days = boundaries.at(DAYS, level.zone(), now);
    return new LimitTerms.Emergencies(rule.max(), List.of(days.current(), days.next()));
  }
}
