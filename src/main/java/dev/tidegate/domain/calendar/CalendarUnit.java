package dev.tidegate.domain.calendar;

import java.util.Locale;

/** What a calendar schedule counts. */
public enum CalendarUnit {
  HOUR,
  DAY,
  WEEK,
  MONTH,
  YEAR;

  /** The word of a plan and of a {@code period_id}, such as {@code week}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
