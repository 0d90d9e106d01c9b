package dev.tidegate.domain.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of elapsed time that the first granted use opens; a use at its end opens the next one.
 *
 * @param length how long a session lasts, one second or longer, whole seconds
 */
public record SessionSchedule(Duration length) implements Schedule {

  public SessionSchedule {
    if (length.compareTo(Duration.ofSeconds(1)) < 0
        || !length.equals(length.truncatedTo(ChronoUnit.SECONDS))) {
      throw new IllegalArgumentException(
          "a session lasts whole seconds, at least one, not " + length);
    }
  }

  @Override
  public String unit() {
    return "session";
  }

  /**
   * The session that a granted use at {@code use} falls in: the latest one, or a new one from its
   * end on. A session has the ordinal that follows the latest one's, the first has 1.
   *
   * @param latest the session opened last, null before the first
   * @param use the instant of a granted use; a read or a refusal is none
   */
  public Period sessionAt(@Nullable Period latest, Instant use) {
    if (latest != null && use.isBefore(latest.end())) {
      return latest;
    }
    return new Period(use, use.plus(length), latest == null ? 1 : latest.ordinal() + 1);
  }
}
