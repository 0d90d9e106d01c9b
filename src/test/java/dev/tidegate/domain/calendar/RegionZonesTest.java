package dev.tidegate.domain.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionZonesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTC",
        "Europe/Berlin",
        "America/Argentina/Buenos_Aires",
        "Etc/GMT+5",
        "Etc/UTC",
        "Europe/Kiev"
      })
  void regionsAndUtcAreZones(String id) {
    assertEquals(ZoneId.of(id), RegionZones.parse(id));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "Z",
        "GMT",
        "EST",
        "EST5EDT",
        "CET",
        "UTC+1",
        "GMT+3",
        "+05:30",
        "utc",
        "europe/berlin",
        "Europe/Berlin ",
        "SystemV/EST5",
        "Mars/Olympus",
        "Europe/",
        "/"
      })
  void everythingElseIsRefused(String id) {
    var refusal = assertThrows(IllegalArgumentException.class, () -> RegionZones.parse(id));
    assertEquals(
        "'" + id + "' is not a zone: expected a region such as Europe/Berlin, or UTC",
        refusal.getMessage());
  }

  @Test
  void anEndlessIdIsRefusedWithoutRepeatingIt() {
    String id = "Europe/" + "x".repeat(1000);
    var refusal = assertThrows(IllegalArgumentException.class, () -> RegionZones.parse(id));
    assertEquals("a zone id has at most 64 characters, not 1007", refusal.getMessage());
  }
}
