package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans: written, read, replaced and deleted. */
@QuarkusTest
class PlansTest extends HttpSuite {

  private static final String SMALL = plan(limit("all", "tokens", 100, FOREVER));
  private static final String LARGE = plan(limit("all", "tokens", 200, FOREVER));

  private static Response put(String name, String document) {
    return send(ADMIN, "PUT", "/v1/plans/" + segment(name), document);
  }

  private static Response put(String name, String document, String ifMatch) {
    return as(ADMIN, document).header("If-Match", ifMatch).put("/v1/plans/" + segment(name));
  }

  private static Response get(String name) {
    return as(ADMIN).get("/v1/plans/" + segment(name));
  }

  private static Response delete(String name) {
    return as(ADMIN).delete("/v1/plans/" + segment(name));
  }

  @Test
  void aPlanIsReadAsItWasWritten() throws IOException {
    String name = fresh("plan");
    Response written = put(name, SMALL);
    assertStatus(200, written);
    Response read = get(name);
    assertStatus(200, read);
    assertEquals(written.header("ETag"), read.header("ETag"));
    ObjectMapper mapper = new ObjectMapper();
    assertEquals(mapper.readTree(json(SMALL)), mapper.readTree(read.asString()));
  }

  @Test
  void everyChangeMovesTheVersionOnAndWhatChangesNothingDoesNot() {
    String name = fresh("plan");
    String first = put(name, SMALL).header("ETag");
    assertEquals(first, put(name, SMALL).header("ETag"));
    assertNotEquals(first, put(name, LARGE).header("ETag"));
  }

  @Test
  void whatDoesNotExistIsNotFound() {
    String name = fresh("plan");
    assertProblem(404, "plan-not-found", get(name));
    assertProblem(404, "plan-not-found", delete(name));
    assertProblem(404, "plan-not-found", as(METER).get("/v1/plans/" + name + "/resets"));
  }

  @Test
  void aDeletedPlanIsGoneAndDeletingItTwiceIsNotFound() {
    String name = fresh("plan");
    put(name, SMALL);
    assertStatus(204, delete(name));
    assertProblem(404, "plan-not-found", get(name));
    assertProblem(404, "plan-not-found", delete(name));
  }

  @Test
  @DisplayName("E8 Of two admins who edit at once the second gets a conflict")
  void e8() {
    String name = fresh("plan");
    String seen = put(name, SMALL).header("ETag");
    Response first = put(name, LARGE, seen);
    assertStatus(200, first);
    Response second = put(name, plan(), seen);
    assertProblem(409, "version-conflict", second);
    assertEquals(first.header("ETag"), second.header("ETag"));
    assertEquals(first.header("ETag"), "\"" + second.jsonPath().getLong("version") + "\"");
    assertEquals(first.header("ETag"), get(name).header("ETag"));
  }

  @Test
  void aStaleVersionKeepsAPlanFromBeingDeleted() {
    String name = fresh("plan");
    String seen = put(name, SMALL).header("ETag");
    put(name, LARGE);
    Response refused = as(ADMIN).header("If-Match", seen).delete("/v1/plans/" + name);
    assertProblem(409, "version-conflict", refused);
    assertStatus(
        204, as(ADMIN).header("If-Match", refused.header("ETag")).delete("/v1/plans/" + name));
  }

