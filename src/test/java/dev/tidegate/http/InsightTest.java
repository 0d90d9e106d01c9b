package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a quota is used: rates, forecasts and breakdowns. */
@QuarkusTest
class InsightTest extends ClockSuite {

  private static final String CATEGORIES =
      "'categories':{'tokens':{'cache_miss_input':1,'cache_hit_input':0.1,'final_output':5}},";
  private static final String SESSION = "{'type':'session','seconds':18000}";
  private static final String HOURLY = "{'type':'calendar','unit':'hour'}";

  private static String usage(int missed, int hit, int answered) {
    return "{'usage':{'cache_miss_input':%d,'cache_hit_input':%d,'final_output':%d}}"
        .formatted(missed, hit, answered);
  }

  private static String weighing(String... limits) {
    return subjectOn(planWith(CATEGORIES, limits));
  }

  private static JsonPath all(String subject) {
    Response read = readLimit(subject, "all");
    assertStatus(200, read);
    return read.jsonPath();
  }

  @Test
  @DisplayName("J1 Without history there is neither a rate nor a forecast")
  void j1() {
    set("2026-10-12T04:00:00Z");
    String subject = weighing(limit("all", "tokens", 1000, DAILY));
    held(subject, 10);
    JsonPath limit = all(subject);
    for (String unknown :
        List.of(
            "burn_rate_1h",
            "burn_rate_24h",
            "estimated_exhaust_at",
            "cache_hit_rate",
            "most_expensive")) {
      assertTrue(limit.getMap("").containsKey(unknown), unknown);
      assertNull(limit.get(unknown), unknown);
    }
    assertEquals(
        Map.of("cache_miss_input", 0, "cache_hit_input", 0, "final_output", 0),
        limit.getMap("usage_breakdown"));
    JsonPath whole = read(subject).jsonPath();
    assertTrue(whole.getMap("burn_rate_1h").containsKey("tokens"));
    assertNull(whole.get("burn_rate_1h.tokens"));
    assertNull(whole.get("burn_rate_24h.tokens"));
    assertEquals(limit.getMap("usage_breakdown"), whole.getMap("usage_breakdown"));
  }

  @Test
  @DisplayName("J3 What would outlast the reset has no forecast, five times the rate has one")
  void j3() {
    set("2026-10-12T00:00:00Z");
    String slow = dailySubject(1000);
    String fast = dailySubject(1000);
    charge(slow, 380);
    charge(fast, 300);
    set("2026-10-12T03:30:00Z");
    charge(slow, 20);
    charge(fast, 100);
    set("2026-10-12T04:00:00Z");
    assertEquals(20, all(slow).getInt("burn_rate_1h"));
    assertNull(all(slow).get("estimated_exhaust_at"));
    assertEquals(100, all(fast).getInt("burn_rate_1h"));
    assertEquals("2026-10-12T10:00:00Z", all(fast).getString("estimated_exhaust_at"));
    assertFalse(all(fast).getBoolean("exhausted"));
  }

  private static void grant(String subject, String path, String body) {
    assertStatus(200, send(OPERATOR, "POST", quotaPath(subject) + path, body));
  }

  @Test
  @DisplayName("J5 A top-up is no negative burn")
  void j5() {
    set("2026-10-12T00:00:00Z");
    String subject = dailySubject(1000);
    charge(subject, 120);
    set("2026-10-12T00:30:00Z");
    grant(subject, "/topup", "{'mode':'purchase','amounts':{'all':500}}");
    assertEquals(240, all(subject).getInt("burn_rate_1h"));
    assertEquals(1380, all(subject).getInt("remaining"));
    assertEquals("2026-10-12T06:15:00Z", all(subject).getString("estimated_exhaust_at"));
  }

  @Test
  @DisplayName("J6 A reset inside the window leaves rates and breakdown as they are")
  void j6() {
    set("2026-10-12T00:00:00Z");
    String subject = weighing(limit("all", "tokens", 1000, DAILY));
    charge(subject, usage(80, 0, 0));
    set("2026-10-12T00:20:00Z");
    grant(subject, "/reset", "{'mode':'keep_anchor'}");
    charge(subject, usage(40, 0, 0));
    set("2026-10-12T00:30:00Z");
    JsonPath limit = all(subject);
    assertEquals(40, limit.getInt("used"));
    assertEquals(240, limit.getInt("burn_rate_1h"));
    assertEquals(120, limit.getInt("usage_breakdown.cache_miss_input"));
  }

  @Test
  void withoutUseInTheHourTheRateOfTheDayForetells() {
    set("2026-10-12T00:00:00Z");
    String subject = dailySubject(1000);
    charge(subject, 600);
    set("2026-10-12T06:00:00Z");
    JsonPath limit = all(subject);
    assertEquals(0, limit.getInt("burn_rate_1h"));
    assertEquals(100, limit.getInt("burn_rate_24h"));
    assertEquals("2026-10-12T10:00:00Z", limit.getString("estimated_exhaust_at"));
  }

