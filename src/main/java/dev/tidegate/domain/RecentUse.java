package dev.tidegate.domain;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much of a meter was settled or charged lately.
 *
 * @param age since when it is recorded
 * @param lastHour units in the hour before now
 * @param lastDay units in the 24 hours before now
 */
public record RecentUse(Duration age, BigDecimal lastHour, BigDecimal lastDay) {

  /** A record that is younger says nothing of a rate. */
  public static final Duration LEAST_AGE = Duration.ofMinutes(5);

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final int DECIMALS = 3;

  public RecentUse {
    lastHour = lastHour.stripTrailingZeros();
    lastDay = lastDay.stripTrailingZeros();
  }

  /**
   * Units in a stretch of time that ends now.
   *
   * @param units 0 or more
   * @param over longer than nothing
   */
  public record Rate(BigDecimal units, Duration over) {

    /** Units per hour, rounded to three decimals. */
    public BigDecimal perHour() {
      return units
          .multiply(BigDecimal.valueOf(HOUR.toMillis()))
          .divide(BigDecimal.valueOf(over.toMillis()), DECIMALS, RoundingMode.HALF_UP);
    }
  }

  /**
   * The rate over the last hour, or over the record's age when that is shorter; null = too young.
   */
  public @Nullable Rate overHour() {
    return over(lastHour, HOUR);
  }

  /** The rate over the last 24 hours, or over the record's age when shorter; null = too young. */
  public @Nullable Rate overDay() {
    return over(lastDay, DAY);
  }

  private @Nullable Rate over(BigDecimal units, Duration window) {
    if (age.compareTo(LEAST_AGE) < 0) {
      return null;
    }
    return new Rate(units, age.compareTo(window) < 0 ? age : window);
  }

  /** The rate to foretell from: of the last hour if there was use in it, else of 24 hours. */
  public @Nullable Rate basis() {
    Rate hour = overHour();
    return hour != null && hour.units().signum() > 0 ? hour : overDay();
  }
}
