package dev.tidegate.dev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.RedisCluster.Node;
import dev.tidegate.dev.RespConnection.RedisError;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisClusterTest {

  @TempDir Path folder;

  @Test
  void aSlotMovesWithItsKeysAndEveryMasterHasAReplica() {
    try (RedisCluster cluster = RedisCluster.start(3, 1, folder)) {
      Node first = cluster.masters().get(0);
      Node last = cluster.masters().get(2);
      // The slot of {06S} is 0.
      assertEquals(0, cluster.slotOf("{06S}"));
      assertEquals("OK", first.ask("SET", "{06S}:tide", "high"));
      cluster.move(0, first, last);
      assertEquals("high", last.ask("GET", "{06S}:tide"));
      RedisError moved = assertThrows(RedisError.class, () -> first.ask("GET", "{06S}:tide"));
      assertEquals("MOVED 0 127.0.0.1:" + last.server().port(), moved.getMessage());
      for (Node master : cluster.masters()) {
        assertTrue(master.ask("INFO", "replication").contains("connected_slaves:1"));
      }
    }
  }
}
