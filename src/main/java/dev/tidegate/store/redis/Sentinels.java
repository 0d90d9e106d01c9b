package dev.tidegate.store.redis;

import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Sentinels that watch a master, who answers for every slot.
 *
 * @param masterName what they call it
 */
record Sentinels(String masterName) implements Directory {

  @Override
  public Request question() {
    return Request.cmd(Command.SENTINEL).arg("GET-MASTER-ADDR-BY-NAME").arg(masterName);
  }

  @Override
  public @Nullable Routes routes(@Nullable Response answer, URI asked) {
    if (answer == null || answer.size() != 2) {
      return null;
    }
    Routes routes = new Routes();
    URI master = Directory.at(asked, answer.get(0).toString(), answer.get(1).toInteger());
    routes.put(0, Routes.SLOTS - 1, master);
    return routes;
  }

  @Override
  public boolean knowsItself() {
    return false;
  }
}
