package dev.tidegate.domain.calendar;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A schedule whose periods follow from the clock alone and tile all time without gap or overlap.
 */
public sealed interface PeriodicSchedule extends Schedule
    permits CalendarSchedule, CronSchedule, FixedSchedule {

  /** Enough for six weeks of hours, and for any table of next boundaries. */
  int MAX_PERIODS = 1000;

  /**
   * The period that contains {@code instant}; a boundary belongs to the period that it starts.
   *
   * @param instant any instant from 1970 to 9999
   * @param zone the zone whose local time the schedule is read in; without effect on a fixed
   *     schedule
   */
  Period periodAt(Instant instant, ZoneId zone);

  /**
   * The schedule that counts its periods from {@code anchor}, or null when they are bound to dates
   * that no restart can move.
   *
   * @param anchor an instant in whole seconds, from 1970 to 8999
   * @param zone the zone whose local time the schedule is read in
   */
  default @Nullable PeriodicSchedule restartedAt(Instant anchor, ZoneId zone) {
    return switch (this) {
      case CalendarSchedule calendar -> calendar.anchoredAt(LocalDateTime.ofInstant(anchor, zone));
      case FixedSchedule fixed -> new FixedSchedule(fixed.length(), anchor);
      case CronSchedule cron -> null;
    };
  }

  /** The period that starts where {@code period}, one of this schedule in {@code zone}, ends. */
  default Period periodAfter(Period period, ZoneId zone) {
    return periodAt(period.end(), zone);
  }

  /**
   * The period that contains {@code instant} and those that follow it, in order.
   *
   * @param instant any instant from 1970 to 9999
   * @param zone the zone whose local time the schedule is read in
   * @param count how many periods, 1 to {@value #MAX_PERIODS}
   * @throws IllegalArgumentException if {@code count} is out of its range
   */
  default List<Period> periodsFrom(Instant instant, ZoneId zone, int count) {
    if (count < 1 || count > MAX_PERIODS) {
      throw new IllegalArgumentException(
          "count: %d is not from 1 to %d".formatted(count, MAX_PERIODS));
    }
    return Stream.iterate(periodAt(instant, zone), period -> periodAfter(period, zone))
        .limit(count)
        .toList();
  }
}
