package dev.tidegate.store.redis;

import dev.tidegate.store.StoreHealth.Aspect;
import dev.tidegate.store.StoreHealth.Finding;
import dev.tidegate.store.StoreHealth.Safety;
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

  /** Its version; Valkey tells the one of Redis that it is like. */
  String version() {
    return fields.getOrDefault("redis_version", "unknown");
  }

  /** Whether it is that version or a newer one, or does not tell. */
  boolean isAtLeast(int major, int minor) {
    String[] numbers = version().split("\\.", -1);
    if (numbers.length < 2 || !numbers[0].matches("\\d+") || !numbers[1].matches("\\d+")) {
      return true;
    }
    int has = Integer.parseInt(numbers[0]);
    return has > major || (has == major && Integer.parseInt(numbers[1]) >= minor);
  }

  /** Whether it keeps an append-only file, or does not tell. */
  boolean writesLog() {
    return fields.getOrDefault("aof_enabled", "1").equals("1");
  }

  /** What it says of each aspect. */
  List<Finding> findings() {
    return List.of(eviction(), persistence());
  }

  private Finding eviction() {
    String policy = fields.getOrDefault("maxmemory_policy", "");
    return switch (policy) {
      case "" -> new Finding(Aspect.EVICTION, Safety.UNKNOWN, "Redis tells no maxmemory-policy");
      case "noeviction" ->
          new Finding(Aspect.EVICTION, Safety.SAFE, "maxmemory-policy is noeviction");
      default ->
          new Finding(
              Aspect.EVICTION,
              Safety.UNSAFE,
              "Redis may evict keys (maxmemory-policy is "
                  + policy
                  + "): an evicted key is free quota; set it to noeviction");
    };
  }

  private Finding persistence() {
    if (fields.getOrDefault("aof_enabled", "1").equals("0")) {
      return new Finding(
          Aspect.PERSISTENCE,
          Safety.UNSAFE,
          "Redis keeps no append-only file: a restart forgets what was metered since the last"
              + " snapshot, if there is one; set appendonly to yes");
    }
    if (fields.getOrDefault("aof_last_write_status", "ok").equals("err")) {
      return new Finding(
          Aspect.PERSISTENCE,
          Safety.UNSAFE,
          "Redis cannot write its append-only file; look at its disk");
    }
    return fields.containsKey("aof_enabled")
        ? new Finding(Aspect.PERSISTENCE, Safety.SAFE, "Redis keeps an append-only file")
        : new Finding(
            Aspect.PERSISTENCE, Safety.UNKNOWN, "Redis does not tell of an append-only file");
  }

  /** What is found where the server refuses to tell. */
  static List<Finding> refused(String why) {
    return List.of(
        new Finding(Aspect.EVICTION, Safety.UNKNOWN, why),
        new Finding(Aspect.PERSISTENCE, Safety.UNKNOWN, why));
  }
}
