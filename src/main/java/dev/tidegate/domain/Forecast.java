package dev.tidegate.domain;

import dev.tidegate.domain.RecentUse.Rate;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Foretells when a quota will be used up, if it goes on being used as lately. */
public final class Forecast {

  private Forecast() {}

  /**
   * When {@code remaining} will be used up, or null: it is already, it lasts until the reset, or
   * there is no honest basis to say.
   *
   * @param remaining units; null = without bound
   * @param use of the meter; null = none is recorded
   * @param resetAt when the quota is whole again; null = unknown
   */
  public static @Nullable Instant exhaustedAt(
      Instant now, @Nullable Long remaining, @Nullable RecentUse use, @Nullable Instant resetAt) {
    Rate rate = use == null ? null : use.basis();
    if (remaining == null || remaining == 0 || resetAt == null || rate == null) {
      return null;
    }
    if (rate.units().signum() == 0) {
      return null;
    }
    BigDecimal millis =
        BigDecimal.valueOf(remaining)
            .multiply(BigDecimal.valueOf(rate.over().toMillis()))
            .divide(rate.units(), 0, RoundingMode.CEILING);
    boolean lasts =
        millis.compareTo(BigDecimal.valueOf(Duration.between(now, resetAt).toMillis())) >= 0;
    return lasts ? null : now.plusMillis(millis.longValueExact());
  }
}
