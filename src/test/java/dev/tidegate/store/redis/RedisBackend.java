package dev.tidegate.store.redis;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import java.time.Duration;
import java.util.List;

/** The adapter's way to a server, a cluster or a set of sentinels, for many stores. */
public final class RedisBackend implements AutoCloseable {

  /** How long an answer may take, where a test says nothing else. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int LANES = 4;

  private final Vertx vertx = Vertx.vertx();
  private final RedisWay way;

  private RedisBackend(RedisOptions options, Duration deadline) {
    way = LaneClients.open(vertx, LaneClients.laneOptions(options), LANES, deadline);
  }

  /** Opens the way to one server. */
  public static RedisBackend standalone(String url) {
    return new RedisBackend(new RedisOptions().setConnectionString(url), PATIENCE);
  }

  /**
   * Opens the way to a cluster.
   *
   * @param urls some of its members
   */
  public static RedisBackend cluster(List<String> urls) {
    return cluster(urls, PATIENCE);
  }

  /**
   * Opens the way to a cluster.
   *
   * @param urls some of its members
   * @param deadline how long an answer may take
   */
  public static RedisBackend cluster(List<String> urls, Duration deadline) {
    RedisOptions options = new RedisOptions().setType(RedisClientType.CLUSTER);
    urls.forEach(options::addConnectionString);
    return new RedisBackend(options, deadline);
  }

  /**
   * Opens the way to the master that sentinels name {@code tide}.
   *
   * @param urls of sentinels
   * @param deadline how long an answer may take
   */
  public static RedisBackend sentinels(List<String> urls, Duration deadline) {
    RedisOptions options =
        new RedisOptions().setType(RedisClientType.SENTINEL).setMasterName("tide");
    urls.forEach(options::addConnectionString);
    return new RedisBackend(options, deadline);
  }

  RedisWay way() {
    return way;
  }

  @Override
  public void close() {
    Uni.createFrom().completionStage(vertx.close().toCompletionStage()).await().atMost(PATIENCE);
  }
}
