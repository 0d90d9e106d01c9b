package dev.tidegate.domain.calendar;

import dev.tidegate.domain.calendar.WallClockBoundaries.Reading;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/**
 * Every N hours, days, weeks, months or years at a local time, in the zone it is asked for.
 *
 * <p>Boundary k is computed from boundary 0, which lies on the first date on or after the reference
 * that fits the schedule; with an interval of 1 it is counted from 1970-01-01, whatever the
 * reference. A day of month is clamped to the length of its month first; a local time in a gap then
 * moves forward by the gap, in an overlap the earlier offset counts, and boundaries at the same
 * instant are one. A schedule of every single hour has a boundary whenever the clock shows the
 * minute instead: both times in a repeated hour, never in a gap.
 *
 * <p>Ordinals count periods from boundary 0, and grow by exactly one. Those of every single hour
 * are the whole hours elapsed since 1970-01-01T00:00 local time: they grow by one as long as the
 * zone shifts by whole hours. A shift by half an hour (Lord Howe) makes a period of 30 or 90
 * minutes, after which they may grow by two or, after the short one, not at all.
 *
 * @param calendarUnit what is counted
 * @param interval how many units a period lasts, 1 to {@value #MAX_INTERVAL}
 * @param at local time of day of a boundary, whole seconds; of every single hour only the minute
 *     and second count, of every N hours it is the time of boundary 0 on the reference date
 * @param dayOfWeek the day a week starts on; without effect on other units
 * @param dayOfMonth 1 to 31, clamped to the length of a month; for months and years
 * @param month 1 to 12; for years
 * @param reference the date that intervals above 1 are counted from, 1970-01-01 to 8999-12-31
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

  /** Enough for a period of 41 days in hours or of 2.7 years in days; longer ones have a unit. */
  public static final int MAX_INTERVAL = 1000;

  /** The reference of a schedule that names none. */
  public static final LocalDate DEFAULT_REFERENCE = LocalDate.EPOCH;

  /** Keeps boundaries below year 10000, which ISO 8601 writes with a sign. */
  private static final LocalDate LAST_REFERENCE = LocalDate.of(8999, 12, 31);

  private static final long HOUR_SECONDS = 3600;
  private static final long DAY_SECONDS = 24 * HOUR_SECONDS;
  private static final long WEEK_SECONDS = 7 * DAY_SECONDS;
  private static final int YEAR_MONTHS = 12;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the first field that is out of its range
   */
  public CalendarSchedule {
    requireRange("interval", interval, MAX_INTERVAL);
    requireRange("day_of_month", dayOfMonth, 31);
    requireRange("month", month, YEAR_MONTHS);
    if (!at.equals(at.truncatedTo(ChronoUnit.SECONDS))) {
      throw new IllegalArgumentException("at: " + at + " is not a whole second");
    }
    if (reference.isBefore(DEFAULT_REFERENCE) || reference.isAfter(LAST_REFERENCE)) {
      throw new IllegalArgumentException(
          "reference_date: %s is not from %s to %s"
              .formatted(reference, DEFAULT_REFERENCE, LAST_REFERENCE));
    }
  }

  private static void requireRange(String field, int value, int max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException("%s: %d is not from 1 to %d".formatted(field, value, max));
    }
  }

  /**
   * Every {@code interval} units at 00:00, on Mondays, on the first of the month, in January,
   * counted from 1970-01-01.
   *
   * @param interval 1 to {@value #MAX_INTERVAL}
   */
  public static CalendarSchedule every(int interval, CalendarUnit unit) {
    return new CalendarSchedule(
        unit, interval, LocalTime.MIDNIGHT, DayOfWeek.MONDAY, 1, 1, DEFAULT_REFERENCE);
  }

  /** Every single unit at 00:00, on Mondays, on the first of the month, in January. */
  public static CalendarSchedule every(CalendarUnit unit) {
    return every(1, unit);
  }

  /**
   * This schedule with boundaries at {@code newAt}.
   *
   * @param newAt local time in whole seconds; for hours {@code 00:mm}
   */
  public CalendarSchedule withAt(LocalTime newAt) {
    return new CalendarSchedule(
        calendarUnit, interval, newAt, dayOfWeek, dayOfMonth, month, reference);
  }

  /** This schedule with weeks that start on {@code newDayOfWeek}. */
  public CalendarSchedule withDayOfWeek(DayOfWeek newDayOfWeek) {
    return new CalendarSchedule(
        calendarUnit, interval, at, newDayOfWeek, dayOfMonth, month, reference);
  }

  /**
   * This schedule with months and years that start on {@code newDayOfMonth}.
   *
   * @param newDayOfMonth 1 to 31
   */
  public CalendarSchedule withDayOfMonth(int newDayOfMonth) {
    return new CalendarSchedule(
        calendarUnit, interval, at, dayOfWeek, newDayOfMonth, month, reference);
  }

  /**
   * This schedule with years that start in {@code newMonth}.
   *
   * @param newMonth 1 to 12
   */
  public CalendarSchedule withMonth(int newMonth) {
    return new CalendarSchedule(
        calendarUnit, interval, at, dayOfWeek, dayOfMonth, newMonth, reference);
  }

  /**
   * This schedule counted from {@code newReference}.
   *
   * @param newReference 1970-01-01 to 8999-12-31
   */
  public CalendarSchedule withReference(LocalDate newReference) {
    return new CalendarSchedule(
        calendarUnit, interval, at, dayOfWeek, dayOfMonth, month, newReference);
  }

  /**
   * The schedule of the same unit and interval that has a boundary at {@code local}.
   *
   * @param local a local date and time from 1970 to 8999, whole seconds
   */
  public CalendarSchedule anchoredAt(LocalDateTime local) {
    return new CalendarSchedule(
        calendarUnit,
        interval,
        local.toLocalTime(),
        local.getDayOfWeek(),
        local.getDayOfMonth(),
        local.getMonthValue(),
        local.toLocalDate());
  }

  @Override
  public String unit() {
    return calendarUnit.word();
  }

  @Override
  public Period periodAt(Instant instant, ZoneId zone) {
    return calendarUnit == CalendarUnit.HOUR && interval == 1
        ? hourAt(instant, zone)
        : new GridPeriods(grid(), zone).periodAt(instant);
  }

  private Period hourAt(Instant instant, ZoneId zone) {
    var readings = new WallClockBoundaries(grid(), zone, Reading.EVERY);
    Instant start = readings.latestAtOrBefore(instant);
    Instant origin = DEFAULT_REFERENCE.atStartOfDay(zone).toInstant();
    long elapsedSeconds = Duration.between(origin, start).toSeconds();
    long ordinal = Math.floorDiv(elapsedSeconds, HOUR_SECONDS);
    return new Period(start, readings.earliestAfter(instant), ordinal);
  }

  private LocalGrid grid() {
    LocalDate origin = interval == 1 ? DEFAULT_REFERENCE : reference;
    return switch (calendarUnit) {
      case HOUR -> new EvenGrid(origin.atTime(at), interval * HOUR_SECONDS);
      case DAY -> new EvenGrid(origin.atTime(at), interval * DAY_SECONDS);
      case WEEK ->
          new EvenGrid(
              origin.with(TemporalAdjusters.nextOrSame(dayOfWeek)).atTime(at),
              interval * WEEK_SECONDS);
      case MONTH -> months(YearMonth.from(origin), 1, origin);
      case YEAR -> months(YearMonth.of(origin.getYear(), month), YEAR_MONTHS, origin);
    };
  }

  /** Point 0 is in {@code first} or, when that lies before {@code origin}, one unit later. */
  private MonthGrid months(YearMonth first, int unitMonths, LocalDate origin) {
    long stepMonths = (long) interval * unitMonths;
    var grid = new MonthGrid(first, stepMonths, dayOfMonth, at);
    return grid.pointAt(0).toLocalDate().isBefore(origin)
        ? new MonthGrid(first.plusMonths(unitMonths), stepMonths, dayOfMonth, at)
        : grid;
  }
}
