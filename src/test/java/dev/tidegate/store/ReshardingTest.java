package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.RedisCluster;
import dev.tidegate.dev.RedisCluster.Node;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.redis.RedisBackend;
import dev.tidegate.store.redis.RedisUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slots move from master to master while they are used. */
class ReshardingTest extends ContractFixture {

  private static final int SUBJECTS = 9;
  private static final int ROUNDS = 3;

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static RedisCluster cluster;

  @SuppressWarnings("NullAway.Init")
  private static RedisBackend backend;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(3, 0, folder);
    backend = RedisBackend.cluster(cluster.urls(), Duration.ofMillis(500));
  }

  @AfterAll
  static void end() {
    backend.close();
    cluster.close();
  }

  @Override
  StoreUnderTest newStore() {
    return RedisUnderTest.open(backend);
  }

  @Test
  void whatWasAcknowledgedIsThereAndNothingIsChargedTwice() {
    try (Traffic traffic = Traffic.start(this, SUBJECTS)) {
      traffic.await(20);
      for (int round = 0; round < ROUNDS; round++) {
        traffic.subjects().forEach(ReshardingTest::move);
        traffic.await(5);
      }
      traffic.stop();
      assertEquals(0, traffic.audit(System.nanoTime()));
    }
    for (String error : List.of("MOVED", "ASK", "TRYAGAIN")) {
      assertTrue(cluster.errors(error) > 0, error + " did not come up");
    }
  }

  private static void move(SubjectId subject) {
    int slot = cluster.slotOf("{" + subject.value() + "}");
    Node from = cluster.ownerOf(slot);
    List<Node> masters = cluster.masters();
    cluster.move(slot, from, masters.get((masters.indexOf(from) + 1) % masters.size()));
  }
}
