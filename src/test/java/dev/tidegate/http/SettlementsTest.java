package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settlements and releases whose outcome does not depend on the time of day. */
@QuarkusTest
class SettlementsTest extends HttpSuite {

  @Test
  @DisplayName("B1 Settle below the hold")
  void b1() {
    String subject = subjectWith(100);
    Response settled = settle(subject, held(subject, 50), 20);
    assertStatus(200, settled);
    assertEquals(20, settled.jsonPath().getInt("charged.tokens"));
    assertFalse(settled.jsonPath().getBoolean("late"));
    assertEquals(80, settled.jsonPath().getInt("available.tokens"));
    assertEquals("20/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("B2 Settle above the hold, room left")
  void b2() {
    String subject = subjectWith(100);
    assertStatus(200, settle(subject, held(subject, 50), 70));
    assertEquals("70/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("B3 Settle above everything is charged, and the next reserve is denied")
  void b3() {
    String subject = subjectWith(100);
    charge(subject, 40);
    var limit = settle(subject, held(subject, 50), 90).jsonPath();
    assertEquals(130, limit.getInt("limits[0].used"));
    assertEquals(0, limit.getInt("limits[0].remaining"));
    assertEquals(30, limit.getInt("limits[0].over_by"));
    assertTrue(limit.getBoolean("limits[0].exhausted"));
    assertProblem(429, "quota-exhausted", reserve(subject, 1));
  }

  @Test
  @DisplayName("B5 Settle with zero is a settlement, no release")
  void b5() {
    String subject = subjectWith(100);
    String id = held(subject, 50);
    assertEquals("settled", settle(subject, id, 0).jsonPath().getString("state"));
    assertEquals("0/0", usedAndHeld(subject));
    assertEquals("settled", find(subject, id).jsonPath().getString("state"));
    assertEquals(0, find(subject, id).jsonPath().getInt("charged.tokens"));
  }

  @Test
  @DisplayName("B6 Settle twice after a lost reply charges once, with the same body")
  void b6() {
    String subject = subjectWith(100);
    String id = held(subject, 50);
    Response first = settle(subject, id, 20);
    charge(subject, 5);
    Response again = settle(subject, id, 20);
    assertStatus(200, again);
    assertTrue(again.jsonPath().getBoolean("replayed"));
    assertEquals(withoutReplayed(first), withoutReplayed(again));
    assertEquals("25/0", usedAndHeld(subject));
  }

  private static Map<String, Object> withoutReplayed(Response response) {
    Map<String, Object> members = new TreeMap<>(response.jsonPath().<String, Object>getMap(""));
    members.remove("replayed");
    return members;
  }

  @Test
  @DisplayName("B7 Settle twice with another amount is a conflict that carries the first result")
  void b7() {
    String subject = subjectWith(100);
    String id = held(subject, 50);
    settle(subject, id, 20);
    Response conflict = settle(subject, id, 25);
    assertProblem(409, "already-settled", conflict);
    assertEquals(20, conflict.jsonPath().getInt("charged.tokens"));
    assertEquals(id, conflict.jsonPath().getString("id"));
    assertEquals("20/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("B9 Release after settle gives nothing back")
  void b9() {
    String subject = subjectWith(100);
    String id = held(subject, 50);
    settle(subject, id, 20);
    Response released = release(subject, id);
    assertStatus(200, released);
    assertEquals("settled", released.jsonPath().getString("state"));
    assertEquals("20/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("B10 Settle after release is charged, late, and once")
  void b10() {
    String subject = subjectWith(100);
    String id = held(subject, 50);
    release(subject, id);
    Response late = settle(subject, id, 20);
    assertTrue(late.jsonPath().getBoolean("late"));
    assertEquals("20/0", usedAndHeld(subject));
    assertTrue(settle(subject, id, 20).jsonPath().getBoolean("replayed"));
    assertEquals("20/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("B11 Release twice restores once")
  void b11() {
    String subject = subjectWith(100);
    String id = held(subject, 50);
    held(subject, 10);
    for (int n = 0; n < 2; n++) {
      Response released = release(subject, id);
      assertStatus(200, released);
      assertEquals("released", released.jsonPath().getString("state"));
      assertEquals("0/10", usedAndHeld(subject));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{'amounts':{}}", "{'use_held':false}", "{'amounts':null}"})
  @DisplayName("B23 Missing usage is 400 and the hold stays")
  void b23(String body) {
    String subject = subjectWith(100);
    String id = held(subject, 50);
    assertProblem(400, "invalid-request", settle(subject, id, body));
    assertEquals("0/50", usedAndHeld(subject));
    assertEquals("held", find(subject, id).jsonPath().getString("state"));
  }

  @Test
  @DisplayName("B23 use_held charges what is held")
  void b23UseHeld() {
    String subject = subjectWith(100);
    Response settled = settle(subject, held(subject, 50), "{'use_held':true}");
    assertEquals(Map.of("tokens", 50, "requests", 1), settled.jsonPath().getMap("charged"));
    assertEquals("50/0", usedAndHeld(subject));
  }

  @Test
  void amountsAndUseHeldTogetherAreInvalid() {
    String subject = subjectWith(100);
    String id = held(subject, 50);
    String both = "{'amounts':{'tokens':1},'use_held':true}";
    assertProblem(400, "invalid-request", settle(subject, id, both));
  }

  @Test
  @DisplayName("B24 A negative settlement is 400 and the hold stays")
  void b24() {
    String subject = subjectWith(100);
    String id = held(subject, 50);
    assertProblem(400, "invalid-request", settle(subject, id, -1618));
    assertEquals("0/50", usedAndHeld(subject));
  }

  @Test
  void aSettlementNamesNoMeterThatNobodyDeclared() {
    String subject = subjectWith(100);
    String id = held(subject, 10);
    Response refused = settle(subject, id, "{'amounts':{'tokens':1,'cents':1}}");
    assertProblem(400, "invalid-request", refused);
    assertEquals("$.amounts.cents", refused.jsonPath().getString("violations[0].path"));
    assertEquals("0/10", usedAndHeld(subject));
  }

  @Test
  void everyReservationHasAnIdOfItsOwn() {
    String subject = subjectWith(100);
    assertNotEquals(held(subject, 1), held(subject, 1));
  }

  @Test
  @DisplayName("E7 A meter that the plan has dropped is settled while a reservation holds it")
  void aDroppedMeterIsSettledWhileItIsHeld() {
    String withCents =
        "{'resources':{'%s':{'meters':['tokens','cents'],'limits':[%s,%s]}}}"
            .formatted(
                RESOURCE,
                limit("all", "tokens", 100, FOREVER),
                limit("money", "cents", 100, FOREVER));
    String subject = subjectOn(withCents);
    String id = idOf(reserve(subject, "{'amounts':{'tokens':10,'cents':5}}"));
    putPlan("p-" + subject, plan(limit("all", "tokens", 100, FOREVER)));
    Response settled = settle(subject, id, "{'amounts':{'tokens':9,'cents':4}}");
    assertStatus(200, settled);
    assertEquals(Map.of("tokens", 9, "cents", 4), settled.jsonPath().getMap("charged"));
    assertProblem(
        400,
        "invalid-request",
        settle(subject, held(subject, 1), "{'amounts':{'tokens':1,'cents':1}}"));
  }
}
