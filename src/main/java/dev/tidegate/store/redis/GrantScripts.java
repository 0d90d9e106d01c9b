package dev.tidegate.store.redis;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** Runs the scripts of grants, whose answers wait for as many copies as are wanted. */
final class GrantScripts {

  private final ScriptRunner scripts;
  private final Copies copies;

  /**
   * Makes it.
   *
   * @param scripts on connections of its own where copies are wanted, for they stand still
   *     meanwhile
   */
  GrantScripts(ScriptRunner scripts, Copies copies) {
    this.scripts = scripts;
    this.copies = copies;
  }

  /**
   * Runs a script whose first key is the record of the call's idempotency key. Fails with a {@link
   * dev.tidegate.store.StoreException}, of kind UNCONFIRMED where what was granted has not as many
   * copies in time.
   */
  Uni<Reply> run(Script script, List<String> keys, Arguments arguments) {
    return copies.areWanted()
        ? Uni.createFrom()
            .deferred(
                () ->
                    scripts.run(script, keys, arguments, new Confirmation(copies, keys.getFirst())))
        : scripts.run(script, keys, arguments);
  }
}
