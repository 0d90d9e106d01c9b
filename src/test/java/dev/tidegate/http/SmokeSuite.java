package dev.tidegate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.dev.RedisCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A little of everything that the service does, for each way in which Redis is run. */
abstract class SmokeSuite extends HttpSuite {

  private static final String DAILY = "{'type':'calendar','unit':'day'}";

  private static final String PLAN =
      planWith(
          "'categories':{'tokens':{'input':1,'output':2}},",
          limit("all", "tokens", 1000, DAILY, ",'emergency':{'amount':10,'max':2}"),
          "{'name':'tpm','kind':'sliding','meter':'tokens','limit':900,'window_seconds':60}",
          "{'name':'rpm','kind':'token_bucket','meter':'requests','capacity':90,'refill':90,"
              + "'interval_seconds':60}");

  /** Keyed, so that it writes all that a grant can write. */
  private static final String KEY = "a-key-for-";

  /** Connections take their time on a busy machine, those with TLS and to a cluster the most. */
  @BeforeEach
  void isReady() {
    RedisCluster.await("it is ready", () -> given().get("/q/health/ready").statusCode() == 200);
  }

  @Test
  @DisplayName("A call is reserved, extended, settled, released and charged")
  void metering() {
    String subject = subjectOn(PLAN);
    String first = held(subject, 100);
    assertStatus(200, extend(subject, first, 300));
    assertStatus(200, settle(subject, first, 60));
    String second = held(subject, 100);
    assertStatus(200, find(subject, second));
    assertStatus(200, release(subject, second));
    assertStatus(200, charge(subject, 40));
    assertStatus(429, reserve(subject, 890));
    assertEquals("100/0", usedAndHeld(subject));
    assertStatus(200, as(METER).get(quotaPath(subject) + "/periods"));
  }

  @Test
  @DisplayName("A call with a key is taken once")
  void keys() {
    String subject = subjectOn(PLAN);
    for (int n = 0; n < 2; n++) {
      assertStatus(
          200,
          as(METER, tokens(7))
              .header("Idempotency-Key", KEY + subject)
              .post(quotaPath(subject) + "/charges"));
    }
    assertEquals("7/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("A member and its pool are charged in one step")
  void pools() {
    String pool = subjectOn(PLAN);
    String member = fresh("m");
    putSubject(member, "{'plan':'p-%s','parent':'%s'}".formatted(pool, pool));
    assertStatus(200, charge(member, 30));
    assertEquals("30/0", usedAndHeld(member));
    assertEquals("30/0", usedAndHeld(pool));
    String other = subjectOn(PLAN);
    String leaver = fresh("m");
    putSubject(leaver, "{'plan':'p-%s','parent':'%s'}".formatted(pool, pool));
    putSubject(leaver, "{'plan':'p-%s','parent':'%s'}".formatted(pool, other));
    assertStatus(200, charge(leaver, 5));
    assertEquals("5/0", usedAndHeld(other));
  }

  @Test
  @DisplayName("Quotas are topped up and reset, and all of it is audited")
  void grants() {
    String subject = subjectOn(PLAN);
    assertStatus(200, charge(subject, 100));
    assertStatus(200, buy(subject, 50));
    assertStatus(200, emergency(subject));
    String restart = "{'mode':'restart','limits':['all']}";
    assertStatus(200, keyedGrant(subject, "reset", KEY + "r" + subject, restart));
    assertStatus(200, keyedGrant(subject, "reset", KEY + "r" + subject, restart));
    assertStatus(200, reset(subject, "{'mode':'keep_anchor'}"));
    assertEquals("0/0", usedAndHeld(subject));
    assertEquals(4, audit(subject, "").jsonPath().getList("events").size());
  }

  @Test
  @DisplayName("Plans and subjects are written, read and deleted")
  void configuration() {
    String subject = subjectOn(PLAN);
    assertStatus(200, charge(subject, 1));
    assertStatus(200, as(ADMIN).get("/v1/plans/p-" + subject));
    assertStatus(200, as(ADMIN).get(subjectPath(subject)));
    putPlan("p-" + subject, plan(limit("all", "tokens", 2000, DAILY)));
    putSubject(subject, "{'plan':'p-%s','zone':'Asia/Tokyo'}".formatted(subject));
    assertStatus(204, as(ADMIN).delete(subjectPath(subject)));
    assertStatus(204, as(ADMIN).delete("/v1/plans/p-" + subject));
  }
}
