package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The quota as it is read. */
@QuarkusTest
class QuotaViewTest extends HttpSuite {

  private static final String SESSION = "{'type':'session','seconds':18000}";

  @Test
  void whatWasNeverUsedIsFullAndHasVersionZero() {
    String subject = subjectWith(100);
    Response read = read(subject);
    assertStatus(200, read);
    assertEquals("\"0\"", read.header("ETag"));
    assertEquals("no-store", read.header("Cache-Control"));
    var json = read.jsonPath();
    assertEquals(0, json.getLong("version"));
    assertEquals(100, json.getInt("available.tokens"));
    assertEquals(100, json.getInt("limits[0].remaining"));
    assertEquals("2020-01-01T00:00:00Z/fixed", json.getString("limits[0].period_id"));
    assertEquals("2029-12-31T12:00:00Z", json.getString("limits[0].reset_at"));
    assertNull(json.get("warnings"));
  }

  @Test
  void theVersionComesWithUseAndStaysWithinThePeriod() {
    String subject = subjectWith(100);
    charge(subject, 1);
    Response read = read(subject);
    assertNotEquals("\"0\"", read.header("ETag"));
    assertEquals("\"" + read.jsonPath().getLong("version") + "\"", read.header("ETag"));
    charge(subject, 1);
    held(subject, 1);
    assertEquals(read.header("ETag"), read(subject).header("ETag"));
    assertEquals(read.header("ETag"), readLimit(subject, "all").header("ETag"));
    assertEquals(
        read.header("ETag"), as(METER).get(quotaPath(subject) + "/periods").header("ETag"));
  }

  @Test
  @DisplayName("J15 Used, held and remaining are all told")
  void j15() {
    String subject = subjectWith(100);
    held(subject, 100);
    var limit = readLimit(subject, "all").jsonPath();
    assertEquals(0, limit.getInt("used"));
    assertEquals(100, limit.getInt("held"));
    assertEquals(0, limit.getInt("remaining"));
    assertTrue(limit.getBoolean("exhausted"));
    assertTrue(limit.getLong("retry_after_ms") > 0);
  }

  @Test
  @DisplayName("J14 What a settlement says is left is what the next read says")
  void j14() {
    String subject = subjectWith(100);
    int left = settle(subject, held(subject, 50), 20).jsonPath().getInt("available.tokens");
    assertEquals(left, read(subject).jsonPath().getInt("available.tokens"));
  }

  @Test
  void oneLimitIsTheSameAsInTheWholeView() {
    String subject =
        subjectOn(
            plan(limit("all", "tokens", 100, FOREVER), limit("calls", "requests", 9, FOREVER)));
    charge(subject, 7);
    Map<String, Object> whole = read(subject).jsonPath().getMap("limits[1]");
    assertEquals(whole, readLimit(subject, "calls").jsonPath().getMap(""));
    assertProblem(404, "limit-not-found", readLimit(subject, "other"));
    assertProblem(404, "limit-not-found", readLimit(subject, "%2F%3B"));
  }

  @Test
  void aLimitOfNullCountsAndIsWithoutBound() {
    String subject =
        subjectOn(plan(limit("all", "tokens", 1, FOREVER).replace("'limit':1", "'limit':null")));
    charge(subject, 7);
    var view = read(subject).jsonPath();
    assertNull(view.get("available.tokens"));
    assertTrue(view.getMap("available").containsKey("tokens"));
    assertNull(view.get("limits[0].remaining"));
    assertEquals(7, view.getInt("limits[0].used"));
    assertFalse(view.getBoolean("limits[0].exhausted"));
  }

  @Test
  void theEmergencyRuleOfThePlanIsShown() {
    String rule = ",'emergency':{'amount':10,'max':2}";
    String subject = subjectOn(plan(limit("all", "tokens", 100, FOREVER, rule)));
    var limit = readLimit(subject, "all").jsonPath();
    assertEquals(2, limit.getInt("emergency_topups_allowed"));
    assertEquals(2, limit.getInt("emergency_topups_left"));
    assertEquals(0, limit.getInt("emergency_topups_used"));
  }

  @ParameterizedTest
  @CsvSource({
    "79, 0, 0",
    "80, 0, 80",
    "94, 0, 80",
    "95, 0, 95",
    "100, 0, 95",
    "0, 80, 80",
    "50, 45, 95"
  })
  void aWarningNamesTheHighestPercentageThatIsReached(int used, int held, int percent) {
    String subject =
        subjectOn(plan(limit("all", "tokens", 100, FOREVER, ",'warn_at_percent':[80,95]")));
    Response answer = charge(subject, used);
    if (held > 0) {
      answer = reserve(subject, held);
    }
    for (Response shown : List.of(answer, read(subject))) {
      List<Integer> percents = shown.jsonPath().getList("warnings.percent");
      assertEquals(percent == 0 ? null : List.of(percent), percents, shown::asString);
    }
  }

