package dev.tidegate.domain.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * Periods of equal elapsed length, counted from an epoch and free of zones.
 *
 * @param length the length of a period, whole seconds, at least one
 * @param epoch the start of period 0; precise to the millisecond
 */
public record FixedSchedule(Duration length, Instant epoch) implements PeriodicSchedule {

  public FixedSchedule {
    if (length.compareTo(Duration.ofSeconds(1)) < 0
        || !length.equals(length.truncatedTo(ChronoUnit.SECONDS))) {
      throw new IllegalArgumentException(
          "a fixed period lasts whole seconds, at least one, not " + length);
    }
  }

  @Override
  public String unit() {
    return "fixed";
  }

  @Override
  public Period periodAt(Instant instant, ZoneId zone) {
    long epochMillis = epoch.toEpochMilli();
    long lengthMillis = length.toMillis();
    long ordinal = Math.floorDiv(instant.toEpochMilli() - epochMillis, lengthMillis);
    Instant start = Instant.ofEpochMilli(epochMillis + ordinal * lengthMillis);
    return new Period(start, start.plus(length), ordinal);
  }
}
