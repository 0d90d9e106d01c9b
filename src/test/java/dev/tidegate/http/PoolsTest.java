package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Members that share the limits of their parents. */
@QuarkusTest
class PoolsTest extends HttpSuite {

  private record Pool(String team, String member) {}

  /** A member that may take {@code own} tokens of a team's {@code shared}. */
  private static Pool pool(long shared, long own, String teamOptions) {
    String id = fresh("pool");
    putPlan("team-" + id, plan(limit("month", "tokens", shared, FOREVER, teamOptions)));
    putPlan("member-" + id, plan(limit("own", "tokens", own, FOREVER)));
    putSubject("team-" + id, "{'plan':'team-%s'}".formatted(id));
    String member = "{'plan':'member-%s','parent':'team-%s'}".formatted(id, id);
    putSubject("member-" + id, member);
    return new Pool("team-" + id, "member-" + id);
  }

  private static Pool pool(long shared, long own) {
    return pool(shared, own, "");
  }

  @Test
  void aMemberIsChargedAtEveryLevel() {
    Pool pool = pool(1000, 200);
    Response charged = charge(pool.member(), 30);
    assertEquals(List.of(pool.member(), pool.team()), charged.jsonPath().getList("limits.subject"));
    assertEquals("30/0", usedAndHeld(pool.member(), "own"));
    assertEquals("30/0", usedAndHeld(pool.team(), "month"));
    String id = held(pool.member(), 20);
    assertEquals("30/20", usedAndHeld(pool.team(), "month"));
    settle(pool.member(), id, 25);
    assertEquals("55/0", usedAndHeld(pool.member(), "own"));
    assertEquals("55/0", usedAndHeld(pool.team(), "month"));
    release(pool.member(), held(pool.member(), 9));
    assertEquals("55/0", usedAndHeld(pool.team(), "month"));
  }

  @Test
  @DisplayName("J8 The team refuses and is named, and both counters stay")
  void j8() {
    Pool pool = pool(1000, 200);
    charge(pool.member(), 50);
    charge(pool.team(), 940);
    Response refused = reserve(pool.member(), 20);
    assertProblem(429, "quota-exhausted", refused);
    assertEquals(pool.team(), refused.jsonPath().getString("subject"));
    assertEquals("month", refused.jsonPath().getString("limit"));
    assertEquals(10, refused.jsonPath().getInt("remaining"));
    assertEquals("50/0", usedAndHeld(pool.member(), "own"));
    assertEquals("990/0", usedAndHeld(pool.team(), "month"));
    assertStatus(201, reserve(pool.member(), 10));
    assertEquals("50/10", usedAndHeld(pool.member(), "own"));
    assertEquals("990/10", usedAndHeld(pool.team(), "month"));
  }

  @Test
  @DisplayName("J9 The member's own limit refuses and is named, and the team is unchanged")
  void j9() {
    Pool pool = pool(1000, 200);
    charge(pool.member(), 190);
    Response refused = charge(pool.member(), 20);
    assertProblem(429, "quota-exhausted", refused);
    assertEquals(pool.member(), refused.jsonPath().getString("subject"));
    assertEquals("190/0", usedAndHeld(pool.team(), "month"));
  }

  @Test
  void whenBothRefuseBothAreListed() {
    Pool pool = pool(50, 50);
    charge(pool.member(), 50);
    Response refused = charge(pool.member(), 1);
    assertEquals(
        List.of(pool.member(), pool.team()), refused.jsonPath().getList("violations.subject"));
  }

  @Test
  void membersShareWhatTheTeamHas() {
    Pool pool = pool(100, 80);
    String second = fresh("second");
    putSubject(second, "{'plan':'%s','parent':'%s'}".formatted(pool.member(), pool.team()));
    charge(pool.member(), 80);
    assertEquals(20, read(second).jsonPath().getInt("available.tokens"));
    assertTrue(read(second).jsonPath().getBoolean("bound_by_parent"));
    assertProblem(429, "quota-exhausted", charge(second, 21));
    assertStatus(200, charge(second, 20));
    assertEquals("100/0", usedAndHeld(pool.team(), "month"));
    assertEquals("20/0", usedAndHeld(second, "own"));
  }

  @Test
  void whatIsAvailableIsTheLeastOfAllLevels() {
    Pool pool = pool(100, 80);
    var before = read(pool.member()).jsonPath();
    assertEquals(80, before.getInt("available.tokens"));
    assertFalse(before.getBoolean("bound_by_parent"));
    charge(pool.team(), 50);
    var after = read(pool.member()).jsonPath();
    assertEquals(50, after.getInt("available.tokens"));
    assertTrue(after.getBoolean("bound_by_parent"));
  }

  @Test
  void aParentWhosePlanLacksTheResourceImposesNothing() {
    String parent = fresh("parent");
    putPlan("other-" + parent, "{'resources':{'other':{'meters':['tokens']}}}");
    putSubject(parent, "{'plan':'other-%s'}".formatted(parent));
    String member = subjectWith(100);
    putSubject(member, "{'plan':'p-%s','parent':'%s'}".formatted(member, parent));
    assertStatus(200, charge(member, 100));
    assertEquals(1, read(member).jsonPath().getList("limits").size());
  }

  private static void bindViewer(Pool pool) {
    String plan = pool.team().replaceFirst("team-", "member-");
    as(ADMIN).delete(subjectPath(BOUND));
    putSubject(BOUND, "{'plan':'%s','parent':'%s'}".formatted(plan, pool.team()));
  }

  @Test
  void aViewerSeesOfAParentWhetherItBindsAndNoAmounts() {
    Pool pool = pool(100, 80);
    bindViewer(pool);
    charge(pool.team(), 70);
    var view = as(VIEWER).get("/v1/quota/me/api").jsonPath();
    assertEquals(80, view.getInt("available.tokens"));
    assertTrue(view.getBoolean("bound_by_parent"));
    Map<String, Object> parent = view.getMap("limits[1]");
    assertEquals("month", parent.get("name"));
    assertEquals(true, parent.get("binds"));
    assertEquals("2029-12-31T12:00:00Z", parent.get("reset_at"));
    assertNull(parent.get("used"));
    assertNull(parent.get("subject"));
    assertEquals(30, read(BOUND).jsonPath().getInt("available.tokens"));
  }

  @Test
  void aViewerSeesTheAmountsThatThePlanShares() {
    Pool pool = pool(100, 80, ",'share_amounts_with_members':true");
    bindViewer(pool);
    charge(pool.team(), 70);
    var view = as(VIEWER).get("/v1/quota/me/api").jsonPath();
    assertEquals(70, view.getInt("limits[1].used"));
    assertEquals(pool.team(), view.getString("limits[1].subject"));
  }

  @Test
  void theLimitOfAParentIsNoLimitOfItsMember() {
    Pool pool = pool(100, 80);
    assertProblem(404, "limit-not-found", readLimit(pool.member(), "month"));
  }

  @Test
  void theParentsHoldsAreBoundedToo() {
    String id = fresh("pool");
    putPlan(
        "team-" + id, planWith("'hold':{'max_holds':2},", limit("month", "tokens", 100, FOREVER)));
    putSubject(id, "{'plan':'team-%s'}".formatted(id));
    String member = subjectWith(100);
    putSubject(member, "{'plan':'p-%s','parent':'%s'}".formatted(member, id));
    held(member, 1);
    held(id, 1);
    Response refused = reserve(member, 1);
    assertProblem(429, "too-many-holds", refused);
    assertEquals(id, refused.jsonPath().getString("subject"));
    assertStatus(200, charge(member, 1));
  }
}
