package dev.tidegate.store.redis;

import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The nodes of a cluster. */
record ClusterNodes() implements Directory {

  @Override
  public Request question() {
    return Request.cmd(Command.CLUSTER).arg("SLOTS");
  }

  /** For each range: its first slot, its last one, the master and its replicas. */
  @Override
  public @Nullable Routes routes(@Nullable Response answer, URI asked) {
    if (answer == null || answer.size() == 0) {
      return null;
    }
    Routes routes = new Routes();
    for (Response range : answer) {
      Response master = range.get(2);
      Response host = master.get(0);
      // A node that does not know its own name says nothing: it is where it was asked.
      String name = host == null || host.toString().isEmpty() ? null : host.toString();
      URI server = Directory.at(asked, name, master.get(1).toInteger());
      routes.put(range.get(0).toInteger(), range.get(1).toInteger(), server);
    }
    return routes;
  }

  @Override
  public boolean knowsItself() {
    return true;
  }
}
