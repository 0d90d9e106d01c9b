package dev.tidegate.domain.calendar;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoField;
import java.util.BitSet;
import java.util.Optional;

/** The local times of a cron expression: the same minutes of the day on each of its dates. */
final class CronPattern implements LocalPattern {

  private static final int DAY_MINUTES = 24 * 60;

  private final CronDates dates;
  private final BitSet minutesOfDay;

  /**
   * Every given minute of every given hour of every date.
   *
   * @param hours bit h for hour h, 0 to 23; at least one
   * @param minutes bit m for minute m, 0 to 59; at least one
   */
  CronPattern(CronDates dates, long hours, long minutes) {
    this.dates = dates;
    this.minutesOfDay = new BitSet(DAY_MINUTES);
    for (int minute = 0; minute < DAY_MINUTES; minute++) {
      minutesOfDay.set(
          minute, CronField.has(hours, minute / 60) && CronField.has(minutes, minute % 60));
    }
  }

  @Override
  public Optional<LocalDateTime> latestIn(LocalDateTime from, LocalDateTime to) {
    LocalDateTime latest = to.minusSeconds(1);
    LocalDate date = latest.toLocalDate();
    int minute = minutesOfDay.previousSetBit(latest.get(ChronoField.MINUTE_OF_DAY));
    Optional<LocalDateTime> found =
        minute >= 0 && dates.contain(date)
            ? Optional.of(atMinute(date, minute))
            : dates
                .latestIn(from.toLocalDate(), date.minusDays(1))
                .map(before -> atMinute(before, minutesOfDay.previousSetBit(DAY_MINUTES)));
    return found.filter(local -> !local.isBefore(from));
  }

  @Override
  public Optional<LocalDateTime> earliestIn(LocalDateTime from, LocalDateTime to) {
    LocalDate date = from.toLocalDate();
    int passedMinutes = from.getSecond() == 0 ? 0 : 1;
    int minute = minutesOfDay.nextSetBit(from.get(ChronoField.MINUTE_OF_DAY) + passedMinutes);
    Optional<LocalDateTime> found =
        minute >= 0 && dates.contain(date)
            ? Optional.of(atMinute(date, minute))
            : dates
                .earliestIn(date.plusDays(1), to.toLocalDate())
                .map(after -> atMinute(after, minutesOfDay.nextSetBit(0)));
    return found.filter(local -> local.isBefore(to));
  }

  private static LocalDateTime atMinute(LocalDate date, int minuteOfDay) {
    return date.atTime(LocalTime.ofSecondOfDay(minuteOfDay * 60L));
  }
}
