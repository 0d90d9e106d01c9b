package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A Redis that has forgotten its scripts. */
@QuarkusTest
class ScriptFlushTest extends HttpSuite {

  @Test
  @DisplayName("H8 After a SCRIPT FLUSH every call goes on, with one effect")
  void h8() {
    String subject = subjectWith(100);
    try (TestRedis redis = TestRedis.open()) {
      redis.send("SCRIPT", "FLUSH");
      assertStatus(200, charge(subject, 10));
      redis.send("SCRIPT", "FLUSH");
      String id = held(subject, 20);
      assertEquals("10/20", usedAndHeld(subject));
      redis.send("SCRIPT", "FLUSH");
      assertStatus(200, extend(subject, id, 600));
      redis.send("SCRIPT", "FLUSH");
      assertStatus(200, settle(subject, id, 15));
      redis.send("SCRIPT", "FLUSH");
      assertStatus(200, read(subject));
      redis.send("SCRIPT", "FLUSH");
      assertStatus(200, as(METER).get(quotaPath(subject) + "/periods"));
      redis.send("SCRIPT", "FLUSH");
      assertStatus(200, find(subject, id));
      redis.send("SCRIPT", "FLUSH");
      assertStatus(200, release(subject, id));
      redis.send("SCRIPT", "FLUSH");
      putSubject(subject, "{'plan':'p-%s','zone':'Asia/Tokyo'}".formatted(subject));
      redis.send("SCRIPT", "FLUSH");
      putPlan("p-" + subject, plan(limit("all", "tokens", 200, FOREVER)));
    }
    assertEquals("25/0", usedAndHeld(subject));
  }
}
