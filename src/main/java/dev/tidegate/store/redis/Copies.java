package dev.tidegate.store.redis;

import dev.tidegate.config.TidegateSettings.RedisSettings;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Optional;

/**
 * The copies of a grant that there must be before it is answered.
 *
 * @param replicas how many replicas must have it; with {@code onDisk}, on their disks
 * @param onDisk whether the server's own append-only file must have it on disk
 * @param within how long they are waited for
 */
record Copies(int replicas, boolean onDisk, Duration within) {

  /** None is waited for. */
  static final Copies NONE = new Copies(0, false, Duration.ZERO);

  /** The first version of Redis with WAITAOF; Valkey tells one of Redis as well. */
  private static final int[] WAITAOF_SINCE = {7, 2};

  static Copies of(RedisSettings settings) {
    return new Copies(
        settings.grantsWaitReplicas(),
        settings.grantsWaitAof(),
        Duration.ofMillis(settings.grantsWaitMillis()));
  }

  boolean areWanted() {
    return replicas > 0 || onDisk;
  }

  /** Waits until what the connection wrote last has been copied. */
  Request waiting() {
    return onDisk
        ? Request.cmd(Command.create("WAITAOF")).arg(1).arg(replicas).arg(within.toMillis())
        : Request.cmd(Command.WAIT).arg(replicas).arg(within.toMillis());
  }

  /** Whether an answer to {@link #waiting} tells of as many. */
  boolean suffice(Response answer) {
    return onDisk
        ? answer.get(0).toInteger() >= 1 && answer.get(1).toInteger() >= replicas
        : answer.toInteger() >= replicas;
  }

  /** Why a server can never confirm them; empty where it can. */
  Optional<String> impossibleOn(ServerInfo server) {
    if (!onDisk) {
      return Optional.empty();
    }
    if (!server.isAtLeast(WAITAOF_SINCE[0], WAITAOF_SINCE[1])) {
      return Optional.of(
          "tidegate.redis.grants-wait-aof needs WAITAOF, which Redis has from 7.2 on; this is "
              + server.version());
    }
    return server.writesLog()
        ? Optional.empty()
        : Optional.of("tidegate.redis.grants-wait-aof needs appendonly yes, and Redis has no");
  }
}
