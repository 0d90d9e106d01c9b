package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that are safe to repeat. */
@QuarkusTest
class IdempotencyTest extends HttpSuite {

  private static Response keyed(String path, String key, String body) {
    return as(METER, body).header("Idempotency-Key", key).post(path);
  }

  private static String reservations(String subject) {
    return quotaPath(subject) + "/reservations";
  }

  @Test
  void theSameReservationAgainIsTheSameOne() {
    String subject = subjectWith(100);
    Response first = keyed(reservations(subject), "k", tokens(30));
    Response again = keyed(reservations(subject), "k", tokens(30));
    assertEquals(idOf(first), idOf(again));
    assertEquals(first.header("Location"), again.header("Location"));
    assertFalse(first.jsonPath().getBoolean("replayed"));
    assertTrue(again.jsonPath().getBoolean("replayed"));
    assertEquals("0/30", usedAndHeld(subject));
  }

  @Test
  void theOrderOfTheFieldsOfABodyIsNoDifference() {
    String subject = subjectWith(100);
    String one = "{'ttl_seconds':60,'amounts':{'tokens':30,'requests':1}}";
    String two = "{'amounts':{'requests':1,'tokens':30}, 'ttl_seconds':60}";
    assertEquals(
        idOf(keyed(reservations(subject), "k", one)), idOf(keyed(reservations(subject), "k", two)));
  }

  @Test
  @DisplayName("D5 The same key with another amount is refused and changes nothing")
  void d5() {
    String subject = subjectWith(100);
    keyed(reservations(subject), "k", tokens(30));
    assertProblem(422, "idempotency-key-reused", keyed(reservations(subject), "k", tokens(31)));
    assertEquals("0/30", usedAndHeld(subject));
  }

  @Test
  @DisplayName("D7 The same key for another operation is refused, not replayed")
  void d7() {
    String subject = subjectWith(100);
    String id = idOf(keyed(reservations(subject), "k", tokens(30)));
    String charges = quotaPath(subject) + "/charges";
    assertProblem(422, "idempotency-key-reused", keyed(charges, "k", tokens(30)));
    String settle = reservations(subject) + "/" + id + "/settle";
    assertProblem(422, "idempotency-key-reused", keyed(settle, "k", tokens(30)));
    String release = reservations(subject) + "/" + id + "/release";
    assertProblem(422, "idempotency-key-reused", keyed(release, "k", "{}"));
    String extend = reservations(subject) + "/" + id + "/extend";
    assertProblem(422, "idempotency-key-reused", keyed(extend, "k", "{'ttl_seconds':9}"));
    assertEquals("0/30", usedAndHeld(subject));
  }

  @Test
  void theSameKeyOfAnotherSubjectIsAnotherKey() {
    String one = subjectWith(100);
    String two = subjectWith(100);
    keyed(quotaPath(one) + "/charges", "k", tokens(1));
    Response other = keyed(quotaPath(two) + "/charges", "k", tokens(2));
    assertStatus(200, other);
    assertFalse(other.jsonPath().getBoolean("replayed"));
  }

  @Test
  void aKeyedChargeSettlementReleaseAndExtensionHappenOnce() {
    String subject = subjectWith(100);
    String id = held(subject, 10);
    String path = reservations(subject) + "/" + id;
    for (int n = 0; n < 2; n++) {
      boolean again = n == 1;
      Response charged = keyed(quotaPath(subject) + "/charges", "c", tokens(5));
      assertEquals(again, charged.jsonPath().getBoolean("replayed"));
      Response extended = keyed(path + "/extend", "e", "{'ttl_seconds':900}");
      assertEquals(again, extended.jsonPath().getBoolean("replayed"));
    }
    Response settled = keyed(path + "/settle", "s", tokens(7));
    assertFalse(settled.jsonPath().getBoolean("replayed"));
    assertTrue(keyed(path + "/settle", "s", tokens(7)).jsonPath().getBoolean("replayed"));
    assertProblem(422, "idempotency-key-reused", keyed(path + "/settle", "s", tokens(8)));
    assertEquals("12/0", usedAndHeld(subject));
    String other = reservations(subject) + "/" + held(subject, 10) + "/release";
    assertFalse(keyed(other, "r", "{}").jsonPath().getBoolean("replayed"));
    assertTrue(keyed(other, "r", "{}").jsonPath().getBoolean("replayed"));
    assertEquals("12/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("D12 A denial is not kept: the same key is decided anew")
  void d12() {
    String subject = subjectWith(100);
    String blocking = held(subject, 100);
    String path = reservations(subject);
    assertProblem(429, "quota-exhausted", keyed(path, "k", tokens(1)));
    release(subject, blocking);
    Response granted = keyed(path, "k", tokens(1));
    assertStatus(201, granted);
    assertFalse(granted.jsonPath().getBoolean("replayed"));
  }

  @Test
  void aDryRunTakesUpNoKey() {
    String subject = subjectWith(100);
    String dry = "{'amounts':{'tokens':1},'dry_run':true}";
    assertStatus(200, keyed(reservations(subject), "k", dry));
    assertStatus(201, keyed(reservations(subject), "k", tokens(1)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b",
        "ä",
        "k/1",
        "a,b",
        "12345678901234567890123456789012345678901234567890123456789012345"
      })
  void whatIsNoKeyIsInvalid(String key) {
    String subject = subjectWith(100);
    assertProblem(400, "invalid-request", keyed(quotaPath(subject) + "/charges", key, tokens(1)));
  }

  @Test
  void twoKeysAtOnceAreInvalid() {
    String path = quotaPath(subjectWith(100)) + "/charges";
    Response two = as(METER, tokens(1)).header("Idempotency-Key", "a", "b").post(path);
    assertProblem(400, "invalid-request", two);
  }

  @Test
  void aKeyOfSixtyFourCharactersOfEveryKindWorks() {
    String key = "aZ9._:-" + "x".repeat(57);
    String path = quotaPath(subjectWith(100)) + "/charges";
    assertStatus(200, keyed(path, key, tokens(1)));
    assertTrue(keyed(path, key, tokens(1)).jsonPath().getBoolean("replayed"));
  }

  @Test
  void deletingASubjectForgetsItsKeys() {
    String subject = subjectWith(100);
    String path = quotaPath(subject) + "/charges";
    keyed(path, "k", tokens(1));
    assertStatus(204, as(ADMIN).delete(subjectPath(subject)));
    putSubject(subject, "{'plan':'p-%s'}".formatted(subject));
    Response anew = keyed(path, "k", tokens(2));
    assertStatus(200, anew);
    assertFalse(anew.jsonPath().getBoolean("replayed"));
    assertEquals("2/0", usedAndHeld(subject));
  }
}
