package dev.tidegate.store.redis;

import dev.tidegate.store.StoreException;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The way to Redis, whether that is one server or many. */
sealed interface RedisWay permits RedisLanes, RoutedLanes {

  /** How many commands were sent so far, those included that were sent on to another server. */
  long trips();

  /** What the lanes are doing. */
  LaneUse use();

  /** When a call that begins now must have been answered, as {@link System#nanoTime} counts. */
  long dueNanos();

  /**
   * Sends one command of a call. Fails with a {@link StoreException}, or with the {@link ErrorType}
   * that Redis answered.
   *
   * @param dueNanos when the call must have been answered
   */
  default Uni<@Nullable Response> send(Request request, long dueNanos) {
    return send(request, dueNanos, Sequel.NONE);
  }

  /**
   * Sends one command, and what follows it on the same connection; see {@link #send(Request,
   * long)}.
   *
   * @param sequel what follows; the answer is that to {@code request}, when all of it is over
   */
  Uni<@Nullable Response> send(Request request, long dueNanos, Sequel sequel);

  /**
   * Sends one command that is a call of its own; see {@link #send(Request, long)}.
   *
   * @param request the command
   */
  default Uni<@Nullable Response> send(Request request) {
    return Uni.createFrom().deferred(() -> send(request, dueNanos()));
  }

  /**
   * Opens every lane and has it run a script, each on an event loop of its own, so that no first
   * call of a cold process waits for that. Fails where one cannot be opened.
   *
   * @param dueNanos when all must be done
   */
  Uni<Void> warmUp(long dueNanos);

  /** The ways to all servers, each of which has a part of the keys. */
  Uni<List<RedisLanes>> servers();
}
