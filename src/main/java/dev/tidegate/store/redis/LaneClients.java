package dev.tidegate.store.redis;

import io.quarkus.redis.client.RedisOptionsCustomizer;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import jakarta.enterprise.context.ApplicationScoped;
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
    lane.getNetClientOptions().setSoLinger(0).setConnectTimeout(Lane.OPENING_MILLIS);
    return lane;
  }

  /** Makes a client with a connection of its own. */
  Redis create(Vertx vertx) {
    RedisOptions lane = options;
    if (lane == null) {
      throw new IllegalStateException("the options of Redis are not known yet");
    }
    return Redis.createClient(vertx, lane);
  }
}
