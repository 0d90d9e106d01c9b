package dev.tidegate.store.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a Redis server says of itself. */
record ServerInfo(Map<String, String> fields) {

  ServerInfo {
    fields = Map.copyOf(fields);
  }

  /** Reads the answer to INFO: lines of a name, a colon and a value. */
  static ServerInfo parse(String info) {
    Map<String, String> fields = new HashMap<>();
    info.lines()
        .filter(line -> line.indexOf(':') > 0)
        .forEach(line -> fields.put(line.split(":", 2)[0], line.split(":", 2)[1].strip()));
    return new ServerInfo(fields);
  }

  /** What endangers what is kept in it; what it does not tell does not. */
  List<String> concerns() {
    List<String> concerns = new ArrayList<>();
    String eviction = fields.getOrDefault("maxmemory_policy", "noeviction");
    if (!eviction.equals("noeviction")) {
      concerns.add(
          "Redis may evict keys (maxmemory-policy is "
              + eviction
              + "): an evicted key is free quota; set it to noeviction");
    }
    if (fields.getOrDefault("aof_enabled", "1").equals("0")) {
      concerns.add(
          "Redis keeps no append-only file: a restart forgets what was metered since the last"
              + " snapshot, if there is one; set appendonly to yes");
    }
    return concerns;
  }
}