  @Test
  void whatIsExhaustedSaysSoAndForetellsNothing() {
    set("2026-10-12T00:00:00Z");
    String subject = dailySubject(1000);
    charge(subject, 900);
    set("2026-10-12T00:10:00Z");
    assertEquals("2026-10-12T00:11:06.667Z", all(subject).getString("estimated_exhaust_at"));
    charge(subject, 100);
    assertTrue(all(subject).getBoolean("exhausted"));
    assertNull(all(subject).get("estimated_exhaust_at"));
    assertEquals(6000, all(subject).getInt("burn_rate_1h"));
  }

  @Test
  @DisplayName("F7 Rates come with their decimals, and whole ones without any")
  void f7() {
    set("2026-10-12T00:00:00Z");
    String subject = weighing(limit("all", "tokens", 100_000, DAILY));
    charge(subject, usage(2, 1, 0));
    charge(subject, usage(95, 0, 0));
    set("2026-10-12T00:04:59.999Z");
    assertNull(all(subject).get("burn_rate_1h"));
    set("2026-10-12T00:45:00Z");
    charge(subject, usage(2, 0, 0));
    String text = readLimit(subject, "all").asString();
    assertTrue(text.contains("\"burn_rate_1h\":133.333,"), text);
    assertTrue(text.contains("\"burn_rate_24h\":133.333,"), text);
    assertTrue(text.contains("\"cache_hit_rate\":0.01,"), text);
    set("2026-10-12T02:00:00Z");
    charge(subject, 1_000_000_000);
    charge(subject, 50_000);
    text = readLimit(subject, "all").asString();
    assertTrue(text.contains("\"burn_rate_1h\":50000,"), text);
    assertTrue(text.contains("\"burn_rate_24h\":25050,"), text);
  }

  @Test
  void aBreakdownIsOfThePeriodAndTellsWhatWeighsMost() {
    set("2026-10-12T10:00:00Z");
    String subject =
        weighing(
            limit("all", "tokens", 100_000, DAILY),
            limit("hour", "tokens", 100_000, HOURLY),
            limit("window", "tokens", 100_000, SESSION),
            limit("calls", "requests", 100, DAILY));
    settle(subject, held(subject, 500), usage(300, 100, 50));
    set("2026-10-12T11:00:00Z");
    charge(subject, usage(0, 200, 70));
    JsonPath limit = all(subject);
    assertEquals(
        Map.of("cache_miss_input", 300, "cache_hit_input", 300, "final_output", 120),
        limit.getMap("usage_breakdown"));
    assertEquals(0.5f, limit.getFloat("cache_hit_rate"));
    assertEquals("final_output", limit.getString("most_expensive"));
    JsonPath hour = readLimit(subject, "hour").jsonPath();
    assertEquals(
        Map.of("cache_miss_input", 0, "cache_hit_input", 200, "final_output", 70),
        hour.getMap("usage_breakdown"));
    assertEquals(
        limit.getMap("usage_breakdown"),
        readLimit(subject, "window").jsonPath().getMap("usage_breakdown"));
    JsonPath calls = readLimit(subject, "calls").jsonPath();
    assertEquals(Map.of(), calls.getMap("usage_breakdown"));
    assertNull(calls.get("cache_hit_rate"));
    assertEquals(2, calls.getInt("burn_rate_1h"));
    JsonPath whole = read(subject).jsonPath();
    assertEquals(limit.getMap("usage_breakdown"), whole.getMap("usage_breakdown"));
    assertEquals(930, whole.getInt("burn_rate_1h.tokens"));
    assertEquals(2, whole.getInt("burn_rate_24h.requests"));
    set("2026-10-13T00:00:00Z");
    assertEquals(0, all(subject).getInt("usage_breakdown.final_output"));
    assertNull(all(subject).get("most_expensive"));
  }

  @Test
  void aRateLimitHasRatesAndNeitherAForecastNorABreakdown() {
    String bucket =
        "{'name':'all','kind':'token_bucket','meter':'tokens','capacity':1000,'refill':1000,"
            + "'interval_seconds':3600}";
    String window =
        "{'name':'window','kind':'sliding','meter':'tokens','limit':1000,'window_seconds':3600,"
            + "'buckets':6}";
    set("2026-10-12T00:00:00Z");
    String subject = weighing(bucket, window);
    charge(subject, usage(90, 0, 0));
    set("2026-10-12T00:30:00Z");
    for (String name : List.of("all", "window")) {
      JsonPath limit = readLimit(subject, name).jsonPath();
      assertEquals(180, limit.getInt("burn_rate_1h"), name);
      assertNull(limit.get("estimated_exhaust_at"), name);
      assertNull(limit.get("usage_breakdown"), name);
      assertNull(limit.get("most_expensive"), name);
    }
    assertEquals(Map.of(), read(subject).jsonPath().getMap("usage_breakdown"));
  }

