package dev.tidegate.domain.calendar;

/** How a period quota is cut into periods. */
public sealed interface Schedule permits PeriodicSchedule, SessionSchedule {

  /**
   * The word that ends a {@code period_id}: {@code hour}, {@code day}, {@code week}, {@code month},
   * {@code year}, {@code cron}, {@code fixed} or {@code session}.
   */
  String unit();
}
