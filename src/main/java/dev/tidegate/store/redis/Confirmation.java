package dev.tidegate.store.redis;

import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Waits, after the script of a grant, until there are as many copies as are wanted.
 *
 * <p>WAIT tells of what its own connection wrote, from Redis 7.2 on of nothing else. The first
 * answer to a key may have been written by another one, so that its record is given its expiry
 * again first: it carries its own end, which that does not move.
 */
final class Confirmation implements Sequel {

  /** As long as the record of a keyed grant is kept: three days. */
  private static final Duration KEPT = Duration.ofDays(3);

  /** What a grant that may have written answers with. */
  private static final Set<String> GRANTED = Set.of("GRANTED", "RESET");

  private static final String REPLAYED = "REPLAYED";

  private final Copies copies;
  private final String record;
  private Stage stage = Stage.GRANTING;
  private boolean confirmed = true;

  private enum Stage {
    GRANTING,
    WRITING_AGAIN,
    WAITING
  }

  /**
   * For one call.
   *
   * @param record key of the record of its idempotency key
   */
  Confirmation(Copies copies, String record) {
    this.copies = copies;
    this.record = record;
  }

  @Override
  public void begin() {
    stage = Stage.GRANTING;
    confirmed = true;
  }

  @Override
  public @Nullable Request next(@Nullable Response answer) {
    if (answer == null) {
      return null;
    }
    return switch (stage) {
      case GRANTING -> afterGrant(answer.get(0).toString());
      case WRITING_AGAIN -> answer.toInteger() == 1 ? await() : null;
      case WAITING -> {
        confirmed = copies.suffice(answer);
        yield null;
      }
    };
  }

  private @Nullable Request afterGrant(String status) {
    if (GRANTED.contains(status)) {
      return await();
    }
    if (!status.equals(REPLAYED)) {
      return null;
    }
    confirmed = false;
    stage = Stage.WRITING_AGAIN;
    return Request.cmd(Command.PEXPIRE).arg(record).arg(KEPT.toMillis());
  }

  private Request await() {
    confirmed = false;
    stage = Stage.WAITING;
    return copies.waiting();
  }

  @Override
  public void end() {
    if (!confirmed) {
      throw new StoreException(
          Kind.UNCONFIRMED, "too few copies of a grant were confirmed within " + copies.within());
    }
  }
}
