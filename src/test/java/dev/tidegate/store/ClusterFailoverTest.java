package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.dev.RedisCluster;
import dev.tidegate.dev.RedisCluster.Node;
import dev.tidegate.store.redis.RedisBackend;
import dev.tidegate.store.redis.RedisUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Members of a cluster go while it is used; each test takes another one. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterFailoverTest extends ContractFixture {

  private static final int SUBJECTS = 9;

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static RedisCluster cluster;

  @SuppressWarnings("NullAway.Init")
  private static RedisBackend backend;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(3, 1, folder);
    backend = RedisBackend.cluster(cluster.urls(), Duration.ofSeconds(1));
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
  @Order(1)
  void aPlannedFailoverLosesNothing() {
    try (Traffic traffic = Traffic.start(this, SUBJECTS)) {
      traffic.await(20);
      Node promoted = cluster.replicas().get(0);
      promoted.ask("CLUSTER", "FAILOVER");
      RedisCluster.await("it is the master", () -> cluster.ownerOf(0).equals(promoted));
      traffic.await(20);
      traffic.stop();
      assertEquals(0, traffic.audit(System.nanoTime()));
    }
  }

  @Test
  @Order(2)
  void aReplicaThatDiesIsNotNoticed() {
    try (Traffic traffic = Traffic.start(this, SUBJECTS)) {
      traffic.await(20);
      long refusals = traffic.refusals();
      // What was the first master follows since the planned failover.
      cluster.masters().get(0).server().kill();
      traffic.await(50);
      assertEquals(refusals, traffic.refusals());
      traffic.stop();
      assertEquals(0, traffic.audit(System.nanoTime()));
    }
  }

  @Test
  @Order(3)
  void h7AMasterThatDiesLosesAtMostWhatItsReplicaHadNotReceived() {
    try (Traffic traffic = Traffic.start(this, SUBJECTS)) {
      traffic.await(20);
      Node dying = cluster.masters().get(1);
      long replicated = System.nanoTime();
      RedisCluster.awaitReplica(dying.server(), keyOf(dying));
      dying.server().kill();
      traffic.await(20);
      traffic.stop();
      traffic.audit(replicated);
    }
  }

  @Test
  @Order(4)
  void aMasterThatStandsStillIsReplaced() {
    try (Traffic traffic = Traffic.start(this, SUBJECTS)) {
      traffic.await(20);
      Node still = cluster.masters().get(2);
      long replicated = System.nanoTime();
      RedisCluster.awaitReplica(still.server(), keyOf(still));
      still.server().pause();
      try {
        traffic.await(20);
      } finally {
        still.server().resume();
      }
      traffic.stop();
      RedisCluster.await("it follows", () -> cluster.replicas().contains(cluster.ownerOf(16_383)));
      traffic.audit(replicated);
    }
  }

  /** A key in a slot that a master had at the start. */
  private static String keyOf(Node master) {
    int at = cluster.masters().indexOf(master);
    for (int n = 0; ; n++) {
      int slot = cluster.slotOf("probe-" + n);
      if (slot * 3 / RedisCluster.SLOTS == at) {
        return "probe-" + n;
      }
    }
  }
}
