package dev.tidegate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidegate.domain.calendar.CalendarSchedule;
import dev.tidegate.domain.calendar.CalendarUnit;
import dev.tidegate.domain.calendar.RegionZones;
import dev.tidegate.domain.calendar.TimeZoneData;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The time-zone data that the service carries, which a native executable has inside. */
@QuarkusTest
class ZonesTest extends HttpSuite {

  /** The day on which Europe leaves daylight saving time, and others enter it. */
  private static final Instant FROM = Instant.parse("2026-10-25T00:30:00Z");

  private static final CalendarSchedule DAYS = CalendarSchedule.every(CalendarUnit.DAY);

  private static String shownVersion() {
    return given().get("/q/info").jsonPath().getString("tzdata.version");
  }

  @Test
  @DisplayName("The service says which time-zone data it has, and what is measured says it too")
  void version() {
    String version = shownVersion();
    assertTrue(version.matches("20[0-9]{2}[a-z]+"), version);
    String told =
        given()
            .get("/q/metrics")
            .asString()
            .lines()
            .filter(line -> line.startsWith("tidegate_tzdata_info{"))
            .collect(Collectors.joining("\n"));
    assertEquals("tidegate_tzdata_info{version=\"%s\"} 1.0".formatted(version), told);
  }

  @Test
  @DisplayName("Every zone that there is has its own days")
  void everyZone() throws IOException, InterruptedException {
    Map<String, String> expected = new TreeMap<>();
    Map<String, String> found = new TreeMap<>();
    boolean sameData = shownVersion().equals(TimeZoneData.version());
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String zone : ZoneId.getAvailableZoneIds()) {
        if (zone.contains("/") && !zone.startsWith("SystemV/")) {
          expected.put(zone, dayIn(zone));
          String shown = shownDayIn(client, zone);
          // Other data may know other rules, but it knows the zone.
          found.put(zone, sameData || !shown.contains("/") ? shown : dayIn(zone));
        }
      }
    }
    assertEquals(expected, found);
    assertTrue(found.size() > 400, found.size() + " zones");
  }

  private static String dayIn(String zone) {
    var day = DAYS.periodAt(FROM, RegionZones.parse(zone));
    return day.start() + "/" + day.end();
  }

  /** Asked for without a look at the contract, which six hundred answers need not each have. */
  private static String shownDayIn(HttpClient client, String zone)
      throws IOException, InterruptedException {
    String body =
        json(
            "{'schedule':{'type':'calendar','unit':'day'},'zone':'%s','from':'%s','count':1}"
                .formatted(zone, FROM));
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://localhost:%d/v1/schedules/preview".formatted(RestAssured.port)))
            .header("Authorization", "Bearer " + METER)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    JsonNode shown = new ObjectMapper().readTree(response.body());
    return response.statusCode() == 200
        ? shown.path("start").asText() + "/" + shown.path("end").asText()
        : "status " + response.statusCode();
  }
}
