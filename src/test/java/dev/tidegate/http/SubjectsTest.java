package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Subjects: registered, changed, disabled, deleted. */
@QuarkusTest
class SubjectsTest extends HttpSuite {

  private static final String PLAN = "subjects";

  /** The default plan of the test profile; it exists only while a test needs it. */
  private static final String DEFAULT = "test-default";

  @BeforeEach
  void registersThePlan() {
    putPlan(PLAN, plan(limit("all", "tokens", 100, FOREVER)));
  }

  private static Response put(String id, String document) {
    return send(ADMIN, "PUT", subjectPath(id), document);
  }

  private static String registered(String more) {
    String id = fresh("s");
    putSubject(id, "{'plan':'%s'%s}".formatted(PLAN, more));
    return id;
  }

  private static String childOf(String parent) {
    return registered(",'parent':'%s'".formatted(parent));
  }

  private static void assertFault(String path, Response refused) {
    assertProblem(400, "invalid-request", refused);
    assertEquals(path, refused.jsonPath().getString("violations[0].path"), refused::asString);
  }

  @Test
  void aSubjectIsReadAsItWasWritten() throws IOException {
    String document =
        "{'plan':'subjects','zone':'Europe/Berlin','disabled':false,'effective':'now',"
            + "'overrides':{'api':{'limits':{'all':{'limit':7}}}},"
            + "'resources':{'api':{'disabled':true}}}";
    String id = fresh("s");
    Response written = put(id, document);
    assertStatus(200, written);
    Response read = as(ADMIN).get(subjectPath(id));
    assertEquals(written.header("ETag"), read.header("ETag"));
    ObjectMapper mapper = new ObjectMapper();
    assertEquals(mapper.readTree(json(document)), mapper.readTree(read.asString()));
  }

  @Test
  void whatNobodyRegisteredIsNotFound() {
    String id = fresh("nobody");
    assertProblem(404, "subject-not-found", as(ADMIN).get(subjectPath(id)));
    assertProblem(404, "subject-not-found", as(ADMIN).delete(subjectPath(id)));
    assertProblem(404, "subject-not-found", read(id));
    assertProblem(404, "subject-not-found", charge(id, 1));
  }

  @Test
  void anUnregisteredSubjectHasTheDefaultPlan() {
    String id = fresh("nobody");
    putPlan(DEFAULT, plan(limit("standard", "tokens", 5, FOREVER)));
    try {
      assertStatus(200, charge(id, 5));
      assertEquals("5/0", usedAndHeld(id, "standard"));
      assertEquals("UTC", readLimit(id, "standard").jsonPath().getString("zone"));
      assertProblem(404, "subject-not-found", as(ADMIN).get(subjectPath(id)));
      String fallen = registered("");
      putSubject(fallen, "{}");
      assertStatus(200, charge(fallen, 4));
      assertEquals("4/0", usedAndHeld(fallen, "standard"));
    } finally {
      assertStatus(204, as(ADMIN).delete("/v1/plans/" + DEFAULT));
    }
    assertProblem(404, "subject-not-found", charge(id, 1));
  }

  @Test
  void aSubjectWhosePlanIsDeletedFallsToTheDefaultPlan() {
    String subject = subjectWith(100);
    putPlan(DEFAULT, plan(limit("standard", "tokens", 5, FOREVER)));
    try {
      assertStatus(204, as(ADMIN).delete("/v1/plans/p-" + subject));
      assertEquals(5, read(subject).jsonPath().getInt("available.tokens"));
    } finally {
      assertStatus(204, as(ADMIN).delete("/v1/plans/" + DEFAULT));
    }
    assertProblem(404, "plan-not-found", read(subject));
  }

