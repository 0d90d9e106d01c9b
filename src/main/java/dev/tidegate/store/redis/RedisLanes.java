package dev.tidegate.store.redis;

import dev.tidegate.store.StoreException;
import io.smallrye.common.vertx.VertxContext;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The way to Redis: a fixed number of held connections, each used from one event loop, over which
 * commands pipeline.
 *
 * <p>A lane that breaks is opened again by the next command, at most once in {@value
 * #REOPEN_MILLIS} ms; until then its commands fail at once. A command that gets no answer within
 * the deadline fails; it may have been carried out.
 */
final class RedisLanes {

  private static final long REOPEN_MILLIS = 100;

  private final Vertx vertx;
  private final Redis redis;
  private final long deadlineMillis;
  private final List<Lane> lanes = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();
  private final LongAdder trips = new LongAdder();

  /**
   * @param count how many connections are held; the pool of {@code redis} must be larger
   * @param deadline how long an answer may take
   */
  RedisLanes(Vertx vertx, Redis redis, int count, Duration deadline) {
    this.vertx = vertx;
    this.redis = redis;
    this.deadlineMillis = deadline.toMillis();
    for (int n = 0; n < count; n++) {
      lanes.add(new Lane());
    }
  }

  /** How many commands were sent so far. */
  long trips() {
    return trips.sum();
  }

  /**
   * Sends one command. Fails with a {@link StoreException}, or with the {@link ErrorType} that
   * Redis answered.
   */
  Uni<@Nullable Response> send(Request request) {
    return Uni.createFrom().emitter(emitter -> lane().send(request, emitter));
  }

  /**
   * The lane of the calling event loop, so that neither the command nor its answer changes threads.
   */
  private Lane lane() {
    Context current = Vertx.currentContext();
    if (current != null && current.isEventLoopContext()) {
      for (Lane lane : lanes) {
        if (lane.thread == Thread.currentThread()) {
          return lane;
        }
      }
      for (Lane lane : lanes) {
        if (lane.claim(current)) {
          return lane;
        }
      }
    }
    return lanes.get(Math.floorMod(next.getAndIncrement(), lanes.size()));
  }

  /** One held connection and the event loop it is used from. */
  private final class Lane {

    private @Nullable Context context;
    private volatile @Nullable Thread thread;
    private @Nullable Future<RedisConnection> connection;
    private long openedAt;

    /**
     * Makes {@code candidate}'s event loop, the calling thread, the one of this lane, unless it has
     * one.
     */
    synchronized boolean claim(Context candidate) {
      if (context != null) {
        return false;
      }
      context = VertxContext.getRootContext(candidate);
      thread = Thread.currentThread();
      return true;
    }

    private synchronized Context context() {
      if (context == null) {
        context = VertxContext.getRootContext(vertx.getOrCreateContext());
      }
      return context;
    }

    void send(Request request, UniEmitter<? super @Nullable Response> emitter) {
      if (thread == Thread.currentThread()) {
        dispatch(request, emitter);
      } else {
        context().runOnContext(ignored -> dispatch(request, emitter));
      }
    }

    private void dispatch(Request request, UniEmitter<? super @Nullable Response> emitter) {
      trips.increment();
      long timer =
          vertx.setTimer(
              deadlineMillis,
              ignored ->
                  emitter.fail(
                      new StoreException(
                          "Redis gave no answer within " + deadlineMillis + " ms", true)));
      connection()
          .compose(open -> open.send(request))
          .onComplete(
              answer -> {
                vertx.cancelTimer(timer);
                if (answer.succeeded()) {
                  emitter.complete(answer.result());
                } else if (answer.cause() instanceof ErrorType error) {
                  emitter.fail(error);
                } else {
                  emitter.fail(new StoreException("Redis is not reachable", answer.cause(), true));
                }
              });
    }

    private Future<RedisConnection> connection() {
      Future<RedisConnection> open = connection;
      if (open != null && !open.failed()) {
        return open;
      }
      long now = System.currentTimeMillis();
      if (open != null && now - openedAt < REOPEN_MILLIS) {
        return open;
      }
      openedAt = now;
      Future<RedisConnection> opening = open();
      connection = opening;
      opening.onSuccess(
          opened -> {
            opened.exceptionHandler(broken -> drop(opening));
            opened.endHandler(ended -> drop(opening));
          });
      return opening;
    }

    /** Connects on the lane's own context: the call's would tie the connection to that call. */
    private Future<RedisConnection> open() {
      Promise<RedisConnection> promise = Promise.promise();
      context().runOnContext(ignored -> redis.connect().onComplete(promise));
      return promise.future();
    }

    private void drop(Future<RedisConnection> broken) {
      if (connection == broken) {
        connection = null;
        broken.result().close();
      }
    }
  }
}
