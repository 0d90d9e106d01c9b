package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.http.StructuredList.Item;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The header fields {@code RateLimit-Policy} and {@code RateLimit}. */
@QuarkusTest
class RateLimitFieldsTest extends HttpSuite {

  private static final String RATE =
      "{'name':'rpm','kind':'token_bucket','meter':'requests','capacity':60,'refill':1,"
          + "'interval_seconds':2}";
  private static final String WINDOW =
      "{'name':'tpm','kind':'sliding','meter':'tokens','limit':400,'window_seconds':60}";

  private static List<Item> policies(Response answer) {
    return StructuredList.parse(answer.header("RateLimit-Policy"));
  }

  private static List<Item> limits(Response answer) {
    return StructuredList.parse(answer.header("RateLimit"));
  }

  private static List<String> names(List<Item> items) {
    return items.stream().map(Item::value).toList();
  }

  private static String subjectWithAll() {
    String day = "{'type':'calendar','unit':'day','zone':'UTC'}";
    return subjectOn(
        plan(
            limit("all", "tokens", 1000, FOREVER),
            limit("daily", "tokens", 800, day),
            RATE,
            WINDOW));
  }

  @Test
  void tellEveryLimitThatCanRefuseTheTightestFirst() {
    Response answer = reserve(subjectWithAll(), 300);

    assertStatus(201, answer);
    // 100 of 400, 500 of 800, 700 of 1000, 59 of 60.
    assertEquals(List.of("tpm", "daily", "all", "rpm"), names(limits(answer)));
    assertEquals(names(limits(answer)), names(policies(answer)));
    assertEquals(
        List.of(100L, 500L, 700L, 59L),
        limits(answer).stream().map(item -> item.integer("r")).toList());
    assertEquals(
        List.of(
            Map.of("q", 400L, "qu", "tokens", "w", 60L),
            Map.of("q", 800L, "qu", "tokens", "w", 86_400L),
            Map.of("q", 1000L, "qu", "tokens", "w", 315_576_000L),
            Map.of("q", 60L, "w", 120L)),
        policies(answer).stream().map(Item::parameters).toList());
  }

  @Test
  void tellWhenALimitIsFreeAgainInWholeSecondsRoundedUp() {
    Response answer = reserve(subjectWithAll(), 300);

    List<Item> limits = limits(answer);
    assertEquals(2, limits.get(3).integer("t"), "one request comes back in two seconds");
    long untilMidnight = limits.get(1).integer("t");
    assertTrue(untilMidnight > 0 && untilMidnight <= 86_400, "" + untilMidnight);
  }

  @Test
  void areInTheAnswersThatShowLimits() {
    String subject = subjectWith(100);
    String id = held(subject, 10);
    Response settled = settle(subject, id, 20);
    Response charged = charge(subject, 5);
    Response tried = reserve(subject, "{'amounts':{'tokens':1},'dry_run':true}");

    assertEquals(80, limits(settled).getFirst().integer("r"));
    assertEquals(75, limits(charged).getFirst().integer("r"));
    assertEquals(75, limits(tried).getFirst().integer("r"));
    assertNull(read(subject).header("RateLimit"));
  }

  @Test
  void ofARefusalBeginWithTheLimitThatFreesLast() {
    // One request of sixty is left of the rate, which makes it the tightest; the quota frees last.
    String subject = subjectWithAll();
    for (int n = 0; n < 3; n++) {
      assertStatus(200, charge(subject, "{'amounts':{'tokens':1,'requests':19}}"));
    }
    Response answer = charge(subject, 900);

    assertStatus(422, answer);
    Response denied = charge(subject, 399);
    assertStatus(429, denied);
    assertEquals(denied.jsonPath().getString("limit"), limits(denied).getFirst().value());
    assertEquals(4, limits(denied).size());
    assertTrue(Long.parseLong(denied.header("Retry-After")) >= 1);
  }

  @Test
  void nameALimitOfAParentByItsSubject() {
    String team = fresh("té am/\"x\"");
    putPlan("p-team", plan(limit("all", "tokens", 50, FOREVER)));
    putPlan("p-one", plan(limit("all", "tokens", 100, FOREVER)));
    putSubject(team, "{'plan':'p-team'}");
    String member = fresh("member");
    putSubject(member, "{'plan':'p-one','parent':'%s'}".formatted(team.replace("\"", "\\\"")));
    Response answer = reserve(member, 10);

    assertStatus(201, answer);
    String parents = "t%C3%A9%20am%2F%22x%22" + team.substring(team.lastIndexOf('"') + 1) + "/all";
    assertEquals(List.of(parents, "all"), names(limits(answer)));
  }

  @Test
  void leaveOutWhatNeverRefuses() {
    String unlimited =
        "{'name':'count','kind':'period','meter':'tokens','limit':null,'schedule':" + FOREVER + "}";
    Response answer = reserve(subjectOn(plan(unlimited)), 10);

    assertStatus(201, answer);
    assertNull(answer.header("RateLimit"));
    assertNull(answer.header("RateLimit-Policy"));
  }

  @Test
  void neverHaveAnIntegerOfMoreThanFifteenDigits() {
    Response answer = reserve(subjectWith(9_007_199_254_740_991L), 1);

    assertEquals(999_999_999_999_999L, limits(answer).getFirst().integer("r"));
    assertEquals(999_999_999_999_999L, policies(answer).getFirst().integer("q"));
  }

  @Test
  void ofASessionThatIsNotRunningHaveItsLengthAndNoEnd() {
    String session = "{'type':'session','seconds':18000}";
    String subject = subjectOn(plan(limit("all", "tokens", 10, session)));
    Response tried = reserve(subject, "{'amounts':{'tokens':1},'dry_run':true}");

    assertEquals(18_000, policies(tried).getFirst().integer("w"));
    assertEquals(Map.of("r", 10L), limits(tried).getFirst().parameters());
  }

  @Test
  void areAtMostSixteen() {
    String[] many = new String[20];
    for (int n = 0; n < many.length; n++) {
      many[n] = limit("l" + n, "tokens", 100 - n, FOREVER);
    }
    Response answer = reserve(subjectOn(plan(many)), 50);

    assertEquals(16, limits(answer).size());
    assertEquals("l19", limits(answer).getFirst().value());
    assertTrue(answer.header("RateLimit-Policy").length() < 2048);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a;q=1",
        "\"a\";q=1,",
        "\"a\";q=1.0",
        "\"a\";Q=1",
        "\"a\" ;q=1",
        "\"a\";q",
        "\"a",
        "\"\\a\"",
        "\"é\"",
        "\"a\";q=1000000000000000",
        "\"a\";q=1;q=2",
        "\"a\" \"b\""
      })
  void theReaderOfTheseTestsIsStrict(String text) {
    assertThrows(IllegalArgumentException.class, () -> StructuredList.parse(text));
  }
}
