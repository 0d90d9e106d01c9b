package dev.tidegate.store.redis;

import dev.tidegate.store.ConfigurationStore.Change;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.time.Duration;

/**
 * The channel on which the scripts that write plans tell of it.
 *
 * <p>It subscribes by itself: the platform's own subscriptions listen only after Redis has said
 * that they are made, and sometimes wait for ever to hear it.
 */
final class ChangeFeed {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final Redis redis;
  private final String channel;

  ChangeFeed(Redis redis, String channel) {
    this.redis = redis;
    this.channel = channel;
  }

  /** What is told, without end: a subscription that breaks is made again. */
  Multi<Change> changes() {
    return Multi.createFrom()
        .<Change>emitter(this::connect)
        .onFailure()
        .retry()
        .withBackOff(FIRST_PAUSE, LONGEST_PAUSE)
        .indefinitely();
  }

  private void connect(MultiEmitter<? super Change> emitter) {
    redis
        .connect()
        .onSuccess(connection -> subscribe(connection, emitter))
        .onFailure(failure -> fail(emitter, failure));
  }

  private void subscribe(RedisConnection connection, MultiEmitter<? super Change> emitter) {
    connection
        .handler(message -> tell(message, emitter))
        .exceptionHandler(failure -> fail(emitter, failure))
        .endHandler(
            ended -> fail(emitter, new StoreException(Kind.AWAY, "the subscription has ended")));
    emitter.onTermination(connection::close);
    connection
        .send(Request.cmd(Command.SUBSCRIBE).arg(channel))
        .onFailure(failure -> fail(emitter, failure));
  }

  private static void tell(Response message, MultiEmitter<? super Change> emitter) {
    if (message instanceof ErrorType refused) {
      fail(emitter, refused);
      return;
    }
    switch (message.get(0).toString()) {
      case "subscribe" -> emitter.emit(Change.SUBSCRIBED);
      case "message" -> emitter.emit(Change.PLANS);
      default -> {}
    }
  }

  /** Whoever has cancelled wants no failure, which is that of the connection he gave up. */
  private static void fail(MultiEmitter<? super Change> emitter, Throwable failure) {
    if (!emitter.isCancelled()) {
      emitter.fail(failure);
    }
  }
}
