package dev.tidegate.store.redis;

import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts by their SHA-1, and once by their text where Redis does not know them yet.
 *
 * <p>A call that Redis says it did not run is sent again as long as it has time. One that may have
 * run, because the connection broke, is sent again only if that changes nothing. An error that a
 * script raised ends the call.
 */
final class ScriptRunner {

  /** The pause before a call is sent again; it doubles each time. */
  private static final long FIRST_PAUSE_MILLIS = 2;

  /** With doubled pauses, more than there is time for in the longest deadline that makes sense. */
  private static final int MAX_REPEATS = 12;

  private final RedisWay way;
  private final ScriptCatalogue catalogue;
  private final RedisMeters meters;

  ScriptRunner(RedisWay way, ScriptCatalogue catalogue, RedisMeters meters) {
    this.way = way;
    this.catalogue = catalogue;
    this.meters = meters;
  }

  /**
   * Runs a script, in one trip unless it has to be repeated. Fails with a {@link StoreException}.
   */
  Uni<Reply> run(Script script, List<String> keys, Arguments arguments) {
    return run(script, keys, arguments, Sequel.NONE);
  }

  /**
   * Runs a script as {@link #run(Script, List, Arguments)} does.
   *
   * @param sequel what follows it on the same connection
   */
  Uni<Reply> run(Script script, List<String> keys, Arguments arguments, Sequel sequel) {
    ScriptCatalogue.Source source = catalogue.source(script);
    return Uni.createFrom()
        .deferred(
            () -> {
              long began = System.nanoTime();
              return new Run(
                      () -> request(Command.EVALSHA, source.sha1(), keys, arguments),
                      () -> request(Command.EVAL, source.text(), keys, arguments),
                      arguments.isKeyed() || script.isRepeatable(),
                      sequel)
                  .attempt(0, false)
                  .map(response -> answered(script, began, response))
                  .invoke(sequel::end);
            })
        .onFailure()
        .transform(failure -> failed(script, source, failure));
  }

  private Reply answered(Script script, long began, @Nullable Response response) {
    meters.answered(script, System.nanoTime() - began);
    return new Reply(script, response);
  }

  /**
   * Sends a command that is no script and changes nothing when it is repeated. Fails with a {@link
   * StoreException}.
   */
  Uni<@Nullable Response> send(Request request) {
    return Uni.createFrom()
        .deferred(() -> new Run(() -> request, () -> request, true, Sequel.NONE).attempt(0, false))
        .onFailure()
        .transform(this::failed);
  }

  /** Opens all connections, which takes a cold process longer than a call may. */
  Uni<Void> warmUp() {
    return Uni.createFrom()
        .deferred(
            () ->
                way.warmUp(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Lane.OPENING_MILLIS)))
        .onFailure()
        .transform(this::failed);
  }

  /** What sends to one server alone, for each server, which has a part of the keys. */
  Uni<List<ScriptRunner>> perServer() {
    return way.servers()
        .map(all -> all.stream().map(one -> new ScriptRunner(one, catalogue, meters)).toList());
  }

  private static Request request(
      Command command, String script, List<String> keys, Arguments arguments) {
    Request request = Request.cmd(command).arg(script).arg(keys.size());
    keys.forEach(request::arg);
    arguments.values().forEach(request::arg);
    return request;
  }

  /** A call and the time that it has, all its attempts together. */
  private final class Run {

    private final Supplier<Request> byName;
    private final Supplier<Request> byText;
    private final boolean repeatable;
    private final Sequel sequel;
    private final long dueNanos = way.dueNanos();

    Run(Supplier<Request> byName, Supplier<Request> byText, boolean repeatable, Sequel sequel) {
      this.byName = byName;
      this.byText = byText;
      this.repeatable = repeatable;
      this.sequel = sequel;
    }

    Uni<@Nullable Response> attempt(int repeats, boolean asText) {
      sequel.begin();
      return way.send((asText ? byText : byName).get(), dueNanos, sequel)
          .onFailure()
          .recoverWithUni(failure -> orAgain(failure, repeats, asText));
    }

    private Uni<@Nullable Response> orAgain(Throwable failure, int repeats, boolean asText) {
      if (failure instanceof ErrorType error) {
        meters.refused(error);
      }
      return repeats < MAX_REPEATS && mayRepeat(failure)
          ? repeat(failure, repeats, asText)
          : Uni.createFrom().failure(failure);
    }

    private boolean mayRepeat(Throwable failure) {
      return switch (failure) {
        case ErrorType error -> RedisError.isNotRun(error);
        case StoreException lost -> repeatable && lost.kind() == Kind.UNANSWERED;
        default -> false;
      };
    }

    private Uni<@Nullable Response> repeat(Throwable failure, int repeats, boolean asText) {
      if (failure instanceof ErrorType error && RedisError.isUnknownScript(error) && !asText) {
        return attempt(repeats + 1, true);
      }
      Duration pause = Duration.ofMillis(FIRST_PAUSE_MILLIS << repeats);
      return System.nanoTime() + pause.toNanos() - dueNanos >= 0
          ? Uni.createFrom().failure(failure)
          : Uni.createFrom()
              .voidItem()
              .onItem()
              .delayIt()
              .by(pause)
              .chain(() -> attempt(repeats + 1, asText));
    }
  }

  private Throwable failed(Script script, ScriptCatalogue.Source source, Throwable failure) {
    if (!(failure instanceof ErrorType error)) {
      return counted(failure);
    }
    Kind kind = RedisError.isTransient(error) ? Kind.REFUSED : Kind.FAULT;
    String message = source.locate(String.valueOf(error.getMessage()));
    return counted(new StoreException(kind, script.file() + ": " + message, error));
  }

  private Throwable failed(Throwable failure) {
    return counted(
        failure instanceof ErrorType error
            ? new StoreException(
                Kind.REFUSED, "Redis refused a command: " + error.getMessage(), error)
            : failure);
  }

  private Throwable counted(Throwable failure) {
    if (failure instanceof StoreException lost) {
      meters.failed(lost.kind());
    }
    return failure;
  }
}
