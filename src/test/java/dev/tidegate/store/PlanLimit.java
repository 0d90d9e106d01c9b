package dev.tidegate.store;

import dev.tidegate.domain.calendar.CalendarSchedule;
import dev.tidegate.domain.calendar.CalendarUnit;
import dev.tidegate.domain.calendar.FixedSchedule;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.domain.calendar.PeriodicSchedule;
import dev.tidegate.domain.calendar.Schedule;
import dev.tidegate.domain.calendar.SessionSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limit as a plan has it, from which the terms of a call follow.
 *
 * @param amount units until it refuses; null = counts only, a token bucket that has null holds
 *     nothing
 * @param pace how what was taken comes back
 * @param deferrals changes of the amount that wait for the end of a period, the earliest first
 * @param cap on emergency top-ups
 */
public record PlanLimit(
    String name,
    String meter,
    @Nullable Long amount,
    Pace pace,
    ZoneId zone,
    List<LimitTerms.Deferral> deferrals,
    Cap cap) {

  /** How many changes that wait are remembered. */
  private static final int MAX_DEFERRALS = 64;

  private static final CalendarSchedule DAYS = CalendarSchedule.every(CalendarUnit.DAY);

  /**
   * How many emergency top-ups there may be.
   *
   * @param zone in whose natural days they are counted; null = by the period
   */
  public record Cap(int max, @Nullable ZoneId zone) {

    /** There may be none. */
    public static final Cap NONE = new Cap(0, null);

    LimitTerms.Emergencies at(Instant now) {
      if (zone == null) {
        return new LimitTerms.Emergencies(max, List.of());
      }
      Period today = DAYS.periodAt(now, zone);
      return new LimitTerms.Emergencies(max, List.of(today, DAYS.periodAfter(today, zone)));
    }
  }

  public PlanLimit {
    deferrals = List.copyOf(deferrals);
  }

  /** A limit that has not changed. */
  public PlanLimit(String name, String meter, @Nullable Long amount, Pace pace, ZoneId zone) {
    this(name, meter, amount, pace, zone, List.of(), Cap.NONE);
  }

  /** How what was taken of a limit comes back. */
  public sealed interface Pace {}

  /** All of it at each boundary. */
  public record Periods(Schedule schedule) implements Pace {}

  /**
   * All of it at each boundary, as a process sees it whose time-zone data differs: under the same
   * name, every boundary comes later.
   */
  public record MovedPeriods(PeriodicSchedule schedule, Duration later) implements Pace {

    private Period periodAt(Instant now) {
      return moved(schedule.periodAt(now.minus(later), ZoneOffset.UTC));
    }

    private Period periodAfter(Period period) {
      return periodAt(period.end());
    }

    private Period moved(Period period) {
      return new Period(period.start().plus(later), period.end().plus(later), period.ordinal());
    }
  }

  /** Evenly, so many units in each interval. */
  public record Drip(long refill, Duration interval) implements Pace {}

  /** When it has left a window that is cut into buckets. */
  public record Window(Duration length, int buckets) implements Pace {}

  /** A limit of periods of equal length since 1970. */
  public static PlanLimit every(Duration length, String name, String meter, @Nullable Long amount) {
    FixedSchedule schedule = new FixedSchedule(length, Instant.EPOCH);
    return new PlanLimit(name, meter, amount, new Periods(schedule), ZoneOffset.UTC);
  }

  /** A limit of sessions that use opens. */
  public static PlanLimit session(
      Duration length, String name, String meter, @Nullable Long amount) {
    SessionSchedule schedule = new SessionSchedule(length);
    return new PlanLimit(name, meter, amount, new Periods(schedule), ZoneOffset.UTC);
  }

  /** A token bucket. */
  public static PlanLimit bucket(
      String name, String meter, long capacity, long refill, Duration interval) {
    return new PlanLimit(name, meter, capacity, new Drip(refill, interval), ZoneOffset.UTC);
  }

  /** A sliding budget. */
  public static PlanLimit sliding(
      String name, String meter, @Nullable Long amount, Duration length, int buckets) {
    return new PlanLimit(name, meter, amount, new Window(length, buckets), ZoneOffset.UTC);
  }

  /** What a restart at {@code anchor} makes of the schedule; null = it has none to restart. */
  public @Nullable PeriodicSchedule restartedAt(Instant anchor) {
    return pace instanceof Periods(Schedule schedule)
            && schedule instanceof PeriodicSchedule periodic
        ? periodic.restartedAt(anchor, zone)
        : null;
  }

  /** The same limit with another amount. */
  public PlanLimit withAmount(@Nullable Long changed) {
    return new PlanLimit(name, meter, changed, pace, zone, List.of(), cap);
  }

  /** The same limit with another amount from the end of the period that {@code now} is in. */
  public PlanLimit withAmountLater(@Nullable Long changed, Instant now) {
    List<LimitTerms.Deferral> waiting = new ArrayList<>(deferrals);
    waiting.add(new LimitTerms.Deferral(now, amount));
    if (waiting.size() > MAX_DEFERRALS) {
      waiting.removeFirst();
    }
    return new PlanLimit(name, meter, changed, pace, zone, waiting, cap);
  }

  /** The same limit with another schedule. */
  public PlanLimit withSchedule(Schedule changed) {
    return withPace(new Periods(changed));
  }

  /** The same limit with another pace. */
  public PlanLimit withPace(Pace changed) {
    return new PlanLimit(name, meter, amount, changed, zone, deferrals, cap);
  }

  /** The same limit with another cap on emergency top-ups. */
  public PlanLimit withCap(Cap changed) {
    return new PlanLimit(name, meter, amount, pace, zone, deferrals, changed);
  }

  /** What the limit means for a call at about {@code now}. */
  public LimitTerms termsAt(Instant now) {
    return termsAt(now, null);
  }

  /**
   * What the limit means for a call at about {@code now}.
   *
   * @param anchor the restart that the caller takes the limit to be counted from; null = none
   */
  public LimitTerms termsAt(Instant now, @Nullable Instant anchor) {
    return switch (pace) {
      case Periods(Schedule schedule) -> termsAt(schedule, now, anchor);
      case MovedPeriods moved -> {
        Period current = moved.periodAt(now);
        yield new LimitTerms.Periodic(
            name,
            meter,
            amount,
            ScheduleLabel.of(moved.schedule(), zone),
            current,
            moved.periodAfter(current),
            deferrals,
            cap.at(now),
            null);
      }
      case Drip(long refill, Duration interval) ->
          new LimitTerms.Bucket(
              name,
              meter,
              amount == null ? 0 : amount,
              refill,
              interval,
              ScheduleLabel.ofBucket(zone));
      case Window(Duration length, int buckets) ->
          new LimitTerms.Sliding(
              name, meter, amount, length, buckets, ScheduleLabel.ofSliding(zone));
    };
  }

  private LimitTerms termsAt(Schedule schedule, Instant now, @Nullable Instant anchor) {
    ScheduleLabel label = ScheduleLabel.of(schedule, zone);
    return switch (schedule) {
      case SessionSchedule session ->
          new LimitTerms.Session(
              name, meter, amount, label, session.length(), deferrals, cap.at(now));
      case PeriodicSchedule periodic -> {
        PeriodicSchedule restarted = anchor == null ? null : periodic.restartedAt(anchor, zone);
        PeriodicSchedule counted = restarted == null ? periodic : restarted;
        Period current = counted.periodAt(now, zone);
        Period next = counted.periodAfter(current, zone);
        yield new LimitTerms.Periodic(
            name, meter, amount, label, current, next, deferrals, cap.at(now), anchor);
      }
    };
  }
}
