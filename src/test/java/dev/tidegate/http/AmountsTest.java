package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Amounts: what is a number, and how large it may be. */
@QuarkusTest
class AmountsTest extends HttpSuite {

  private static final long MAX = 9_007_199_254_740_991L;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'amounts':{'tokens':1.9}}",
        "{'amounts':{'tokens':-0.5}}",
        "{'amounts':{'tokens':1e3}}",
        "{'amounts':{'tokens':1.0}}",
        "{'amounts':{'tokens':'5'}}",
        "{'amounts':{'tokens':''}}",
        "{'amounts':{'tokens':null}}",
        "{'amounts':{}}",
        "{'amounts':null}",
        "{'amounts':[]}",
        "{'amounts':5}",
        "{'amounts':{'tokens':[5]}}",
        "{'amounts':{'tokens':true}}",
        "{'amounts':{'tokens':9223372036854775808}}",
        "{'amounts':{'tokens':1e30}}",
        "{'amounts':{'tokens':NaN}}",
        "{'amounts':{'tokens':Infinity}}",
        "{'amounts':{'tokens':-1}}",
        "{'amounts':{'tokens':-0.0}}",
        "{'amounts':{'tokens':1,'tokens':1000}}",
        "{'amounts':{'tokens':1},'amounts':{'tokens':1000}}",
        "{'amounts':{'tokesn':5}}",
        "{'amuonts':{'tokens':5}}",
        "{'amounts':{'tokens':5},'more':1}",
        "{'amounts':{'tokens':5}} junk",
        "{'amounts':{'tokens':5}}{}",
        "{'amounts':{'tokens':007}}",
        "{'amounts':{'tokens':0x10}}",
        "{'amounts':{'tokens':+5}}",
        "{'amounts':{'tokens':5,}}",
        "{'amounts':{tokens:5}}",
        "/**/{'amounts':{'tokens':5}}",
        "[{'amounts':{'tokens':5}}]",
        "5",
        "null",
        "'amounts'",
        "{",
        " "
      })
  @DisplayName("F1 Whatever is no whole number in a strict body is 400 and changes nothing")
  void f1(String body) {
    String subject = subjectWith(100);
    String id = held(subject, 10);
    for (Response refused :
        List.of(reserve(subject, body), charge(subject, body), settle(subject, id, body))) {
      assertProblem(400, "invalid-request", refused);
      assertTrue(refused.jsonPath().getList("violations").size() >= 1, refused::asString);
    }
    assertEquals("0/10", usedAndHeld(subject));
  }

  @Test
  @DisplayName("F1 A whole number is taken as it is written")
  void f1Valid() {
    String subject = subjectWith(100);
    assertStatus(201, reserve(subject, 5));
    assertStatus(200, charge(subject, 5));
  }

  @Test
  @DisplayName("F1 A misspelt field is told what was meant, and every fault is listed")
  void f1Misspelt() {
    Response refused =
        reserve(subjectWith(100), "{'amuonts':{'tokens':5},'ttl_seconds':0,'dry_run':1}");
    assertProblem(400, "invalid-request", refused);
    List<String> paths = refused.jsonPath().getList("violations.path");
    assertEquals(
        List.of("$.amuonts", "$.dry_run", "$.ttl_seconds"), paths.stream().sorted().toList());
    assertTrue(refused.asString().contains("did you mean `amounts`?"), refused::asString);
  }

  @Test
  @DisplayName("F2 Zero can be reserved, settled and charged")
  void f2() {
    String subject = subjectWith(100);
    String id = held(subject, 0);
    assertStatus(200, settle(subject, id, 0));
    assertStatus(200, charge(subject, 0));
    assertEquals("0/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("F3 Negative amounts are 400 and change nothing")
  void f3() {
    String subject = subjectWith(100);
    String id = held(subject, 10);
    for (long amount : List.of(-1L, -1618L, Long.MIN_VALUE)) {
      assertProblem(400, "invalid-request", reserve(subject, amount));
      assertProblem(400, "invalid-request", charge(subject, amount));
      assertProblem(400, "invalid-request", settle(subject, id, amount));
    }
    assertEquals("0/10", usedAndHeld(subject));
  }

  @Test
  @DisplayName("F4 2^53 - 1 is exact, 2^53 is 400")
  void f4() {
    String subject = subjectWith(MAX);
    assertProblem(400, "invalid-request", reserve(subject, MAX + 1));
    assertProblem(400, "invalid-request", reserve(subject, MAX + 2));
    Response held = reserve(subject, MAX);
    assertStatus(201, held);
    assertEquals(MAX, held.jsonPath().getLong("limits[0].held"));
    assertEquals(0, held.jsonPath().getLong("available.tokens"));
    Response settled = settle(subject, idOf(held), MAX);
    assertEquals(MAX, settled.jsonPath().getLong("limits[0].used"));
  }

  @Test
  void aSumAboveTheGreatestAmountIsInvalid() {
    String subject =
        subjectOn(
            "{'resources':{'api':{'meters':['tokens'],'limits':[{'name':'all','kind':'period',"
                + "'meter':'tokens','limit':null,'schedule':%s}]}}}".formatted(FOREVER));
    assertStatus(200, charge(subject, MAX));
    Response refused = charge(subject, 1);
    assertProblem(400, "invalid-request", refused);
    assertEquals("$.amounts.tokens", refused.jsonPath().getString("violations[0].path"));
    String id = held(subject, 0);
    assertProblem(400, "invalid-request", settle(subject, id, 1));
    assertEquals("held", find(subject, id).jsonPath().getString("state"));
    assertEquals(MAX + "/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("F6 Large whole numbers come out without an exponent")
  void f6() {
    String subject = subjectWith(1_000_000_000_000_000L);
    Response charged = charge(subject, 100_000_000_000_000L);
    assertTrue(charged.asString().contains("\"used\":100000000000000,"), charged::asString);
    assertTrue(read(subject).asString().contains("\"used\":100000000000000,"));
  }

  @Test
  @DisplayName("F8 Ten calls of 100000 spend 1000000 exactly, the eleventh is denied")
  void f8() {
    String subject = subjectWith(1_000_000);
    for (int n = 0; n < 10; n++) {
      assertStatus(200, charge(subject, 100_000));
    }
    assertEquals(0, read(subject).jsonPath().getLong("available.tokens"));
    assertProblem(429, "quota-exhausted", charge(subject, 100_000));
    assertEquals("1000000/0", usedAndHeld(subject));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "86401", "1.5", "'60'", "null", "-1", "1e1"})
  void aLeaseIsAWholeNumberOfSecondsUpToADay(String ttl) {
    String subject = subjectWith(100);
    String body = "{'amounts':{'tokens':1},'ttl_seconds':%s}".formatted(ttl);
    assertProblem(400, "invalid-request", reserve(subject, body));
    String extension = "{'ttl_seconds':%s}".formatted(ttl);
    String path = reservationPath(subject, held(subject, 1)) + "/extend";
    assertProblem(400, "invalid-request", send(METER, "POST", path, extension));
  }
}
