package dev.tidegate.domain.calendar;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeZoneDataTest {

  @Test
  void theRunningVersionIsAYearAndALetter() {
    assertTrue(TimeZoneData.version().matches("20[0-9]{2}[a-z]+"), TimeZoneData.version());
  }

  @ParameterizedTest
  @CsvSource({
    "2025b, 2026a, true",
    "2026a, 2026a, false",
    "2026b, 2026a, false",
    "2025z, 2026a, true",
    "2026z, 2026za, true",
    "2027a, 2026b, false"
  })
  void versionsComeInTheOrderOfTheirYearsAndLetters(String version, String than, boolean older) {
    assertEquals(older, TimeZoneData.isOlder(version, than));
  }

  @ParameterizedTest
  @ValueSource(strings = {"foo", "2026", "2026A", "26a", " 2026a", "", "latest"})
  void whatIsNoVersionIsRefusedByTheNameOfTheOption(String oldest) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> TimeZoneData.requireNotOlder(oldest));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.startsWith("tidegate.tzdata.oldest must be a version"), message);
    assertTrue(message.endsWith("'" + oldest + "'"), message);
  }

  @Test
  void aBuildWithOlderDataIsRefusedAndToldWhatToDo() {
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> TimeZoneData.main(new String[] {"2999a"}));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(TimeZoneData.version()), message);
    assertTrue(message.contains("2999a"), message);
    assertTrue(message.contains("JDK"), message);
    assertDoesNotThrow(() -> TimeZoneData.main(new String[] {TimeZoneData.version()}));
  }
}
