package dev.tidegate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What schedules come to. */
@QuarkusTest
class SchedulePreviewTest extends HttpSuite {

  private static final int CASES = 185;
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Response preview(String body) {
    return send(METER, "POST", "/v1/schedules/preview", body);
  }

  /** The period and the resets of a schedule from an instant on. */
  private static Response preview(String schedule, String zone, String from) {
    return preview("{'schedule':%s,'zone':'%s','from':'%s'}".formatted(schedule, zone, from));
  }

  @Test
  void everyLineOfTheCalendarTableComesTrue() throws IOException {
    List<String> wrong = new ArrayList<>();
    List<JsonNode> lines = lines();
    String tzdata = given().get("/q/info").jsonPath().getString("tzdata.version");
    for (JsonNode line : lines) {
      String found = found(line);
      String expected = expected(line, tzdata);
      if (!found.equals(expected)) {
        wrong.add(line.path("id").asText() + ": " + expected + " but found " + found);
      }
    }
    assertEquals(List.of(), wrong);
    assertEquals(CASES, lines.size());
  }

  private static String found(JsonNode line) throws IOException {
    ObjectNode request = JSON.createObjectNode();
    request.set("schedule", line.path("schedule"));
    request.set("zone", line.path("zone"));
    request.set("from", line.path("now"));
    Response response = preview(request.toString());
    if (response.statusCode() == 400) {
      return "refused";
    }
    JsonNode body = JSON.readTree(response.asString());
    int shown = line.at("/expect/next3").size();
    return shown(body.path("start"), body.path("end"), body.path("next"), shown);
  }

  private static String shown(JsonNode start, JsonNode end, JsonNode next, int count) {
    List<Instant> resets =
        StreamSupport.stream(next.spliterator(), false)
            .limit(count)
            .map(reset -> Instant.parse(reset.asText()))
            .toList();
    return instant(start) + " " + instant(end) + " " + resets;
  }

  /**
   * @param tzdata the version of the service's time-zone data, which may be another than ours
   */
  private static String expected(JsonNode line, String tzdata) {
    JsonNode expect =
        line.path("tzdata").path("differs").properties().stream()
            .filter(entry -> entry.getKey().endsWith("-" + tzdata))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse(line.path("expect"));
    return expect.has("error")
        ? "refused"
        : shown(expect.path("start"), expect.path("end"), expect.path("next3"), 3);
  }

  private static String instant(JsonNode text) {
    return text.isTextual() ? Instant.parse(text.asText()).toString() : "none";
  }

  private static List<JsonNode> lines() throws IOException {
    try (InputStream in = SchedulePreviewTest.class.getResourceAsStream("/cases/periods.jsonl")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      List<JsonNode> lines = new ArrayList<>();
      for (String line : text.lines().toList()) {
        lines.add(JSON.readTree(line));
      }
      return lines;
    }
  }

  @Test
  @DisplayName("C15 A reset at 00:00 in Tokyo is due at 15:00 UTC, not at 00:00")
  void c15() {
    String daily = "{'type':'calendar','unit':'day'}";
    var before = preview(daily, "Asia/Tokyo", "2026-07-31T14:59:59.999Z").jsonPath();
    assertEquals("2026-07-31T15:00:00Z", before.getString("end"));
    assertEquals("2026-08-01T00:00:00+09:00", before.getString("next_local[0]"));
    var due = preview(daily, "Asia/Tokyo", "2026-07-31T15:00:00Z").jsonPath();
    assertEquals("2026-07-31T15:00:00Z", due.getString("start"));
  }

  @Test
  @DisplayName("C16 Monthly is not thirty days: 1 February is one day after 31 January")
  void c16() {
    String monthly = "{'type':'calendar','unit':'month','day_of_month':1}";
    var period = preview(monthly, "UTC", "2026-01-31T00:00:00Z").jsonPath();
    assertEquals("2026-01-01T00:00:00Z", period.getString("start"));
    assertEquals("2026-02-01T00:00:00Z", period.getString("end"));
    assertEquals("2026-01-01T00:00:00Z/month", period.getString("period_id"));
  }

  @Test
  @DisplayName("C17 Anchored at the 31st, 2 March lies in 28 February to 31 March")
  void c17() {
    String monthly = "{'type':'calendar','unit':'month','day_of_month':31}";
    var period = preview(monthly, "UTC", "2026-03-02T00:00:00Z").jsonPath();
    assertEquals("2026-02-28T00:00:00Z", period.getString("start"));
    assertEquals(
        List.of("2026-03-31T00:00:00Z", "2026-04-30T00:00:00Z", "2026-05-31T00:00:00Z"),
        period.getList("next"));
  }

  @Test
  @DisplayName("C18 The hour that comes twice has two period ids")
  void c18() {
    String hourly = "{'type':'calendar','unit':'hour'}";
    var first = preview(hourly, "America/New_York", "2026-11-01T05:30:00Z").jsonPath();
    var second = preview(hourly, "America/New_York", "2026-11-01T06:30:00Z").jsonPath();
    assertEquals("2026-11-01T05:00:00Z/hour", first.getString("period_id"));
    assertEquals("2026-11-01T06:00:00Z/hour", second.getString("period_id"));
    assertTrue(second.getLong("seq") > first.getLong("seq"));
  }

