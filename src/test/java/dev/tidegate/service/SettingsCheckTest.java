package dev.tidegate.service;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.config.TidegateSettings;
import io.smallrye.config.SmallRyeConfigBuilder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsCheckTest {

  private static void check(String... settings) {
    SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder().withMapping(TidegateSettings.class);
    for (int n = 0; n < settings.length; n += 2) {
      builder.withDefaultValue("tidegate." + settings[n], settings[n + 1]);
    }
    SettingsCheck.check(builder.build().getConfigMapping(TidegateSettings.class));
  }

  @Test
  void whatIsNotSetIsGood() {
    assertDoesNotThrow(() -> check());
  }

  @ParameterizedTest
  @CsvSource({
    "redis.deadline-millis, 0, 1 to 60000",
    "redis.deadline-millis, -5, 1 to 60000",
    "redis.deadline-millis, 60001, 1 to 60000",
    "redis.grants-wait-replicas, -1, 0 to 100",
    "redis.grants-wait-millis, 0, 1 to 60000",
    "redis.key-prefix, a{b}, 1 to 64 letters",
    "closed-periods-kept, -1, 1 to 10000",
    "closed-periods-kept, 99999, 1 to 10000",
    "audit.kept-days, 0, 1 to 36500",
    "audit.kept-days, 99999, 1 to 36500",
    "audit.max-events, 0, 1 to 1000000",
    "boundaries.max-rows, 0, 1 to 1000000",
    "zone, Mars/X, 'Europe/Berlin, or UTC'",
    "zone, +02:00, 'Europe/Berlin, or UTC'",
    "zone, EST, 'Europe/Berlin, or UTC'",
  })
  @DisplayName("A setting out of range is named, with what it may be")
  void refused(String setting, String value, String range) {
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> check(setting, value)).getMessage());
    assertTrue(message.startsWith("tidegate." + setting), message);
    assertTrue(message.contains(range), message);
  }

  @ParameterizedTest
  @CsvSource({
    "redis.deadline-millis, 1", "redis.deadline-millis, 60000", "closed-periods-kept, 10000",
    "audit.kept-days, 36500", "redis.key-prefix, team:a-1._", "zone, Europe/Berlin"
  })
  void theEndsOfARangeAreGood(String setting, String value) {
    assertDoesNotThrow(() -> check(setting, value));
  }

  @Test
  void allFaultsAreToldAtOnce() {
    String message =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> check("zone", "EST", "audit.kept-days", "0", "audit.max-events", "0"))
                .getMessage());
    assertEquals(3, message.split("; ").length, message);
  }
}
