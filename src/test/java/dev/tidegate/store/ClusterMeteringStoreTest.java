package dev.tidegate.store;

import dev.tidegate.dev.RedisCluster;
import dev.tidegate.store.redis.RedisBackend;
import dev.tidegate.store.redis.RedisUnderTest;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The store keeps the contract on a cluster of three. */
class ClusterMeteringStoreTest extends MeteringStoreContract {

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static RedisCluster cluster;

  @SuppressWarnings("NullAway.Init")
  private static RedisBackend backend;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(3, 0, folder);
    backend = RedisBackend.cluster(cluster.urls());
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
}
