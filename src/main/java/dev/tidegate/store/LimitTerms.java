package dev.tidegate.store;

import dev.tidegate.domain.calendar.Period;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What one limit means for one call: all that needs a calendar or a plan is decided already. */
public sealed interface LimitTerms {

  /** The limit's name, unique in its resource. */
  String name();

  /** The meter that it counts. */
  String meter();

  /** Units in a period; null counts but never refuses. */
  @Nullable Long amount();

  /** The schedule that the periods come from. */
  ScheduleLabel label();

  /**
   * A limit whose periods follow from the clock.
   *
   * @param current the period that contains the caller's idea of now
   * @param next the period after it
   */
  record Periodic(
      String name,
      String meter,
      @Nullable Long amount,
      ScheduleLabel label,
      Period current,
      Period next)
      implements LimitTerms {}

  /**
   * A limit whose period is opened by use.
   *
   * @param length how long a session lasts
   */
  record Session(
      String name, String meter, @Nullable Long amount, ScheduleLabel label, Duration length)
      implements LimitTerms {}
}
