package dev.tidegate.domain.calendar;

import dev.tidegate.domain.calendar.WallClockBoundaries.Reading;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/**
 * A five-field cron expression: minute, hour, day of month, month, day of week.
 *
 * <p>A field is a list of {@code *}, values, ranges and steps: {@code 1,15}, {@code MON-FRI},
 * {@code 9-17/4}, {@code *}{@code /15}; {@code 5/10} runs from 5 to the end of the field. Months
 * and days of week have English names of three letters, of any case; Sunday is 0 and 7. When
 * neither day field starts with {@code *}, a date that fits one of them is enough. Day 31 skips
 * short months.
 *
 * <p>With an hour field that starts with {@code *} there is a boundary whenever the clock shows a
 * time of the expression, both times in a repeated hour and never in a gap; otherwise each time
 * counts once, moved forward by a gap and taken at the earlier offset in an overlap.
 *
 * <p>Two schedules are equal when their expressions are, letter for letter. The ordinal of a period
 * is its start in minutes since 1970-01-01T00:00Z.
 */
public final class CronSchedule implements PeriodicSchedule {

  /** Longer than any expression that a person reads; a list of every minute would be. */
  public static final int MAX_LENGTH = 100;

  private static final String WILDCARD = "*";
  private static final int MINUTE_SECONDS = 60;

  private final String expression;
  private final CronPattern pattern;
  private final Reading reading;

  /**
   * Reads an expression.
   *
   * @param expression five fields separated by blanks, at most {@value #MAX_LENGTH} characters
   * @throws IllegalArgumentException naming the field and the reason, or if eight years may pass
   *     without a date of the expression
   */
  public CronSchedule(String expression) {
    List<String> fields = fieldsOf(expression);
    String hour = fields.get(1);
    String dayOfMonth = fields.get(2);
    String dayOfWeek = fields.get(4);
    long minutes = CronField.MINUTE.parse(fields.get(0));
    long hours = CronField.HOUR.parse(hour);
    var dates =
        new CronDates(
            CronField.DAY_OF_MONTH.parse(dayOfMonth),
            CronField.MONTH.parse(fields.get(3)),
            CronField.DAY_OF_WEEK.parse(dayOfWeek),
            !dayOfMonth.startsWith(WILDCARD) && !dayOfWeek.startsWith(WILDCARD));
    if (!dates.fillEightYears()) {
      throw new IllegalArgumentException(
          "'" + expression + "' can go eight years without a date, such as 30 February");
    }
    this.expression = expression;
    this.pattern = new CronPattern(dates, hours, minutes);
    this.reading = hour.startsWith(WILDCARD) ? Reading.EVERY : Reading.ONCE;
  }

  /** The schedule of an expression; the same as the constructor. */
  public static CronSchedule parse(String expression) {
    return new CronSchedule(expression);
  }

  private static List<String> fieldsOf(String expression) {
    if (expression.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a cron expression has at most %d characters, not %d"
              .formatted(MAX_LENGTH, expression.length()));
    }
    String trimmed = expression.strip();
    if (trimmed.startsWith("@")) {
      throw new IllegalArgumentException(
          "'" + trimmed + "' is a macro: write the five fields it stands for");
    }
    List<String> fields = List.of(trimmed.split("[ \t]+"));
    if (trimmed.isEmpty() || fields.size() != 5) {
      throw new IllegalArgumentException(
          "a cron expression has five fields (minute, hour, day of month, month, day of week),"
              + " not "
              + (trimmed.isEmpty() ? 0 : fields.size()));
    }
    return fields;
  }

  /** The text as it was given. */
  public String expression() {
    return expression;
  }

  @Override
  public String unit() {
    return "cron";
  }

  @Override
  public Period periodAt(Instant instant, ZoneId zone) {
    var boundaries = new WallClockBoundaries(pattern, zone, reading);
    Instant start = boundaries.latestAtOrBefore(instant);
    long ordinal = Math.floorDiv(start.getEpochSecond(), MINUTE_SECONDS);
    return new Period(start, boundaries.earliestAfter(instant), ordinal);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CronSchedule schedule && expression.equals(schedule.expression);
  }

  @Override
  public int hashCode() {
    return expression.hashCode();
  }

  @Override
  public String toString() {
    return "CronSchedule[" + expression + "]";
  }
}
