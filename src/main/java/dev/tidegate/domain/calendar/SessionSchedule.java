package dev.tidegate.domain.calendar;

import java.time.Duration;

/**
 * A stretch of elapsed time that the first granted use opens; a use at its end opens the next one.
 *
 * @param length how long a session lasts, one second or longer, whole seconds
 */
public record SessionSchedule(Duration length) implements Schedule {

  public SessionSchedule {
    if (length.compareTo(Duration.ofSeconds(1)) < 0 || length.toMillisPart() != 0) {
      throw new IllegalArgumentException("a session lasts whole seconds, at least one, not " + length);
    }
  }

  @Override
  public String unit() {
    return "session";
  }
}
