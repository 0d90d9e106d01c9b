package dev.tidegate.store.redis;

import static dev.tidegate.config.TidegateSettings.Persistence.APPEND_ONLY_FILE;
import static dev.tidegate.config.TidegateSettings.Persistence.REPLICAS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.config.TidegateSettings.Persistence;
import dev.tidegate.dev.EmbeddedRedis;
import dev.tidegate.dev.RedisCluster;
import dev.tidegate.store.StoreHealth.Aspect;
import dev.tidegate.store.StoreHealth.Finding;
import dev.tidegate.store.StoreHealth.Safety;
import io.vertx.redis.client.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is warned of at start. */
class ServerInfoTest {

  @TempDir Path folder;

  private List<String> concernsOf(String... options) {
    try (EmbeddedRedis redis = EmbeddedRedis.start(0, folder, options);
        RedisFixture fixture = RedisFixture.open(redis.url(), Duration.ofSeconds(30))) {
      return RedisFixture.get(fixture.health().condition()).concerns().stream()
          .map(Finding::detail)
          .toList();
    }
  }

  @Test
  @DisplayName("H16: a Redis that may evict keys, or keeps no append-only file, is warned of")
  void evictionAndMemoryOnly() {
    List<String> concerns =
        concernsOf("--save", "", "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru");
    assertEquals(2, concerns.size(), concerns::toString);
    assertTrue(concerns.get(0).contains("maxmemory-policy is allkeys-lru"), concerns::toString);
    assertTrue(concerns.get(1).contains("append-only"), concerns::toString);
  }

  @Test
  @DisplayName("H16: one that is configured as it should be is not")
  void allIsWell() {
    assertEquals(List.of(), concernsOf("--save", "", "--appendonly", "yes"));
  }

  @Test
  @DisplayName("H16: what a managed server does not tell is no concern")
  void nothingIsTold() {
    List<Finding> findings =
        ServerInfo.parse("# Server\r\nredis_version:7.0\r\n").findings(APPEND_ONLY_FILE);
    assertEquals(
        List.of(Safety.UNKNOWN, Safety.UNKNOWN, Safety.UNKNOWN),
        findings.stream().map(Finding::safety).toList());
  }

  @Test
  @DisplayName("An append-only file that cannot be written is warned of")
  void cannotBeWritten() {
    ServerInfo full = ServerInfo.parse("aof_enabled:1\r\naof_last_write_status:err\r\n");
    assertEquals(Safety.UNSAFE, safetyOf(Aspect.PERSISTENCE, full.findings(REPLICAS)));
  }

  @ParameterizedTest(name = "{0} with {1} is {2}")
  @CsvSource({
    "APPEND_ONLY_FILE, connected_slaves:2, UNSAFE",
    "REPLICAS, connected_slaves:2, SAFE",
    "REPLICAS, connected_slaves:0, UNSAFE",
    "REPLICAS, role:master, UNKNOWN",
    "SNAPSHOTS, rdb_last_bgsave_status:ok, SAFE",
    "SNAPSHOTS, rdb_last_bgsave_status:err, UNSAFE",
    "NONE, connected_slaves:0, SAFE",
  })
  @DisplayName("What is enough without an append-only file is as the settings say")
  void whatIsEnough(Persistence expected, String told, Safety safety) {
    ServerInfo without = ServerInfo.parse("aof_enabled:0\r\n" + told + "\r\n");
    assertEquals(safety, safetyOf(Aspect.PERSISTENCE, without.findings(expected)));
    ServerInfo with = ServerInfo.parse("aof_enabled:1\r\n" + told + "\r\n");
    assertEquals(Safety.SAFE, safetyOf(Aspect.PERSISTENCE, with.findings(expected)));
  }

  @Test
  @DisplayName("A replica that comes and goes is told by a server itself")
  void replicas() {
    String[] memoryOnly = {"--save", ""};
    try (EmbeddedRedis master = EmbeddedRedis.start(0, folder.resolve("master"), memoryOnly);
        RedisFixture fixture = RedisFixture.open(master.url(), Duration.ofSeconds(30))) {
      assertEquals(Safety.UNSAFE, persistenceOf(fixture));
      try (EmbeddedRedis replica =
          EmbeddedRedis.start(
              0, folder.resolve("replica"), "--replicaof", "127.0.0.1", "" + master.port())) {
        assertTrue(replica.isAlive());
        RedisCluster.await("it follows", () -> persistenceOf(fixture) == Safety.SAFE);
      }
      RedisCluster.await("it is gone", () -> persistenceOf(fixture) == Safety.UNSAFE);
    }
  }

  private static Safety persistenceOf(RedisFixture fixture) {
    return safetyOf(
        Aspect.PERSISTENCE, ServerInfo.parse(fixture.text(Command.INFO)).findings(REPLICAS));
  }

  private static Safety safetyOf(Aspect aspect, List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.aspect() == aspect)
        .map(Finding::safety)
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("A Redis that is a replica is warned of: it takes no writes")
  void aReplicaTakesNoWrites() {
    try (EmbeddedRedis master = EmbeddedRedis.start(0, folder.resolve("master"))) {
      String[] replicaOf = {"--appendonly", "yes", "--replicaof", "127.0.0.1", "" + master.port()};
      List<String> concerns = concernsOf(replicaOf);
      assertEquals(1, concerns.size(), concerns::toString);
      assertTrue(concerns.getFirst().startsWith("a replica takes no writes"), concerns::toString);
    }
  }

  @Test
  @DisplayName("A Redis whose memory is full is warned of: it takes no writes")
  void aFullOneTakesNoWrites() {
    List<String> concerns = concernsOf("--appendonly", "yes", "--maxmemory", "100kb");
    assertEquals(1, concerns.size(), concerns::toString);
    assertTrue(concerns.getFirst().contains("maxmemory is 102400 bytes"), concerns::toString);
  }

  @ParameterizedTest(name = "{0} with {1} of {2} bytes, {3}, is {4}")
  @CsvSource({
    "master, 99, 100, noeviction, SAFE",
    "master, 100, 100, noeviction, UNSAFE",
    "master, 101, 100, noeviction, UNSAFE",
    "master, 101, 100, allkeys-lru, SAFE",
    "master, 101, 0, noeviction, SAFE",
    "master, 101, '', noeviction, SAFE",
    "slave, 1, 100, noeviction, UNSAFE",
    "'', 101, 100, noeviction, UNKNOWN",
  })
  @DisplayName("What takes writes is a master with room")
  void whatTakesWrites(String role, String used, String max, String policy, Safety safety) {
    ServerInfo info =
        new ServerInfo(
            Map.of(
                "role", role, "used_memory", used, "maxmemory", max, "maxmemory_policy", policy));
    assertEquals(safety, safetyOf(Aspect.WRITES, info.findings(APPEND_ONLY_FILE)));
  }
}
