package dev.tidegate.domain.calendar;

import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;

/**
 * One local time every so many months, on a day that is clamped to the length of its month.
 *
 * @param anchor the month of point 0
 * @param stepMonths the distance between neighbours, in months, at least 1
 * @param dayOfMonth 1 to 31
 * @param at local time of day, in whole seconds
 */
record MonthGrid(YearMonth anchor, long stepMonths, int dayOfMonth, LocalTime at)
    implements LocalGrid {

  @Override
  public LocalDateTime pointAt(long index) {
    YearMonth month = anchor.plusMonths(index * stepMonths);
    return month.atDay(Math.min(dayOfMonth, month.lengthOfMonth())).atTime(at);
  }

  @Override
  public long indexAtOrBefore(LocalDateTime local) {
    long months = ChronoUnit.MONTHS.between(anchor, YearMonth.from(local));
    long index = Math.floorDiv(months, stepMonths);
    return pointAt(index).isAfter(local) ? index - 1 : index;
  }

  @Override
  public long evenStepSeconds() {
    return 0;
  }
}
