package dev.tidegate.store.redis;

import dev.tidegate.store.StoreException;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs scripts by their SHA-1, and once by their text where Redis does not know them yet. */
final class ScriptRunner {

  private final RedisLanes lanes;
  private final ScriptCatalogue catalogue;

  ScriptRunner(RedisLanes lanes, ScriptCatalogue catalogue) {
    this.lanes = lanes;
    this.catalogue = catalogue;
  }

  /** Runs a script in one trip. Fails with a {@link StoreException}. */
  Uni<Reply> run(Script script, List<String> keys, List<String> arguments) {
    ScriptCatalogue.Source source = catalogue.source(script);
    return lanes
        .send(request(Command.EVALSHA, source.sha1(), keys, arguments))
        .onFailure(ScriptRunner::isUnknownScript)
        .recoverWithUni(() -> lanes.send(request(Command.EVAL, source.text(), keys, arguments)))
        .onFailure(ErrorType.class)
        .transform(error -> failed(script, source, error))
        .map(response -> new Reply(script, response));
  }

  /** Sends a command that is no script. Fails with a {@link StoreException}. */
  Uni<@Nullable Response> send(Request request) {
    return lanes
        .send(request)
        .onFailure(ErrorType.class)
        .transform(
            error ->
                new StoreException("Redis refused a command: " + error.getMessage(), error, true));
  }

  private static Request request(
      Command command, String script, List<String> keys, List<String> arguments) {
    Request request = Request.cmd(command).arg(script).arg(keys.size());
    keys.forEach(request::arg);
    arguments.forEach(request::arg);
    return request;
  }

  private static boolean isUnknownScript(Throwable failure) {
    return failure instanceof ErrorType error && error.is("NOSCRIPT");
  }

  /**
   * An error raised inside a script is a fault of ours; any other says that Redis could not run it
   * now.
   */
  private static StoreException failed(
      Script script, ScriptCatalogue.Source source, Throwable error) {
    String message = String.valueOf(error.getMessage());
    boolean ours = message.contains("user_script") || message.contains("ARGUMENT");
    return new StoreException(script.file() + ": " + source.locate(message), error, !ours);
  }
}
