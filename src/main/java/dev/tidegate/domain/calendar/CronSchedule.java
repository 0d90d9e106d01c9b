package dev.tidegate.domain.calendar;

import java.time.Instant;
import java.time.ZoneId;

/**
 * A five-field cron expression.
 *
 * @param expression the text as it was given
 */
public record CronSchedule(String expression) implements PeriodicSchedule {

  @Override
  public String unit() {
    return "cron";
  }

  @Override
  public Period periodAt(Instant instant, ZoneId zone) {
    throw new UnsupportedOperationException();
  }
}
