package dev.tidegate.store;

import dev.tidegate.dev.SystemRedis;
import dev.tidegate.store.redis.RedisBackend;
import dev.tidegate.store.redis.RedisUnderTest;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The store keeps the contract on the Redis 7 of this machine. */
class SystemRedisMeteringStoreTest extends MeteringStoreContract {

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static SystemRedis redis;

  @SuppressWarnings("NullAway.Init")
  private static RedisBackend backend;

  @BeforeAll
  static void start() {
    redis = SystemRedis.start(0, folder);
    backend = RedisBackend.standalone(redis.url());
  }

  @AfterAll
  static void end() {
    backend.close();
    redis.kill();
  }

  @Override
  StoreUnderTest newStore() {
    return RedisUnderTest.open(backend);
  }
}
