package dev.tidegate.domain.calendar;

import java.time.Instant;
import java.time.ZoneId;

/** A schedule whose periods follow from the clock alone and tile all time without gap or overlap. */
public sealed interface PeriodicSchedule extends Schedule permits CalendarSchedule, CronSchedule, FixedSchedule {

  /**
   * The period that contains {@code instant}; a boundary belongs to the period that it starts.
   *
   * @param instant any instant from 1970 to 9999
   * @param zone the zone whose local time the schedule is read in; without effect on a fixed schedule
   */
  Period periodAt(Instant instant, ZoneId zone);

  /** The period that starts where {@code period}, one of this schedule in {@code zone}, ends. */
  default Period periodAfter(Period period, ZoneId zone) {
    return periodAt(period.end(), zone);
  }
}