  @Test
  void theVersionGuardsAgainstLostChanges() {
    String id = fresh("s");
    Response first = as(ADMIN, "{}").header("If-Match", "\"0\"").put(subjectPath(id));
    assertStatus(200, first);
    assertProblem(
        409, "version-conflict", as(ADMIN, "{}").header("If-Match", "\"0\"").put(subjectPath(id)));
    String zoned = "{'zone':'Europe/Berlin'}";
    Response second =
        as(ADMIN, zoned).header("If-Match", first.header("ETag")).put(subjectPath(id));
    assertStatus(200, second);
    Response stale = as(ADMIN).header("If-Match", first.header("ETag")).delete(subjectPath(id));
    assertProblem(409, "version-conflict", stale);
    assertEquals(second.header("ETag"), stale.header("ETag"));
    assertStatus(204, as(ADMIN).header("If-Match", second.header("ETag")).delete(subjectPath(id)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'plan':'there-is-none'}                                       | $.plan
          {'plan':'me'}                                                  | $.plan
          {'plan':null}                                                  | $.plan
          {'zone':'EST'}                                                 | $.zone
          {'zone':'+01:00'}                                              | $.zone
          {'parent':'..'}                                                | $.parent
          {'parent':'there-is-none'}                                     | $.parent
          {'disabled':'yes'}                                             | $.disabled
          {'disabled':1}                                                 | $.disabled
          {'effective':'tomorrow'}                                       | $.effective
          {'resources':{'api':{'disabled':1}}}                           | $.resources.api.disabled
          {'plan':'subjects','overrides':{'b':{'limits':{}}}}            | $.overrides.b
          {'plan':'subjects','overrides':{'api':{}}}                     | $.overrides.api.limits
          {'plan':'subjects','overrides':{'api':{'limits':{'x':{}}}}}    | $.overrides.api.limits.x
          {'overrides':{'api':{'limits':{'all':{'limit':-1}}}}} | $.overrides.api.limits.all.limit
          {'overrides':{'api':{'limits':{'all':{'meter':'x'}}}}} | $.overrides.api.limits.all.meter
          {'name':'x'}                                                   | $.name
          """)
  void everyFaultIsToldWithItsPath(String document, String path) {
    String id = fresh("s");
    assertFault(path, put(id, document));
    assertProblem(404, "subject-not-found", as(ADMIN).get(subjectPath(id)));
  }

  @Test
  void overridesReplaceFieldsOfThePlansLimits() {
    String id = registered(",'overrides':{'api':{'limits':{'all':{'limit':7}}}}");
    assertEquals(7, read(id).jsonPath().getInt("available.tokens"));
    charge(id, 7);
    putSubject(id, "{'plan':'subjects','overrides':{'api':{'limits':{'all':{'limit':null}}}}}");
    assertStatus(200, charge(id, 1000));
    assertNull(readLimit(id, "all").jsonPath().get("limit"));
    putSubject(id, "{'plan':'subjects'}");
    assertEquals(907, readLimit(id, "all").jsonPath().getInt("over_by"));
  }

  @Test
  void anOverriddenScheduleKeepsTheLimit() {
    String daily = "{'type':'calendar','unit':'day','zone':'Asia/Tokyo'}";
    String id =
        registered(",'overrides':{'api':{'limits':{'all':{'schedule':%s}}}}".formatted(daily));
    var limit = readLimit(id, "all").jsonPath();
    assertEquals("Asia/Tokyo", limit.getString("zone"));
    assertEquals(100, limit.getInt("limit"));
    assertTrue(limit.getString("period_id").endsWith("T15:00:00Z/day"), limit::prettify);
  }

  @Test
  void theZoneOfTheSubjectMovesItsResets() {
    String daily = "{'type':'calendar','unit':'day'}";
    String plan = fresh("daily");
    putPlan(plan, plan(limit("all", "tokens", 100, daily)));
    String id = fresh("s");
    putSubject(id, "{'plan':'%s','zone':'Asia/Kolkata'}".formatted(plan));
    var limit = readLimit(id, "all").jsonPath();
    assertEquals("Asia/Kolkata", limit.getString("zone"));
    assertTrue(limit.getString("reset_at").endsWith("T18:30:00Z"), limit::prettify);
    assertTrue(limit.getString("reset_at_local").endsWith("T00:00:00+05:30"), limit::prettify);
  }

  @Test
  void threeLevelsStandAndAFourthDoesNot() {
    String organisation = registered("");
    String team = childOf(organisation);
    String user = childOf(team);
    assertEquals(3, read(user).jsonPath().getList("limits").size());
    assertFault("$.parent", put(fresh("s"), "{'plan':'subjects','parent':'%s'}".formatted(user)));
  }

  @Test
  void noSubjectIsAboveItself() {
    String one = registered("");
    String two = childOf(one);
    assertFault("$.parent", put(one, "{'plan':'subjects','parent':'%s'}".formatted(one)));
    assertFault("$.parent", put(one, "{'plan':'subjects','parent':'%s'}".formatted(two)));
    String itself = fresh("s");
    assertFault("$.parent", put(itself, "{'parent':'%s'}".formatted(itself)));
  }

  @Test
  void theParentChangesOnlyWhileThereIsNoState() {
    String one = registered("");
    String two = registered("");
    String child = childOf(one);
    putSubject(child, "{'plan':'subjects','parent':'%s'}".formatted(two));
    charge(child, 1);
    Response moved = put(child, "{'plan':'subjects','parent':'%s'}".formatted(one));
    assertProblem(409, "has-state", moved);
    assertProblem(409, "has-state", put(child, "{'plan':'subjects'}"));
    String used = registered("");
    charge(used, 1);
    String under = "{'plan':'subjects','parent':'%s'}".formatted(one);
    assertProblem(409, "has-state", put(used, under));
    assertStatus(
        200, put(child, "{'plan':'subjects','parent':'%s','zone':'Asia/Tokyo'}".formatted(two)));
  }

  @Test
  void aSubjectWithMembersIsNeitherMovedNorDeleted() {
    String parent = registered("");
    String child = childOf(parent);
    assertProblem(409, "has-members", as(ADMIN).delete(subjectPath(parent)));
    String under = "{'plan':'subjects','parent':'%s'}".formatted(registered(""));
    assertProblem(409, "has-members", put(parent, under));
    assertStatus(204, as(ADMIN).delete(subjectPath(child)));
    assertStatus(204, as(ADMIN).delete(subjectPath(parent)));
  }

  @Test
  void aDisabledSubjectIsRefusedWhatSpendsAndKeepsTheRest() {
    String id = registered("");
    String one = held(id, 10);
    String two = held(id, 10);
    putSubject(id, "{'plan':'subjects','disabled':true}");
    for (Response refused : List.of(reserve(id, 1), charge(id, 1), extend(id, one, 60))) {
      assertProblem(403, "resource-disabled", refused);
      assertEquals(id, refused.jsonPath().getString("subject"));
    }
    assertEquals("0/20", usedAndHeld(id));
    assertStatus(200, as(METER).get(quotaPath(id) + "/periods"));
    assertStatus(200, find(id, one));
    assertStatus(200, settle(id, one, 5));
    assertStatus(200, release(id, two));
    putSubject(id, "{'plan':'subjects'}");
    assertStatus(200, charge(id, 1));
    assertEquals("6/0", usedAndHeld(id));
  }

  @Test
  void aDisabledResourceLeavesTheOthersAlone() {
    String rules =
        "{'meters':['tokens'],'limits':[%s]}".formatted(limit("all", "tokens", 9, FOREVER));
    String subject = subjectOn("{'resources':{'api':%s,'b':%s}}".formatted(rules, rules));
    putSubject(subject, "{'plan':'p-%s','resources':{'b':{'disabled':true}}}".formatted(subject));
    assertStatus(200, charge(subject, 1));
    Response refused = send(METER, "POST", "/v1/quota/" + subject + "/b/charges", tokens(1));
    assertProblem(403, "resource-disabled", refused);
  }

  @Test
  void aDisabledParentRefusesItsMembersAndIsNamed() {
    String parent = registered("");
    String child = childOf(parent);
    putSubject(parent, "{'plan':'subjects','resources':{'api':{'disabled':true}}}");
    Response refused = charge(child, 1);
    assertProblem(403, "resource-disabled", refused);
    assertEquals(parent, refused.jsonPath().getString("subject"));
    assertStatus(200, read(child));
  }

  @Test
  void aSubjectThatIsMadeAgainStartsFullAndItsOldReservationsStillSettle() {
    String id = registered("");
    charge(id, 60);
    String old = held(id, 30);
    assertStatus(204, as(ADMIN).delete(subjectPath(id)));
    assertProblem(404, "subject-not-found", charge(id, 1));
    putSubject(id, "{'plan':'subjects'}");
    assertEquals("0/0", usedAndHeld(id));
    assertStatus(200, charge(id, 100));
    Response settled = settle(id, old, 20);
    assertStatus(200, settled);
    assertEquals(20, settled.jsonPath().getInt("charged.tokens"));
    assertEquals("100/0", usedAndHeld(id));
    assertTrue(settle(id, old, 20).jsonPath().getBoolean("replayed"));
  }

  @Test
  void theVersionGoesOnWhenASubjectIsMadeAgain() {
    String id = registered("");
    String before = as(ADMIN).get(subjectPath(id)).header("ETag");
    as(ADMIN).delete(subjectPath(id));
    putSubject(id, "{'plan':'subjects'}");
    Response stale = as(ADMIN, "{}").header("If-Match", before).put(subjectPath(id));
    assertProblem(409, "version-conflict", stale);
  }

  @Test
  void aDeletedMemberLeavesItsUseWithTheParent() {
    String parent = registered("");
    String child = childOf(parent);
    charge(child, 30);
    assertStatus(204, as(ADMIN).delete(subjectPath(child)));
    assertEquals("30/0", usedAndHeld(parent));
    putSubject(child, "{'plan':'subjects'}");
    charge(child, 50);
    assertEquals("30/0", usedAndHeld(parent));
    assertEquals("50/0", usedAndHeld(child));
  }
}
