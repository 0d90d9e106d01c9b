package dev.tidegate.domain.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every line of {@code cases/periods.jsonl}. */
class PeriodCasesTest {

  private static final int CASES = 185;
  private static final ObjectMapper JSON = new ObjectMapper();

  static Stream<Arguments> cases() throws IOException {
    return lines().map(line -> Arguments.of(line.path("id").asText(), line));
  }

  @Test
  void everyLineIsACaseOfItsOwn() throws IOException {
    assertEquals(CASES, lines().map(line -> line.path("id").asText()).distinct().count());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void findsThePeriodOf(String id, JsonNode line) {
    JsonNode expected = expectedUnderRunningData(line);
    String zoneId = line.path("zone").asText();
    if (expected.has("error")) {
      assertThrows(IllegalArgumentException.class, () -> RegionZones.parse(zoneId));
      return;
    }
    ZoneId zone = RegionZones.parse(zoneId);
    Instant now = Instant.parse(line.path("now").asText());
    switch (ScheduleJson.read(line.path("schedule"))) {
      case PeriodicSchedule schedule -> check(expected, schedule.periodsFrom(now, zone, 4));
      case SessionSchedule schedule -> {
        Period live = liveSession(schedule, line.path("schedule").path("uses"), now);
        check(expected, live == null ? List.of() : List.of(live));
      }
    }
  }

  private static void check(JsonNode expected, List<Period> periods) {
    if (periods.isEmpty()) {
      assertNull(expected.path("start").textValue());
      return;
    }
    Period period = periods.getFirst();
    assertEquals(instant(expected.path("start")), period.start(), "start");
    assertEquals(instant(expected.path("end")), period.end(), "end");
    assertEquals(
        instants(expected.path("next3")),
        periods.stream().map(Period::end).limit(expected.path("next3").size()).toList(),
        "next3");
    if (expected.has("length_s")) {
      assertEquals(
          Duration.ofSeconds(expected.path("length_s").asLong()),
          Duration.between(period.start(), period.end()));
    }
    if (expected.has("seq")) {
      assertEquals(expected.path("seq").asLong(), period.ordinal(), "ordinal");
    }
  }

  private static @Nullable Period liveSession(
      SessionSchedule schedule, JsonNode uses, Instant now) {
    Period latest = null;
    for (Instant use : instants(uses)) {
      latest = schedule.sessionAt(latest, use);
    }
    return latest != null && latest.contains(now) ? latest : null;
  }

  /** The answer listed for the running tz data, or the usual one. */
  private static JsonNode expectedUnderRunningData(JsonNode line) {
    return line.path("tzdata").path("differs").properties().stream()
        .filter(entry -> entry.getKey().endsWith("-" + TimeZoneData.version()))
        .map(entry -> entry.getValue())
        .findFirst()
        .orElse(line.path("expect"));
  }

  private static Instant instant(JsonNode text) {
    return Instant.parse(text.asText());
  }

  private static List<Instant> instants(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(PeriodCasesTest::instant).toList();
  }

  private static Stream<JsonNode> lines() throws IOException {
    try (InputStream stream = PeriodCasesTest.class.getResourceAsStream("/cases/periods.jsonl")) {
      byte[] bytes = Objects.requireNonNull(stream).readAllBytes();
      List<JsonNode> lines = new ArrayList<>();
      for (String text : new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
        lines.add(JSON.readTree(text));
      }
      return lines.stream();
    }
  }
}
