package dev.tidegate.store.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.EmbeddedRedis;
import dev.tidegate.store.StoreHealth.Finding;
import dev.tidegate.store.StoreHealth.Safety;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    List<Finding> findings = ServerInfo.parse("# Server\r\nredis_version:7.0\r\n").findings();
    assertEquals(
        List.of(Safety.UNKNOWN, Safety.UNKNOWN), findings.stream().map(Finding::safety).toList());
  }

  @Test
  @DisplayName("An append-only file that cannot be written is warned of")
  void cannotBeWritten() {
    ServerInfo full = ServerInfo.parse("aof_enabled:1\r\naof_last_write_status:err\r\n");
    assertEquals(Safety.UNSAFE, full.findings().getLast().safety());
  }
}
