package dev.tidegate.dev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedRedisTest {

  private static final String[] KEEPS_ALL = {
    "--save", "", "--appendonly", "yes", "--appendfsync", "always"
  };

  @TempDir Path folder;

  @Test
  void aCrashLosesNothingThatWasAcknowledgedWhenEveryWriteIsSynced() {
    try (EmbeddedRedis redis = EmbeddedRedis.start(0, folder, KEEPS_ALL)) {
      assertEquals("OK", redis.ask("SET", "tide", "high"));
      redis.kill();
    }
    try (EmbeddedRedis again = EmbeddedRedis.start(0, folder, KEEPS_ALL)) {
      assertEquals("high", again.ask("GET", "tide"));
    }
  }

  @Test
  void aTakenPortIsToldWithTheLogOfTheServer() {
    try (EmbeddedRedis redis = EmbeddedRedis.start(0, folder.resolve("first"))) {
      UncheckedIOException refused =
          assertThrows(
              UncheckedIOException.class,
              () -> EmbeddedRedis.start(redis.port(), folder.resolve("second")).close());
      assertTrue(String.valueOf(refused.getMessage()).contains("Address already in use"));
    }
  }

  @Test
  void allTestsShareOneServer() {
    assertEquals(EmbeddedRedisResource.url(), EmbeddedRedisResource.url());
  }
}
