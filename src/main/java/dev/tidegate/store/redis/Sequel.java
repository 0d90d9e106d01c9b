package dev.tidegate.store.redis;

import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import org.jspecify.annotations.Nullable;

/**
 * What is sent after a command, on the same connection: for what Redis remembers of a connection.
 * One is for one call; it is told of each attempt at it.
 */
interface Sequel {

  /** Nothing is sent. */
  Sequel NONE =
      new Sequel() {
        @Override
        public void begin() {}

        @Override
        public @Nullable Request next(@Nullable Response answer) {
          return null;
        }

        @Override
        public void end() {}
      };

  /** The command is sent, for the first time or again. */
  void begin();

  /**
   * The next command.
   *
   * @param answer to the one before; an error to a command of the sequel ends it instead
   * @return null = that was all
   */
  @Nullable Request next(@Nullable Response answer);

  /**
   * All of it is over.
   *
   * @throws dev.tidegate.store.StoreException if it had not the effect that it is for
   */
  void end();
}
