package dev.tidegate.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.RecentUse.Rate;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Burn rates, and when a quota will be used up. */
class ForecastTest {

  private static final Instant NOW = Instant.parse("2026-10-12T04:00:00Z");
  private static final Instant RESET = Instant.parse("2026-10-13T00:00:00Z");

  private static RecentUse use(Duration age, String lastHour, String lastDay) {
    return new RecentUse(age, new BigDecimal(lastHour), new BigDecimal(lastDay));
  }

  private static RecentUse perHour(long units) {
    return use(Duration.ofDays(3), Long.toString(units), Long.toString(units));
  }

  @Test
  @DisplayName("J1 without a record there is no rate and no forecast")
  void noHistory() {
    assertNull(Forecast.exhaustedAt(NOW, 100L, null, RESET));
  }

  @Test
  @DisplayName("J3 what would outlast the reset has no forecast, five times the rate has one")
  void outlastsTheReset() {
    assertNull(Forecast.exhaustedAt(NOW, 600L, perHour(20), RESET));
    assertEquals(
        NOW.plus(Duration.ofHours(6)), Forecast.exhaustedAt(NOW, 600L, perHour(100), RESET));
  }

  @Test
  @DisplayName("A quota that lasts exactly until the reset outlasts it, one millisecond less not")
  void exactlyUntilTheReset() {
    assertNull(Forecast.exhaustedAt(NOW, 2000L, perHour(100), RESET));
    assertEquals(
        RESET.minusMillis(36), Forecast.exhaustedAt(NOW, 1_999_999L, perHour(100_000), RESET));
  }

  @Test
  @DisplayName("What is exhausted, unlimited or without a reset has no forecast")
  void withoutForecast() {
    assertNull(Forecast.exhaustedAt(NOW, 0L, perHour(100), RESET));
    assertNull(Forecast.exhaustedAt(NOW, null, perHour(100), RESET));
    assertNull(Forecast.exhaustedAt(NOW, 600L, perHour(100), null));
    assertNull(Forecast.exhaustedAt(NOW, 600L, perHour(0), RESET));
  }

  @Test
  @DisplayName("Without use in the hour the rate of 24 hours counts")
  void ofTheDay() {
    RecentUse idle = use(Duration.ofDays(3), "0", "2400");
    assertEquals(NOW.plus(Duration.ofHours(6)), Forecast.exhaustedAt(NOW, 600L, idle, RESET));
    RecentUse busy = use(Duration.ofDays(3), "300", "2400");
    assertEquals(NOW.plus(Duration.ofHours(2)), Forecast.exhaustedAt(NOW, 600L, busy, RESET));
  }

  @ParameterizedTest(name = "A record of {0} with {1} in the hour and {2} in the day: {3}, {4}")
  @CsvSource(
      nullValues = "-",
      value = {
        "PT4M59.999S, 100, 100, -, -",
        "PT5M, 100, 100, 1200, 1200",
        "PT30M, 100, 100, 200, 200",
        "PT1H, 100, 100, 100, 100",
        "PT2H, 100, 300, 100, 150",
        "PT24H, 0, 100, 0, 4.167",
        "P40D, 7.25, 100, 7.25, 4.167",
        "PT45M, 1, 1, 1.333, 1.333",
        "PT1H, 9007199254740991, 9007199254740991, 9007199254740991, 9007199254740991",
      })
  void rates(Duration age, String lastHour, String lastDay, String hour, String day) {
    RecentUse use = use(age, lastHour, lastDay);
    assertRate(hour, use.overHour());
    assertRate(day, use.overDay());
  }

  private static void assertRate(@Nullable String expected, @Nullable Rate rate) {
    if (expected == null) {
      assertNull(rate);
    } else {
      assertNotNull(rate);
      assertEquals(0, new BigDecimal(expected).compareTo(rate.perHour()), rate::toString);
    }
  }

  @Test
  @DisplayName("At the forecast all is used up, a millisecond sooner it is not, for any rate")
  void usedUpThen() {
    Random random = new Random(99);
    int foretold = 0;
    for (int sample = 0; sample < 20_000; sample++) {
      long remaining = 1 + random.nextLong(1L << random.nextInt(1, 53));
      Rate rate =
          new Rate(
              BigDecimal.valueOf(1 + random.nextLong(1L << random.nextInt(1, 53)), 3),
              Duration.ofMillis(300_000 + random.nextLong(86_100_000)));
      RecentUse use = new RecentUse(rate.over(), rate.units(), rate.units());
      Instant reset = NOW.plusMillis(1 + random.nextLong(1L << random.nextInt(1, 41)));
      Instant at = Forecast.exhaustedAt(NOW, remaining, use, reset);
      if (at != null) {
        foretold++;
        assertTrue(at.isAfter(NOW) && at.isBefore(reset));
        assertTrue(usedBy(at, use).compareTo(BigDecimal.valueOf(remaining)) >= 0);
        assertFalse(usedBy(at.minusMillis(1), use).compareTo(BigDecimal.valueOf(remaining)) >= 0);
      } else {
        assertTrue(usedBy(reset.minusMillis(1), use).compareTo(BigDecimal.valueOf(remaining)) < 0);
      }
    }
    assertTrue(foretold > 2000, "only " + foretold);
  }

  private static BigDecimal usedBy(Instant at, RecentUse use) {
    Rate rate = use.basis();
    assertNotNull(rate);
    return rate.units()
        .multiply(BigDecimal.valueOf(Duration.between(NOW, at).toMillis()))
        .divide(BigDecimal.valueOf(rate.over().toMillis()), 30, RoundingMode.HALF_UP);
  }
}
