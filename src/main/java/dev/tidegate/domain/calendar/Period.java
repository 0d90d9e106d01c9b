package dev.tidegate.domain.calendar;

import java.time.Instant;

/**
 * A half-open stretch of time {@code [start, end)} of one schedule in one zone.
 *
 * @param start first instant of the period, inclusive
 * @param end first instant of the next period, exclusive; always after {@code start}
 * @param ordinal the period's place in its schedule: it grows by one from a period to the next (by
 *     the minutes between the two starts for a cron schedule), and may be negative
 */
public record Period(Instant start, Instant end, long ordinal) {

  public Period {
    if (!start.isBefore(end)) {
      throw new IllegalArgumentException(
          "a period ends after its start, not at " + end + " from " + start);
    }
  }

  /** Whether {@code instant} lies in this period; its start does, its end does not. */
  public boolean contains(Instant instant) {
    return !instant.isBefore(start) && instant.isBefore(end);
  }
}