  @Test
  void theScheduleHasTheLastWordOnTheZone() {
    String own = "{'type':'calendar','unit':'day','zone':'Asia/Tokyo'}";
    assertEquals(
        "Asia/Tokyo", preview(own, "UTC", "2026-07-31T00:00:00Z").jsonPath().getString("zone"));
    String subjects = "{'type':'calendar','unit':'day','zone':'subject'}";
    assertEquals(
        "Europe/Berlin",
        preview(subjects, "Europe/Berlin", "2026-07-31T00:00:00Z").jsonPath().getString("zone"));
  }

  @Test
  void withoutZoneAndInstantItIsTheConfiguredZoneAndNow() {
    var period = preview("{'schedule':{'type':'calendar','unit':'year'}}").jsonPath();
    assertEquals("UTC", period.getString("zone"));
    assertFalse(Instant.parse(period.getString("start")).isAfter(Instant.now()));
    assertTrue(Instant.parse(period.getString("end")).isAfter(Instant.now()));
    assertEquals(3, period.getList("next").size());
  }

  @Test
  void aSessionOpensOnUseAndForetellsNothing() {
    var session = preview("{'schedule':{'type':'session','seconds':18000}}").jsonPath();
    assertTrue(session.getBoolean("opens_on_use"));
    assertNull(session.get("start"));
    assertNull(session.get("period_id"));
    assertEquals(List.of(), session.getList("next"));
  }

  @Test
  void aHundredResetsCanBeSeenAndNotOneMore() {
    String body = "{'schedule':{'type':'cron','expr':'*/5 * * * *'},'count':%d}";
    assertEquals(100, preview(body.formatted(100)).jsonPath().getList("next").size());
    assertEquals(1, preview(body.formatted(1)).jsonPath().getList("next").size());
    assertProblem(400, "invalid-request", preview(body.formatted(101)));
    assertProblem(400, "invalid-request", preview(body.formatted(0)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                          | $.schedule
          {'schedule':null}                                           | $.schedule
          {'schedule':{}}                                             | $.schedule.type
          {'schedule':{'type':'lunar'}}                               | $.schedule.type
          {'schedule':{'type':'calendar','unit':'decade'}}            | $.schedule.unit
          {'schedule':{'type':'calendar','unit':'day','interval':0}}  | $.schedule.interval
          {'schedule':{'type':'calendar','unit':'day','at':'24:00'}}  | $.schedule.at
          {'schedule':{'type':'calendar','unit':'year','month':13}} | $.schedule.month
          {'schedule':{'type':'calendar','unit':'day','zone':'EST'}}  | $.schedule.zone
          {'schedule':{'type':'cron','expr':'0 0 30 2 *'}}            | $.schedule.expr
          {'schedule':{'type':'cron','expr':'61 * * * *'}}            | $.schedule.expr
          {'schedule':{'type':'fixed','seconds':0}}                   | $.schedule.seconds
          {'schedule':{'type':'fixed','seconds':60,'zone':'UTC'}}     | $.schedule.zone
          {'schedule':{'type':'session','seconds':60},'zone':'+01:00'} | $.zone
          {'schedule':{'type':'session','seconds':60},'from':'2026-01-01'} | $.from
          {'schedule':{'type':'session','seconds':60},'from':'2026-01-01T00:00:00+01:00'} | $.from
          {'schedule':{'type':'session','seconds':60},'until':1}      | $.until
          """)
  void everyFaultIsToldWithItsPath(String body, String path) {
    Response refused = preview(body);
    assertProblem(400, "invalid-request", refused);
    assertEquals(List.of(path), refused.jsonPath().getList("violations.path"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9997-01-01T00:00:00Z"})
  void whatCannotBeToldInYearsOfFourDigitsIsInvalid(String from) {
    String daily = "{'type':'calendar','unit':'day'}";
    Response refused = preview(daily, "Pacific/Apia", from);
    assertProblem(400, "invalid-request", refused);
    assertEquals("$.from", refused.jsonPath().getString("violations[0].path"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1970-01-01T00:00:00Z", "9996-12-31T23:59:59.999Z"})
  void theEndsOfTimeAreShown(String from) {
    String daily = "{'type':'calendar','unit':'day'}";
    assertStatus(200, preview(daily, "Pacific/Apia", from));
  }

  @Test
  void aSessionIsShownAsItIsAfterItsUses() {
    String session =
        "{'type':'session','seconds':18000,'uses':['2027-03-01T06:17:00Z','2027-03-01T10:00:00Z']}";
    var running = preview(session, "UTC", "2027-03-01T11:00:00Z").jsonPath();
    assertEquals("2027-03-01T06:17:00Z", running.getString("start"));
    assertEquals(List.of("2027-03-01T11:17:00Z"), running.getList("next"));
    var over = preview(session, "UTC", "2027-03-01T11:17:00Z").jsonPath();
    assertTrue(over.getBoolean("opens_on_use"));
    assertNull(over.get("end"));
  }
}
