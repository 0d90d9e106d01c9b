package dev.tidegate.store.redis;

import dev.tidegate.config.TidegateSettings.Persistence;
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

  /**
   * What it says of each aspect.
   *
   * @param expected what it is to keep what is stored by
   */
  List<Finding> findings(Persistence expected) {
    return List.of(eviction(), persistence(expected), writes());
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

  private Finding persistence(Persistence expected) {
    if (fields.getOrDefault("aof_last_write_status", "ok").equals("err")) {
      return kept(Safety.UNSAFE, "Redis cannot write its append-only file; look at its disk");
    }
    return switch (fields.getOrDefault("aof_enabled", "")) {
      case "1" -> kept(Safety.SAFE, "Redis keeps an append-only file");
      case "0" -> withoutLog(expected);
      default -> kept(Safety.UNKNOWN, "Redis does not tell of an append-only file");
    };
  }

  private Finding withoutLog(Persistence expected) {
    return switch (expected) {
      case APPEND_ONLY_FILE ->
          kept(
              Safety.UNSAFE,
              "Redis keeps no append-only file: a restart forgets what was metered since the last"
                  + " snapshot, if there is one; set appendonly to yes, or say with"
                  + " tidegate.redis.persistence what is enough");
      case REPLICAS -> replicas();
      case SNAPSHOTS ->
          fields.getOrDefault("rdb_last_bgsave_status", "ok").equals("ok")
              ? kept(Safety.SAFE, "Redis keeps no append-only file; snapshots are to be enough")
              : kept(Safety.UNSAFE, "Redis could not write its last snapshot; look at its disk");
      case NONE -> kept(Safety.SAFE, "Redis keeps no append-only file, and nothing is asked of it");
    };
  }

  private Finding replicas() {
    return switch (fields.getOrDefault("connected_slaves", "")) {
      case "" -> kept(Safety.UNKNOWN, "Redis does not tell of replicas");
      case "0" ->
          kept(
              Safety.UNSAFE,
              "Redis has neither a replica nor an append-only file: what is stored is lost with it");
      default -> kept(Safety.SAFE, "Redis keeps no append-only file and has replicas");
    };
  }

  /**
   * Reads and scripts that only read go on in both states, so that nothing else shows them where
   * nobody writes.
   */
  private Finding writes() {
    return switch (fields.getOrDefault("role", "")) {
      case "" -> new Finding(Aspect.WRITES, Safety.UNKNOWN, "Redis does not tell its role");
      case "slave" ->
          new Finding(
              Aspect.WRITES,
              Safety.UNSAFE,
              "a replica takes no writes: reach its master, by its address or through sentinels");
      default ->
          isFull()
              ? new Finding(
                  Aspect.WRITES,
                  Safety.UNSAFE,
                  "Redis takes no writes, its memory is full (maxmemory is "
                      + number("maxmemory")
                      + " bytes): give it more")
              : new Finding(Aspect.WRITES, Safety.SAFE, "Redis takes writes");
    };
  }

  /** Where keys may be evicted there is always room for another one. */
  private boolean isFull() {
    return fields.getOrDefault("maxmemory_policy", "").equals("noeviction")
        && number("maxmemory") > 0
        && number("used_memory") >= number("maxmemory");
  }

  /** A number of bytes; 0 where it does not tell. */
  private long number(String field) {
    String value = fields.getOrDefault(field, "");
    return value.matches("[0-9]{1,18}") ? Long.parseLong(value) : 0;
  }

  private static Finding kept(Safety safety, String detail) {
    return new Finding(Aspect.PERSISTENCE, safety, detail);
  }

  /** What is found where the server refuses to tell. */
  static List<Finding> refused(String why) {
    return List.of(
        new Finding(Aspect.EVICTION, Safety.UNKNOWN, why),
        new Finding(Aspect.PERSISTENCE, Safety.UNKNOWN, why),
        new Finding(Aspect.WRITES, Safety.UNKNOWN, why));
  }
}
