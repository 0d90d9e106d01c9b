package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.dev.RedisCluster;
import dev.tidegate.dev.RedisSentinels;
import dev.tidegate.dev.SystemRedis;
import dev.tidegate.store.redis.RedisBackend;
import dev.tidegate.store.redis.RedisUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sentinels make a replica the master while it is used. */
class SentinelFailoverTest extends ContractFixture {

  private static final int SUBJECTS = 3;

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private RedisSentinels sentinels;

  @SuppressWarnings("NullAway.Init")
  private RedisBackend backend;

  /** Before the fixture opens its store. */
  @Override
  StoreUnderTest newStore() {
    sentinels = RedisSentinels.start(folder);
    backend = RedisBackend.sentinels(sentinels.urls(), Duration.ofMillis(500));
    return RedisUnderTest.open(backend);
  }

  @AfterEach
  void end() {
    backend.close();
    sentinels.close();
  }

  @Test
  void aPlannedFailoverLosesNothingThatWasReplicated() {
    try (Traffic traffic = Traffic.start(this, SUBJECTS)) {
      traffic.await(20);
      long replicated = System.nanoTime();
      RedisCluster.awaitReplica(sentinels.master(), "probe");
      assertEquals("OK", sentinels.sentinels().get(0).ask("SENTINEL", "FAILOVER", "tide"));
      RedisCluster.await("it follows", () -> isReplica(sentinels.master()));
      traffic.await(20);
      traffic.stop();
      traffic.audit(replicated);
    }
  }

  private static boolean isReplica(SystemRedis server) {
    return server.ask("INFO", "replication").contains("role:slave");
  }

  @Test
  void h7AMasterThatDiesIsReplacedAlsoWhileASentinelStandsStill() {
    try (Traffic traffic = Traffic.start(this, SUBJECTS)) {
      traffic.await(20);
      long replicated = System.nanoTime();
      RedisCluster.awaitReplica(sentinels.master(), "probe");
      sentinels.sentinels().get(0).pause();
      sentinels.master().kill();
      traffic.await(20);
      traffic.stop();
      traffic.audit(replicated);
    }
  }
}
