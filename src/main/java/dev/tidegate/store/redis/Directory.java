package dev.tidegate.store.redis;

import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Those who know which server answers for which slot: the nodes of a cluster, or sentinels. */
sealed interface Directory {

  /** What to ask one of them. */
  Request question();

  /**
   * What an answer says.
   *
   * @param asked who gave it; the servers are reached as it was
   * @return null when it does not know
   */
  @Nullable Routes routes(@Nullable Response answer, URI asked);

  /** Whether each server is in the directory itself, and can be asked as well. */
  boolean knowsItself();

  /** The nodes of a cluster. */
  record Cluster() implements Directory {

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
        URI server = at(asked, name, master.get(1).toInteger());
        routes.put(range.get(0).toInteger(), range.get(1).toInteger(), server);
      }
      return routes;
    }

    @Override
    public boolean knowsItself() {
      return true;
    }
  }

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
      URI master = at(asked, answer.get(0).toString(), answer.get(1).toInteger());
      routes.put(0, Routes.SLOTS - 1, master);
      return routes;
    }

    @Override
    public boolean knowsItself() {
      return false;
    }
  }

  /**
   * Another server that is reached with the same scheme, user and database.
   *
   * @param host a name or an address; null = that of {@code like}
   */
  static URI at(URI like, @Nullable String host, int port) {
    String name = host == null ? like.getHost() : host.contains(":") ? "[" + host + "]" : host;
    String user = like.getRawUserInfo() == null ? "" : like.getRawUserInfo() + "@";
    String path = like.getRawPath() == null ? "" : like.getRawPath();
    String query = like.getRawQuery() == null ? "" : "?" + like.getRawQuery();
    return URI.create(like.getScheme() + "://" + user + name + ":" + port + path + query);
  }
}
