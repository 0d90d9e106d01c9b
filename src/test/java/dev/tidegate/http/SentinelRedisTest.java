package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.dev.RedisCluster;
import dev.tidegate.dev.RedisSentinels;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Sentinels, and a master that dies under the service. */
@QuarkusTest
@TestProfile(SentinelRedis.class)
class SentinelRedisTest extends SmokeSuite {

  @Test
  @DisplayName("After the master has died the service goes on with the next one, without a restart")
  void failover() {
    RedisSentinels sentinels = SentinelRedis.sentinels();
    String subject = subjectWith(1000);
    assertStatus(200, charge(subject, 100));
    RedisCluster.awaitReplica(sentinels.master(), "probe");
    sentinels.master().kill();
    RedisCluster.await(
        "the service answers from the new master", () -> read(subject).statusCode() == 200);
    assertEquals("100/0", usedAndHeld(subject));
    metering();
    grants();
    configuration();
  }
}