  @Test
  void versionZeroMakesAPlanOnlyWhereThereIsNone() {
    String name = fresh("plan");
    assertStatus(200, put(name, SMALL, "\"0\""));
    assertProblem(409, "version-conflict", put(name, SMALL, "\"0\""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "W/\"1\"",
        "1",
        "\"1\", \"2\"",
        "\"a\"",
        "\"-1\"",
        "\"\"",
        "\"12345678901234567\""
      })
  void whatIsNotOneStrongTagIsInvalid(String tag) {
    String name = fresh("plan");
    put(name, SMALL);
    Response refused = put(name, SMALL, tag);
    assertProblem(400, "invalid-request", refused);
    assertEquals("If-Match", refused.jsonPath().getString("violations[0].path"));
    Response notDeleted = as(ADMIN).header("If-Match", tag).delete("/v1/plans/" + name);
    assertProblem(400, "invalid-request", notDeleted);
  }

  @Test
  void everyFaultOfAPlanIsListedWithItsPathAndNothingIsStored() {
    String name = fresh("plan");
    Response refused =
        put(
            name,
            """
            {'resources':{
              'api':{'meters':['tokens'],'aliases':['b'],'hold':{'ttl_seconds':0},'limit':[],
                'limits':[
                  {'name':'x','kind':'period','meter':'cents','limit':1.5,
                   'schedule':{'type':'calendar','unit':'week','day_of_week':'MONDAY'}},
                  {'name':'x','kind':'sliding','meter':'tokens','limit':1},
                  {'name':'y','kind':'period','meter':'tokens','limit':-1,
                   'schedule':{'type':'cron','expr':'0 0 30 2 *'},'warn_at_percent':[95,80]}]},
              'b':{'meters':[]}}}
            """);
    assertProblem(400, "invalid-request", refused);
    assertEquals(
        List.of(
            "$.resources.api.aliases[0]",
            "$.resources.api.hold.ttl_seconds",
            "$.resources.api.limit",
            "$.resources.api.limits[0].limit",
            "$.resources.api.limits[0].meter",
            "$.resources.api.limits[0].schedule.day_of_week",
            "$.resources.api.limits[1].name",
            "$.resources.api.limits[1].window_seconds",
            "$.resources.api.limits[2].limit",
            "$.resources.api.limits[2].schedule.expr",
            "$.resources.api.limits[2].warn_at_percent",
            "$.resources.b.meters"),
        refused.jsonPath().<String>getList("violations.path").stream().sorted().toList());
    assertTrue(refused.jsonPath().getString("detail").endsWith("; and 11 more"), refused::asString);
    assertProblem(404, "plan-not-found", get(name));
  }

  @Test
  void aBadPlanLeavesTheOldOneInForce() {
    String subject = subjectWith(100);
    assertProblem(400, "invalid-request", put("p-" + subject, "{'resources':{'api':{}}}"));
    assertEquals(100, read(subject).jsonPath().getInt("available.tokens"));
  }

  @Test
  @DisplayName("E1 An upgrade counts at once and moves no reset")
  void e1() {
    String subject = subjectWith(100);
    charge(subject, 100);
    String before = readLimit(subject, "all").jsonPath().getString("reset_at");
    putPlan("p-" + subject, plan(limit("all", "tokens", 500, FOREVER)));
    var after = readLimit(subject, "all").jsonPath();
    assertEquals(400, after.getInt("remaining"));
    assertEquals(before, after.getString("reset_at"));
  }

  @Test
  @DisplayName("E2 A downgrade below the use leaves nothing and is over by the rest")
  void e2() {
    String subject = subjectWith(500);
    charge(subject, 300);
    String id = held(subject, 50);
    putPlan("p-" + subject, SMALL);
    var limit = readLimit(subject, "all").jsonPath();
    assertEquals(0, limit.getInt("remaining"));
    assertEquals(200, limit.getInt("over_by"));
    assertProblem(429, "quota-exhausted", reserve(subject, 1));
    assertStatus(200, settle(subject, id, 50));
    assertEquals("350/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("E4 A limit of 0 lets nothing through and reads work")
  void e4() {
    String subject = subjectWith(0);
    assertProblem(422, "exceeds-capacity", reserve(subject, 1));
    assertStatus(201, reserve(subject, 0));
    assertTrue(readLimit(subject, "all").jsonPath().getBoolean("exhausted"));
  }

  @Test
  @DisplayName("E5 Without a limit the counters go on")
  void e5() {
    String subject = subjectWith(100);
    charge(subject, 40);
    putPlan("p-" + subject, SMALL.replace("'limit':100", "'limit':null"));
    assertStatus(200, charge(subject, 1000));
    assertNull(read(subject).jsonPath().get("available.tokens"));
    putPlan("p-" + subject, SMALL);
    assertEquals("1040/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("E7 A reservation is read, settled and released although its plan is gone")
  void e7() {
    String subject = subjectWith(100);
    String one = held(subject, 10);
    String two = held(subject, 10);
    String three = held(subject, 10);
    delete("p-" + subject);
    assertProblem(404, "plan-not-found", reserve(subject, 1));
    assertProblem(404, "plan-not-found", read(subject));
    assertProblem(404, "plan-not-found", extend(subject, one, 60));
    assertEquals("held", find(subject, one).jsonPath().getString("state"));
    Response settled = settle(subject, one, 7);
    assertStatus(200, settled);
    assertEquals(7, settled.jsonPath().getInt("charged.tokens"));
    assertEquals("released", release(subject, two).jsonPath().getString("state"));
    putPlan("p-" + subject, SMALL);
    assertEquals("7/10", usedAndHeld(subject));
    assertStatus(200, settle(subject, three, 3));
    assertEquals("10/0", usedAndHeld(subject));
  }

  @Test
  void anAliasNamesTheResourceAndAnswersUseItsName() {
    String subject =
        subjectOn(planWith("'aliases':['old name'],", limit("all", "tokens", 100, FOREVER)));
    String path = "/v1/quota/" + subject + "/old%20name";
    Response held = send(METER, "POST", path + "/reservations", tokens(10));
    assertStatus(201, held);
    assertEquals("api", held.jsonPath().getString("limits[0].resource"));
    assertEquals("api", as(METER).get(path).jsonPath().getString("resource"));
    assertStatus(200, settle(subject, idOf(held), 10));
    assertEquals("10/0", usedAndHeld(subject));
  }

  @Test
  void aPlanWithoutTheResourceDoesNotKnowIt() {
    String subject = subjectWith(100);
    Response unknown = as(METER).get("/v1/quota/" + subject + "/other");
    assertProblem(404, "resource-not-found", unknown);
  }

  @Test
  void theResetsOfEveryLimitAreForetold() {
    String name = fresh("plan");
    put(
        name,
        plan(
            limit("daily", "tokens", 1, "{'type':'calendar','unit':'day','zone':'subject'}"),
            limit("own", "tokens", 1, "{'type':'calendar','unit':'day','zone':'Asia/Tokyo'}"),
            limit("window", "tokens", 1, "{'type':'session','seconds':60}")));
    Response resets =
        as(VIEWER)
            .get(
                "/v1/plans/"
                    + name
                    + "/resets?zone=Europe/Berlin&from=2026-03-28T12:00:00Z&count=2");
    assertStatus(200, resets);
    var json = resets.jsonPath();
    assertEquals(
        List.of("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"), json.getList("limits[0].resets"));
    assertEquals("2026-03-30T00:00:00+02:00", json.getString("limits[0].resets_local[1]"));
    assertEquals("Asia/Tokyo", json.getString("limits[1].zone"));
    assertEquals("2026-03-28T15:00:00Z", json.getString("limits[1].resets[0]"));
    assertTrue(json.getBoolean("limits[2].opens_on_use"));
    assertEquals(List.of(), json.getList("limits[2].resets"));
  }

  @ParameterizedTest
  @CsvSource({
    "zone=EST, zone",
    "zone=+01:00, zone",
    "from=today, from",
    "from=2026-01-01, from",
    "count=0, count",
    "count=101, count",
    "count=1.0, count",
    "from=0001-01-01T00:00:00Z, from",
    "from=9997-01-01T00:00:00Z, from",
    "from=2026-01-01T00:00:00.0001Z, from",
    "from=2026-01-01T00:00:00%2B01:00, from"
  })
  void whatIsWrongWithAQueryForResetsIsTold(String query, String name) {
    String plan = fresh("plan");
    put(plan, SMALL);
    Response refused = as(METER).get("/v1/plans/" + plan + "/resets?" + query);
    assertProblem(400, "invalid-request", refused);
    assertEquals(name, refused.jsonPath().getString("violations[0].path"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"9007199254740992\"", "\"9999999999999999\"", "\"01\"", "\"00\""})
  void aTagThatIsNoVersionOfOursConflicts(String tag) {
    String name = fresh("plan");
    assertProblem(409, "version-conflict", put(name, SMALL, tag));
    put(name, SMALL);
    assertProblem(409, "version-conflict", put(name, SMALL, tag));
    Response notDeleted = as(ADMIN).header("If-Match", tag).delete("/v1/plans/" + name);
    assertProblem(409, "version-conflict", notDeleted);
  }
}
