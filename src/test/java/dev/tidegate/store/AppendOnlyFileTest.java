package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.RedisCluster;
import dev.tidegate.dev.RedisServer;
import dev.tidegate.dev.SystemRedis;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.redis.RedisBackend;
import dev.tidegate.store.redis.RedisUnderTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Redis that starts again from its append-only file, whole and with its end missing. */
class AppendOnlyFileTest extends ContractFixture {

  private static final int CUTS = 12;

  @TempDir Path folder;

  private int port;

  @SuppressWarnings("NullAway.Init")
  private SystemRedis redis;

  @SuppressWarnings("NullAway.Init")
  private RedisBackend backend;

  @Override
  StoreUnderTest newStore() {
    try {
      port = RedisServer.freePort();
    } catch (IOException none) {
      throw new UncheckedIOException(none);
    }
    redis = start();
    backend = RedisBackend.standalone(redis.url());
    return RedisUnderTest.open(backend);
  }

  private SystemRedis start() {
    return SystemRedis.start(
        port, folder, "--save", "", "--appendonly", "yes", "--appendfsync", "everysec");
  }

  @AfterEach
  void end() {
    backend.close();
    redis.kill();
  }

  private Path file() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".incr.aof"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("there is no append-only file"));
    }
  }

  /** Starts it again, and waits until a caller gets answers. */
  private void startFor(Caller caller) {
    redis = start();
    RedisCluster.await("the store answers", () -> isAnswered(caller));
  }

  private static boolean isAnswered(Caller caller) {
    try {
      caller.read();
      return true;
    } catch (StoreException notYet) {
      return false;
    }
  }

  @Test
  @DisplayName("H6 a process that dies loses nothing, and a machine the last calls, whole ones")
  void h6() throws IOException {
    Caller alice = daily(100L);
    ReservationId kept = alice.hold(50);
    long before = Files.size(file());
    ReservationId lost = alice.hold(30);
    byte[] all = Files.readAllBytes(file());
    assertTrue(all.length > before, "nothing was appended");

    redis.kill();
    startFor(alice);
    assertCounts(0, 80, alice.limit());

    for (int cut = 0; cut < CUTS; cut++) {
      redis.kill();
      int size = (int) (before + (all.length - 1 - before) * cut / (CUTS - 1));
      Files.write(file(), all);
      try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
        channel.truncate(size);
      }
      startFor(alice);
      assertCounts(0, 50, alice.limit());
      assertInstanceOf(Outcome.NotFound.class, alice.settle(lost, 30));
      assertEquals(Outcome.ReservationState.HELD, alice.found(kept).state());
    }
    alice.settled(kept, 20);
    assertCounts(20, 0, alice.limit());
  }
}