  @Test
  void aSessionThatIsNotRunningForetellsNothing() {
    set("2026-10-12T00:00:00Z");
    String subject = weighing(limit("all", "tokens", 100_000, SESSION));
    charge(subject, usage(100, 0, 0));
    set("2026-10-12T05:00:00Z");
    JsonPath limit = all(subject);
    assertTrue(limit.getBoolean("opens_on_use"));
    assertNull(limit.get("estimated_exhaust_at"));
    assertEquals(20, limit.getInt("burn_rate_24h"));
    assertEquals(0, limit.getInt("usage_breakdown.cache_miss_input"));
  }

  @Test
  void meteringAnswersTellNothingOfIt() {
    String subject = weighing(limit("all", "tokens", 100_000, DAILY));
    Map<String, Object> charged = charge(subject, usage(1, 1, 1)).jsonPath().getMap("limits[0]");
    assertFalse(charged.containsKey("burn_rate_1h"));
    assertFalse(charged.containsKey("usage_breakdown"));
  }

  @Test
  void aLateSettlementCountsNowAndNotInTheNewPeriod() {
    set("2026-10-12T23:59:58Z");
    String subject = weighing(limit("all", "tokens", 100_000, DAILY));
    charge(subject, 0);
    String id = held(subject, 100);
    set("2026-10-13T00:09:58Z");
    assertStatus(200, settle(subject, id, usage(50, 0, 0)));
    JsonPath limit = all(subject);
    assertEquals(0, limit.getInt("used"));
    assertEquals(0, limit.getInt("usage_breakdown.cache_miss_input"));
    assertEquals(300, limit.getInt("burn_rate_1h"));
  }

  @Test
  void categoriesThatThePlanDroppedAreStillTold() {
    set("2026-10-12T10:00:00Z");
    String subject = weighing(limit("all", "tokens", 100_000, DAILY));
    charge(subject, usage(7, 0, 0));
    putPlan(
        "p-" + subject,
        planWith("'categories':{'tokens':{'text':1}},", limit("all", "tokens", 100_000, DAILY)));
    charge(subject, "{'usage':{'text':3}}");
    assertEquals(
        Map.of("text", 3, "cache_miss_input", 7, "cache_hit_input", 0, "final_output", 0),
        all(subject).getMap("usage_breakdown"));
  }

  private static String team(String options) {
    return weighing(limit("month", "tokens", 100_000, DAILY, options));
  }

  private static void bindTo(String team) {
    putPlan("m-" + team, planWith(CATEGORIES, limit("all", "tokens", 5000, DAILY)));
    as(ADMIN).delete(subjectPath(BOUND));
    putSubject(BOUND, "{'plan':'m-%s','parent':'%s'}".formatted(team, team));
  }

  @Test
  void aViewerSeesItsOwnUseAndThatOfAParentOnlyWhereItIsShared() {
    for (boolean shared : List.of(true, false)) {
      set("2026-10-12T10:00:00Z");
      String team = team(shared ? ",'share_amounts_with_members':true" : "");
      bindTo(team);
      charge(team, usage(1000, 0, 0));
      charge(BOUND, usage(500, 0, 0));
      set("2026-10-12T11:00:00Z");
      JsonPath view = as(VIEWER).get("/v1/quota/me/api").jsonPath();
      assertEquals(500, view.getInt("burn_rate_1h.tokens"));
      assertEquals(500, view.getInt("usage_breakdown.cache_miss_input"));
      assertEquals(500, view.getInt("limits[0].burn_rate_1h"));
      Map<String, Object> parent = view.getMap("limits[1]");
      assertEquals(shared ? 1500 : null, parent.get("burn_rate_1h"));
      assertEquals(shared, parent.containsKey("usage_breakdown"));
      assertEquals(1500, read(BOUND).jsonPath().getInt("limits[1].burn_rate_1h"));
      nothingIsMeteredAndTheClockIsOff();
    }
  }

  @Test
  @DisplayName("J12 A member with a live hold cannot change its team, and settles where it held")
  void j12() {
    set("2026-10-12T10:00:00Z");
    String team = team("");
    String other = team("");
    String member = subjectWith(5000);
    String at = "{'plan':'p-%s','parent':'%s'}";
    putSubject(member, at.formatted(member, team));
    String id = held(member, 100);
    assertProblem(
        409, "has-state", send(ADMIN, "PUT", subjectPath(member), at.formatted(member, other)));
    assertStatus(200, settle(member, id, 70));
    assertEquals("70/0", usedAndHeld(team, "month"));
    assertEquals("0/0", usedAndHeld(other, "month"));
  }
}
