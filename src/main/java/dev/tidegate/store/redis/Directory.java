package dev.tidegate.store.redis;

import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Those who know which server answers for which slot: the nodes of a cluster, or sentinels. */
sealed interface Directory permits ClusterNodes, Sentinels {

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
