package dev.tidegate.store.redis;

import dev.tidegate.store.ConfigurationStore.Change;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import io.quarkus.redis.datasource.pubsub.ReactivePubSubCommands;
import io.quarkus.redis.datasource.pubsub.ReactivePubSubCommands.ReactiveRedisSubscriber;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.time.Duration;

/** The channel on which the scripts that write plans tell of it. */
final class ChangeFeed {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final ReactivePubSubCommands<String> channels;
  private final String channel;

  ChangeFeed(ReactivePubSubCommands<String> channels, String channel) {
    this.channels = channels;
    this.channel = channel;
  }

  /** What is told, without end: a subscription that breaks is made again. */
  Multi<Change> changes() {
    return Multi.createFrom()
        .<Change>emitter(this::subscribe)
        .onFailure()
        .retry()
        .withBackOff(FIRST_PAUSE, LONGEST_PAUSE)
        .indefinitely();
  }

  private void subscribe(MultiEmitter<? super Change> emitter) {
    channels
        .subscribe(
            channel,
            generation -> emitter.emit(Change.PLANS),
            () -> fail(emitter, new StoreException(Kind.AWAY, "the subscription has ended")),
            failure -> fail(emitter, failure))
        .subscribe()
        .with(
            subscriber -> {
              emitter.emit(Change.SUBSCRIBED);
              emitter.onTermination(() -> unsubscribe(subscriber));
            },
            failure -> fail(emitter, failure));
  }

  /** Whoever has cancelled wants no failure, which is that of the connection he gave up. */
  private static void fail(MultiEmitter<? super Change> emitter, Throwable failure) {
    if (!emitter.isCancelled()) {
      emitter.fail(failure);
    }
  }

  private void unsubscribe(ReactiveRedisSubscriber subscriber) {
    subscriber.unsubscribe(channel).subscribe().with(done -> {}, alreadyGone -> {});
  }
}
