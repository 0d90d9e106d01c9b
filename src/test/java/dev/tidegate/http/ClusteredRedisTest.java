package dev.tidegate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.RedisCluster;
import dev.tidegate.dev.RedisCluster.Node;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A cluster, its slots at rest and on the move, and a user with no more rights than documented. */
@QuarkusTest
@TestProfile(ClusteredRedis.class)
class ClusteredRedisTest extends SmokeSuite {

  /** How often everything is called, at least; and at most, until a call met every kind of move. */
  private static final int ROUNDS = 5;

  private static final int MOST_ROUNDS = 100;

  @Test
  @DisplayName("Everything goes on while slots move, by no more rights than documented")
  void slotsMove() throws Exception {
    RedisCluster cluster = ClusteredRedis.cluster();
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService mover = Executors.newSingleThreadExecutor()) {
      Future<?> moves = mover.submit(() -> moveUntil(over));
      try {
        for (int round = 0; round < ROUNDS || (round < MOST_ROUNDS && isUnmet()); round++) {
          metering();
          keys();
          pools();
          grants();
          configuration();
        }
      } finally {
        over.set(true);
      }
      moves.get();
    }
    assertTrue(cluster.errors("MOVED") > 0, "no call met a slot that had moved");
    for (Node node : cluster.nodes()) {
      assertEquals("", node.ask("ACL", "LOG").replace("[]", ""), "what was refused");
    }
    assertEquals(List.of(), unneeded(cluster), "rights that no call needed");
  }

  /** What the service may do in a cluster alone, and has had no cause to so far. */
  private static List<String> unneeded(RedisCluster cluster) {
    return Stream.of("asking", "cluster|slots")
        .filter(
            right ->
                cluster.nodes().stream()
                    .map(node -> node.ask("INFO", "commandstats"))
                    .noneMatch(stats -> stats.contains("cmdstat_" + right)))
        .toList();
  }

  /** Whether calls have yet to meet a slot that had moved, or one on the move. */
  private static boolean isUnmet() {
    RedisCluster cluster = ClusteredRedis.cluster();
    return cluster.errors("MOVED") == 0 || !unneeded(cluster).isEmpty();
  }

  /** Moves the slot of one key after another to the next master, whatever it holds. */
  private static void moveUntil(AtomicBoolean over) {
    RedisCluster cluster = ClusteredRedis.cluster();
    List<Node> masters = cluster.masters();
    while (!over.get()) {
      for (Node any : masters) {
        String key = any.ask("RANDOMKEY");
        if (key.startsWith("tidegate:") && !over.get()) {
          int slot = cluster.slotOf(key);
          Node from = cluster.ownerOf(slot);
          cluster.move(slot, from, masters.get((masters.indexOf(from) + 1) % masters.size()));
        }
      }
    }
  }

  @Test
  @DisplayName("The health of Redis is down where one server alone runs no scripts")
  void oneServerRunsNoScripts() {
    Node one = ClusteredRedis.cluster().masters().getLast();
    RedisCluster.await("all run scripts", () -> healthOfRedis().statusCode() == 200);
    one.ask("ACL", "SETUSER", ClusteredRedis.USER, "-eval");
    try {
      RedisCluster.await("it is seen", () -> healthOfRedis().asString().contains("NOPERM"));
      assertEquals(503, healthOfRedis().statusCode());
    } finally {
      one.ask("ACL", "SETUSER", ClusteredRedis.USER, "+eval");
      one.ask("ACL", "LOG", "RESET");
    }
    RedisCluster.await("all run scripts", () -> healthOfRedis().statusCode() == 200);
  }

  private static Response healthOfRedis() {
    return given().get("/q/health/group/redis");
  }
}
