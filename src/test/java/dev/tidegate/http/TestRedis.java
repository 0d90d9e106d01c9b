package dev.tidegate.http;

import dev.tidegate.dev.EmbeddedRedisResource;
import dev.tidegate.dev.RespConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What lies in the Redis of the service under test. */
final class TestRedis implements AutoCloseable {

  private static final String PREFIX = "tidegate:1:";
  private static final String PLANS = PREFIX + "plans";

  private final RespConnection redis;

  private TestRedis(RespConnection redis) {
    this.redis = redis;
  }

  static TestRedis open() {
    URI address = URI.create(EmbeddedRedisResource.url());
    return new TestRedis(RespConnection.open(address.getHost(), address.getPort()));
  }

  /**
   * A key as it is stored.
   *
   * @param value all of it, in an order that does not depend on how it is stored
   * @param ttlMillis until it expires, -1 for never
   */
  record Entry(String value, long ttlMillis) {}

  /** Every key of the service. */
  Map<String, Entry> entries() {
    Map<String, Entry> entries = new TreeMap<>();
    for (String key : keys()) {
      entries.put(key, new Entry(value(key), number(send("PTTL", key))));
    }
    return entries;
  }

  /** Every key and its value; not when they expire. */
  String contents() {
    Map<String, String> contents = new TreeMap<>();
    keys().forEach(key -> contents.put(key, value(key)));
    return contents.toString();
  }

  /** The whole value of a key. */
  String value(String key) {
    String type = "" + send("TYPE", key);
    return switch (type) {
      case "string" -> "" + send("GET", key);
      case "hash" -> "" + pairs(list(send("HGETALL", key)));
      case "set" ->
          "" + list(send("SMEMBERS", key)).stream().map(String::valueOf).sorted().toList();
      case "zset" -> "" + send("ZRANGE", key, "0", "-1", "WITHSCORES");
      case "stream" -> "" + send("XRANGE", key, "-", "+");
      default -> type;
    };
  }

  private static Map<String, String> pairs(List<?> flat) {
    Map<String, String> pairs = new TreeMap<>();
    for (int n = 0; n < flat.size(); n += 2) {
      pairs.put("" + flat.get(n), "" + flat.get(n + 1));
    }
    return pairs;
  }

  /** The keys of the service. */
  List<String> keys() {
    List<String> keys = new ArrayList<>();
    String cursor = "0";
    do {
      List<?> page = list(send("SCAN", cursor, "MATCH", PREFIX + "*", "COUNT", "1000"));
      cursor = "" + page.get(0);
      list(page.get(1)).forEach(key -> keys.add("" + key));
    } while (!cursor.equals("0"));
    return keys;
  }

  /**
   * Forgets subjects, all that is metered and the test clock; plans stay, for their generation does
   * not go back.
   */
  void forgetAllButPlans() {
    for (String key : keys()) {
      if (!key.equals(PLANS)) {
        send("DEL", key);
      }
    }
  }

  /** Sends a command and returns its answer: a text, a {@link Long}, a {@link List} or null. */
  @Nullable Object send(String... command) {
    return redis.send(command);
  }

  private static long number(@Nullable Object answer) {
    return answer instanceof Long number ? number : -2L;
  }

  private static List<?> list(@Nullable Object answer) {
    return answer instanceof List<?> items ? items : List.of();
  }

  @Override
  public void close() {
    redis.close();
  }
}