  @Test
  void aWarningSaysWhoseLimitItIsAndHowMuchIsSpent() {
    String subject =
        subjectOn(plan(limit("all", "tokens", 100, FOREVER, ",'warn_at_percent':[80]")));
    charge(subject, 60);
    Response settled = settle(subject, held(subject, 10), 30);
    assertEquals(
        Map.of(
            "code",
            "quota-warning",
            "subject",
            subject,
            "limit",
            "all",
            "meter",
            "tokens",
            "percent",
            80,
            "used",
            90,
            "held",
            0),
        settled.jsonPath().getMap("warnings[0]"));
  }

  @Test
  @DisplayName("F10 Reading opens no session, makes no key and renews no expiry")
  void f10() {
    String subject =
        subjectOn(
            plan(limit("all", "tokens", 100, FOREVER), limit("window", "tokens", 9, SESSION)));
    String used =
        subjectOn(
            plan(limit("all", "tokens", 100, FOREVER), limit("window", "tokens", 9, SESSION)));
    charge(used, 1);
    String id = held(used, 1);
    try (TestRedis redis = TestRedis.open()) {
      Map<String, TestRedis.Entry> before = new TreeMap<>(redis.entries());
      for (String who : List.of(subject, used)) {
        assertStatus(200, read(who));
        assertStatus(200, readLimit(who, "window"));
        assertStatus(200, as(OPERATOR).get(quotaPath(who) + "/periods?past=1000&next=100"));
        assertStatus(200, as(METER).get("/v1/plans/p-" + who + "/resets"));
        assertStatus(200, as(ADMIN).get(subjectPath(who)));
        assertStatus(200, reserve(who, "{'amounts':{'tokens':1},'dry_run':true}"));
      }
      assertStatus(200, find(used, id));
      assertProblem(404, "subject-not-found", read(fresh("nobody")));
      Map<String, TestRedis.Entry> after = redis.entries();
      assertEquals(before.keySet(), after.keySet());
      before.forEach(
          (key, entry) -> {
            TestRedis.Entry now = after.getOrDefault(key, entry);
            assertEquals(entry.value(), now.value(), key);
            assertTrue(now.ttlMillis() <= entry.ttlMillis(), key + " lives longer");
          });
    }
    assertTrue(readLimit(subject, "window").jsonPath().getBoolean("opens_on_use"));
  }

  @Test
  void periodsOfWhatWasNeverUsedHaveNoPast() {
    String subject =
        subjectOn(
            plan(limit("all", "tokens", 100, FOREVER), limit("window", "tokens", 9, SESSION)));
    var periods = as(METER).get(quotaPath(subject) + "/periods").jsonPath();
    assertEquals(List.of("all", "window"), periods.getList("limits.name"));
    assertEquals(List.of(), periods.getList("limits[0].past"));
    assertEquals(3, periods.getList("limits[0].next").size());
    assertEquals("2020-01-01T00:00:00Z", periods.getString("limits[0].current.start"));
    assertNull(periods.get("limits[1].current"));
    assertEquals(List.of(), periods.getList("limits[1].next"));
  }

  @Test
  void thePeriodsOfOneLimitCanBeAskedFor() {
    String subject =
        subjectOn(plan(limit("all", "tokens", 100, FOREVER), limit("few", "tokens", 9, FOREVER)));
    String path = quotaPath(subject) + "/periods";
    var few = as(METER).get(path + "?limit=few&next=1&past=0").jsonPath();
    assertEquals(List.of("few"), few.getList("limits.name"));
    assertEquals(List.of("2029-12-31T12:00:00Z"), few.getList("limits[0].next"));
    assertEquals(List.of(), as(METER).get(path + "?next=0").jsonPath().getList("limits[0].next"));
    assertProblem(404, "limit-not-found", as(METER).get(path + "?limit=other"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "past=-1",
        "past=1001",
        "past=1.5",
        "past=x",
        "next=-1",
        "next=101",
        "next=99999999999"
      })
  void theNumbersOfPeriodsAreBounded(String query) {
    Response refused = as(METER).get(quotaPath(subjectWith(9)) + "/periods?" + query);
    assertProblem(400, "invalid-request", refused);
    assertEquals(
        query.substring(0, query.indexOf('=')), refused.jsonPath().getString("violations[0].path"));
  }

  @Test
  void aLimitOfNothingWarnsOfNothing() {
    String subject = subjectOn(plan(limit("all", "tokens", 0, FOREVER, ",'warn_at_percent':[95]")));
    assertNull(read(subject).jsonPath().get("warnings"));
  }
}
