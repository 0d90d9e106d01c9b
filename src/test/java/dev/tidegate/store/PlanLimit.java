package dev.tidegate.store;

import dev.tidegate.domain.calendar.FixedSchedule;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.domain.calendar.PeriodicSchedule;
import dev.tidegate.domain.calendar.Schedule;
import dev.tidegate.domain.calendar.SessionSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * A limit as a plan has it, from which the terms of a call follow.
 *
 * @param amount units in a period; null = counts only
 */
public record PlanLimit(
    String name, String meter, @Nullable Long amount, Schedule schedule, ZoneId zone) {

  /** A limit of periods of equal length since 1970. */
  public static PlanLimit every(Duration length, String name, String meter, @Nullable Long amount) {
    FixedSchedule schedule = new FixedSchedule(length, Instant.EPOCH);
    return new PlanLimit(name, meter, amount, schedule, ZoneOffset.UTC);
  }

  /** A limit of sessions that use opens. */
  public static PlanLimit session(
      Duration length, String name, String meter, @Nullable Long amount) {
    SessionSchedule schedule = new SessionSchedule(length);
    return new PlanLimit(name, meter, amount, schedule, ZoneOffset.UTC);
  }

  /** The same limit with another amount. */
  public PlanLimit withAmount(@Nullable Long changed) {
    return new PlanLimit(name, meter, changed, schedule, zone);
  }

  /** The same limit with another schedule. */
  public PlanLimit withSchedule(Schedule changed) {
    return new PlanLimit(name, meter, amount, changed, zone);
  }

  /** What the limit means for a call at about {@code now}. */
  public LimitTerms termsAt(Instant now) {
    ScheduleLabel label = ScheduleLabel.of(schedule, zone);
    return switch (schedule) {
      case SessionSchedule session ->
          new LimitTerms.Session(name, meter, amount, label, session.length());
      case PeriodicSchedule periodic -> {
        Period current = periodic.periodAt(now, zone);
        Period next = periodic.periodAfter(current, zone);
        yield new LimitTerms.Periodic(name, meter, amount, label, current, next);
      }
    };
  }
}
