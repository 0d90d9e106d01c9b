package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Usage by category, and what it is billed. */
@QuarkusTest
class UsageTest extends HttpSuite {

  private static final String CATEGORIES =
      "'categories':{'tokens':{'cache_miss_input':1,'cache_hit_input':0.1,'reasoning_output':5,"
          + "'final_output':5}},"
          + "'tiers':[{'above_input':1000,'weights':{'cache_miss_input':2,'final_output':7.5}}],";

  private static final long MAX = 9_007_199_254_740_991L;

  private static String weighing(long tokens) {
    return subjectOn(planWith(CATEGORIES, limit("all", "tokens", tokens, FOREVER)));
  }

  /** Text is a token; cents are fed by what is given. */
  private static String inTwoMeters(String cents) {
    return subjectOn(
        "{'resources':{'api':{'meters':['tokens','cents'],'categories':%s,'limits':[%s,%s]}}}"
            .formatted(
                "{'tokens':{'text':1},'cents':{%s}}".formatted(cents),
                limit("all", "tokens", 100, FOREVER),
                limit("money", "cents", 100, FOREVER)));
  }

  private static String usage(String units) {
    return "{'usage':{%s}}".formatted(units);
  }

  @ParameterizedTest(name = "{0} is billed {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'cache_miss_input':7 | 7",
        "'cache_hit_input':1 | 1",
        "'cache_hit_input':5,'cache_miss_input':3 | 4",
        "'cache_hit_input':10,'reasoning_output':2,'final_output':1 | 16",
        "'cache_miss_input':0 | 0",
        "'cache_miss_input':1000,'final_output':1 | 1005",
        "'cache_miss_input':1001,'final_output':1 | 2010",
        "'cache_hit_input':1001,'final_output':1,'reasoning_output':1 | 113",
      })
  void aUsageIsBilledByItsWeights(String units, long tokens) {
    String subject = weighing(100_000);
    Response settled = settle(subject, held(subject, 500), usage(units));
    assertStatus(200, settled);
    assertEquals(tokens, settled.jsonPath().getLong("charged.tokens"));
    Response charged = charge(subject, usage(units));
    assertStatus(200, charged);
    assertEquals(tokens, charged.jsonPath().getLong("charged.tokens"));
    assertEquals(2 * tokens + "/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("B5 A settlement by a usage of nothing settles, and charges nothing")
  void b5() {
    String subject = weighing(100);
    String id = held(subject, 50);
    Response settled = settle(subject, id, usage("'final_output':0"));
    assertStatus(200, settled);
    assertEquals("settled", settled.jsonPath().getString("state"));
    assertEquals("settled", find(subject, id).jsonPath().getString("state"));
    assertEquals("0/0", usedAndHeld(subject));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'usage':{}}",
        "{'usage':null}",
        "{'usage':[]}",
        "{'usage':{'final_output':-1}}",
        "{'usage':{'final_output':1.5}}",
        "{'usage':{'final_output':'1'}}",
        "{'usage':{'final_output':null}}",
        "{'usage':{'final_output':9007199254740992}}",
        "{'usage':{'final_output':1,'final_output':2}}",
        "{'usage':{'other':1}}",
        "{'usage':{'tokens':1}}",
        "{'usage':{'final_output':1},'use_held':true}",
        "{'usage':{'final_output':1},'amounts':{'tokens':1}}",
        "{'usage':{'final_output':9007199254740991}}",
        "{'use_held':false}",
      })
  @DisplayName("B23 What does not say what it cost is 400, and the reservation stays")
  void b23(String body) {
    String subject = weighing(100);
    String id = held(subject, 50);
    assertProblem(400, "invalid-request", settle(subject, id, body));
    assertProblem(400, "invalid-request", charge(subject, body));
    assertEquals("held", find(subject, id).jsonPath().getString("state"));
    assertEquals("0/50", usedAndHeld(subject));
  }

  @Test
  @DisplayName("B23 Only when the caller says so is what is held charged")
  void b23UseHeld() {
    String subject = weighing(100);
    assertStatus(200, settle(subject, held(subject, 50), "{'use_held':true}"));
    assertEquals("50/0", usedAndHeld(subject));
  }

  @Test
  void anUnknownCategoryIsNamedWithThoseThatThereAre() {
    String subject = weighing(100);
    Response refused =
        settle(subject, held(subject, 1), usage("'final_output':1,'inptu':1,'image':2"));
    assertProblem(400, "invalid-request", refused);
    assertEquals(
        List.of("$.usage.image", "$.usage.inptu"), refused.jsonPath().getList("violations.path"));
    assertTrue(refused.asString().contains("cache_miss_input, cache_hit_input"));
  }

  @Test
  void aResourceWithoutCategoriesTakesNoUsage() {
    String subject = subjectWith(100);
    Response refused = charge(subject, usage("'final_output':1"));
    assertProblem(400, "invalid-request", refused);
    assertEquals(List.of("$.usage.final_output"), refused.jsonPath().getList("violations.path"));
  }

  @Test
  void aMeterThatUsageFeedsMustNotBeNamedToo() {
    Response refused =
        charge(weighing(100), "{'usage':{'final_output':1},'amounts':{'tokens':5,'requests':1}}");
    assertProblem(400, "invalid-request", refused);
    assertEquals(List.of("$.amounts.tokens"), refused.jsonPath().getList("violations.path"));
  }

  @Test
  void otherMetersAreNamedBesideTheUsage() {
    String subject =
        subjectOn(
            planWith(
                CATEGORIES,
                limit("all", "tokens", 100, FOREVER),
                limit("calls", "requests", 9, FOREVER)));
    String both = "{'usage':{'final_output':2},'amounts':{'requests':3}}";
    assertStatus(200, charge(subject, both));
    assertStatus(200, settle(subject, held(subject, 20), both));
    assertStatus(200, charge(subject, usage("'final_output':1")));
    assertEquals("25/0", usedAndHeld(subject));
    assertEquals("7/0", usedAndHeld(subject, "calls"));
  }

  @Test
  void aMeterThatNothingFeedsIsStillRequired() {
    String subject = inTwoMeters("'image':2");
    Response refused = charge(subject, usage("'text':1"));
    assertProblem(400, "invalid-request", refused);
    assertEquals("$.amounts.cents", refused.jsonPath().getString("violations[0].path"));
    assertStatus(200, charge(subject, "{'usage':{'text':1},'amounts':{'cents':4}}"));
    assertStatus(200, charge(subject, usage("'text':1,'image':3")));
    assertEquals("2/0", usedAndHeld(subject));
    assertEquals("10/0", usedAndHeld(subject, "money"));
  }

  @Test
  void oneMeterMayBeFedByWhatFeedsAnotherToo() {
    String subject = inTwoMeters("'text':0.3");
    assertStatus(200, charge(subject, usage("'text':4")));
    assertEquals("4/0", usedAndHeld(subject));
    assertEquals("2/0", usedAndHeld(subject, "money"));
  }

  @Test
  void theSameUsageAgainIsAReplayAndAnotherAmountIsNot() {
    String subject = weighing(100);
    String id = held(subject, 50);
    settle(subject, id, usage("'final_output':3"));
    Response again = settle(subject, id, usage("'final_output':3"));
    assertStatus(200, again);
    assertTrue(again.jsonPath().getBoolean("replayed"));
    assertTrue(
        settle(subject, id, usage("'reasoning_output':3")).jsonPath().getBoolean("replayed"));
    assertTrue(settle(subject, id, 15).jsonPath().getBoolean("replayed"));
    Response other = settle(subject, id, usage("'final_output':4"));
    assertProblem(409, "already-settled", other);
    assertEquals(15, other.jsonPath().getLong("charged.tokens"));
    assertEquals("15/0", usedAndHeld(subject));
  }

  @Test
  void theGreatestBillIsChargedAndOneMoreIsRefused() {
    String subject =
        subjectOn(
            planWith(
                "'categories':{'tokens':{'text':1,'rest':0.000001}},",
                limit("all", "tokens", MAX, FOREVER)));
    Response refused = charge(subject, usage("'text':%d,'rest':1".formatted(MAX)));
    assertProblem(400, "invalid-request", refused);
    assertEquals("$.usage", refused.jsonPath().getString("violations[0].path"));
    assertStatus(200, charge(subject, usage("'text':%d".formatted(MAX))));
    assertEquals(MAX + "/0", usedAndHeld(subject));
  }

  @Test
  void theNearestCategoriesCountForEveryLevel() {
    String team = subjectOn(planWith(CATEGORIES, limit("all", "tokens", 1000, FOREVER)));
    String member = fresh("member");
    putPlan("p-" + member, plan(limit("all", "tokens", 500, FOREVER)));
    putSubject(member, "{'plan':'p-%s','parent':'%s'}".formatted(member, team));
    assertStatus(200, charge(member, usage("'final_output':4")));
    assertEquals("20/0", usedAndHeld(member));
    assertEquals("20/0", usedAndHeld(team));
  }

  @Test
  void whereNoPlanAppliesAnyMoreUsageCannotBeWeighedAndAmountsSettle() {
    String subject = weighing(100);
    String id = held(subject, 50);
    assertStatus(204, send(ADMIN, "DELETE", "/v1/plans/p-" + subject, ""));
    Response refused = settle(subject, id, usage("'final_output':1"));
    assertProblem(400, "invalid-request", refused);
    assertEquals("$.usage", refused.jsonPath().getString("violations[0].path"));
    assertStatus(200, settle(subject, id, 5));
  }

  @Test
  void aReservationTakesNoUsage() {
    assertProblem(400, "invalid-request", reserve(weighing(100), usage("'final_output':1")));
  }
}
