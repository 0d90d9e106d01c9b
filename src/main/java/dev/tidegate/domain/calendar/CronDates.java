package dev.tidegate.domain.calendar;

import java.time.LocalDate;
import java.util.Optional;

/**
 * The dates of a cron expression.
 *
 * @param daysOfMonth bit d for day d, 1 to 31
 * @param months bit m for month m, 1 to 12
 * @param daysOfWeek bit d for day d, 0 (Sunday) to 6
 * @param eitherDay whether a day of month or a day of week is enough, as it is when both are
 *     restricted
 */
record CronDates(long daysOfMonth, long months, long daysOfWeek, boolean eitherDay) {

  private static final int MAX_YEARS_BETWEEN = 8;
  private static final LocalDate CYCLE_START = LocalDate.of(2000, 1, 1);
  private static final int CYCLE_YEARS = 400;

  /**
   * Whether any eight years have a date. Dates repeat every 400 years, which are run through from
   * each date to the last one of the eight years that follow it.
   */
  boolean fillEightYears() {
    LocalDate latest = CYCLE_START.minusDays(1);
    while (latest.isBefore(CYCLE_START.plusYears(CYCLE_YEARS))) {
      Optional<LocalDate> next = latestIn(latest.plusDays(1), latest.plusYears(MAX_YEARS_BETWEEN));
      if (next.isEmpty()) {
        return false;
      }
      latest = next.get();
    }
    return true;
  }

  /** Whether {@code date} is one of the dates. */
  boolean contain(LocalDate date) {
    return hasMonthOf(date) && hasDayOf(date);
  }

  /** The latest date from {@code first} to {@code last}, both inclusive. */
  Optional<LocalDate> latestIn(LocalDate first, LocalDate last) {
    LocalDate date = last;
    while (!date.isBefore(first)) {
      if (!hasMonthOf(date)) {
        date = date.withDayOfMonth(1).minusDays(1);
      } else if (hasDayOf(date)) {
        return Optional.of(date);
      } else {
        date = date.minusDays(1);
      }
    }
    return Optional.empty();
  }

  /** The earliest date from {@code first} to {@code last}, both inclusive. */
  Optional<LocalDate> earliestIn(LocalDate first, LocalDate last) {
    LocalDate date = first;
    while (!date.isAfter(last)) {
      if (!hasMonthOf(date)) {
        date = date.withDayOfMonth(1).plusMonths(1);
      } else if (hasDayOf(date)) {
        return Optional.of(date);
      } else {
        date = date.plusDays(1);
      }
    }
    return Optional.empty();
  }

  private boolean hasMonthOf(LocalDate date) {
    return CronField.has(months, date.getMonthValue());
  }

  private boolean hasDayOf(LocalDate date) {
    boolean dayOfMonth = CronField.has(daysOfMonth, date.getDayOfMonth());
    boolean dayOfWeek = CronField.has(daysOfWeek, date.getDayOfWeek().getValue() % 7);
    return eitherDay ? (dayOfMonth || dayOfWeek) : (dayOfMonth && dayOfWeek);
  }
}
