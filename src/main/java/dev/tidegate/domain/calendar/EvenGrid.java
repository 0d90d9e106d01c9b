package dev.tidegate.domain.calendar;

import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Local times at equal distances on the wall clock: hours, days and weeks.
 *
 * @param anchor point 0, in whole seconds
 * @param stepSeconds the distance between neighbours, in seconds of local time, at least 1
 */
record EvenGrid(LocalDateTime anchor, long stepSeconds) implements LocalGrid {

  @Override
  public LocalDateTime pointAt(long index) {
    return anchor.plusSeconds(index * stepSeconds);
  }

  @Override
  public long indexAtOrBefore(LocalDateTime local) {
    long elapsedSeconds =
        local.toEpochSecond(ZoneOffset.UTC) - anchor.toEpochSecond(ZoneOffset.UTC);
    return Math.floorDiv(elapsedSeconds, stepSeconds);
  }

  @Override
  public long evenStepSeconds() {
    return stepSeconds;
  }
}
