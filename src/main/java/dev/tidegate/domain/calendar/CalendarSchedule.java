package dev.tidegate.domain.calendar;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;

/**
 * Every N hours, days, weeks, months or years at a local time, in the zone it is asked for.
 *
 * @param calendarUnit what is counted
 * @param interval how many units a period lasts, 1 or more
 * @param at local time of day of a boundary, whole minutes; of an hour schedule only the minute counts
 * @param dayOfWeek the day a week starts on; without effect on other units
 * @param dayOfMonth 1 to 31, clamped to the length of a month; for months and years
 * @param month 1 to 12; for years
 * @param reference the date that intervals are counted from
 */
public record CalendarSchedule(
    CalendarUnit calendarUnit,
    int interval,
    LocalTime at,
    DayOfWeek dayOfWeek,
    int dayOfMonth,
    int month,
    LocalDate reference)
    implements PeriodicSchedule {

  @Override
  public String unit() {
    return calendarUnit.word();
  }

  @Override
  public Period periodAt(Instant instant, ZoneId zone) {
    throw new UnsupportedOperationException();
  }
}
