package dev.tidegate.store.redis;

import io.quarkus.redis.client.RedisOptionsCustomizer;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes clients with the options that the platform has read from {@code quarkus.redis}, so that
 * each lane can have one of its own.
 */
@ApplicationScoped
class LaneClients implements RedisOptionsCustomizer {

  private volatile @Nullable RedisOptions options;

  /** Takes note of the options that the platform makes its client with. */
  @Override
  public void customize(String client, RedisOptions configured) {
    options = laneOptions(configured);
  }

  /**
   * Options for the client of one lane.
   *
   * @param configured how Redis is reached; not changed
   */
  static RedisOptions laneOptions(RedisOptions configured) {
    RedisOptions lane = new RedisOptions(configured).setMaxWaitingHandlers(2 * Lane.MAX_UNDER_WAY);
    // A closed connection is reset, so that not even the kernel sends what Redis has not read yet.
    return lane.setNetClientOptions(
        new NetClientOptions(configured.getNetClientOptions())
            .setSoLinger(0)
            .setConnectTimeout(Lane.OPENING_MILLIS));
  }

  /** The way to what {@code quarkus.redis.client-type} says that Redis is. */
  RedisWay open(Vertx vertx, int count, Duration deadline) {
    RedisOptions lane = options;
    if (lane == null) {
      throw new IllegalStateException("the options of Redis are not known yet");
    }
    return open(vertx, lane, count, deadline);
  }

  /**
   * The way to Redis.
   *
   * @param options of {@link #laneOptions}
   * @param count how many connections are held to each server
   * @param deadline how long an answer may take
   * @throws IllegalStateException where it is run in a way that is not known here
   */
  static RedisWay open(Vertx vertx, RedisOptions options, int count, Duration deadline) {
    return switch (options.getType()) {
      case STANDALONE ->
          new RedisLanes(vertx, () -> Redis.createClient(vertx, options), count, deadline);
      case CLUSTER -> open(vertx, options, count, deadline, new ClusterNodes());
      case SENTINEL ->
          open(vertx, options, count, deadline, new Sentinels(options.getMasterName()));
      case REPLICATION ->
          throw new IllegalStateException(
              "Redis is run as standalone, cluster or sentinel; replicas are not read");
    };
  }

  private static RedisWay open(
      Vertx vertx, RedisOptions options, int count, Duration deadline, Directory directory) {
    List<URI> seeds = options.getEndpoints().stream().map(URI::create).toList();
    return new RoutedLanes(
        directory,
        seeds,
        (server, lanes, within) ->
            new RedisLanes(
                vertx, () -> Redis.createClient(vertx, to(server, options)), lanes, within),
        count,
        deadline,
        Duration.ofMillis(options.getTopologyCacheTTL()));
  }

  private static RedisOptions to(URI server, RedisOptions options) {
    return new RedisOptions(options)
        .setType(RedisClientType.STANDALONE)
        .setEndpoints(List.of(server.toString()));
  }
}
