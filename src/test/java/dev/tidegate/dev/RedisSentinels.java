package dev.tidegate.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A master, a replica and three sentinels that watch them under the name {@code tide}. */
public final class RedisSentinels implements AutoCloseable {

  /** What the sentinels call the master. */
  public static final String NAME = "tide";

  private static final int SENTINELS = 3;
  private static final int QUORUM = 2;

  private final SystemRedis master;
  private final List<SystemRedis> all = new ArrayList<>();
  private final List<SystemRedis> sentinels = new ArrayList<>();

  private RedisSentinels(SystemRedis master) {
    this.master = master;
    all.add(master);
  }

  /**
   * Starts them and waits until the sentinels know each other and the replica.
   *
   * @param folder where data and logs lie
   */
  public static RedisSentinels start(Path folder) {
    RedisSentinels set =
        new RedisSentinels(SystemRedis.start(0, folder.resolve("master"), "--save", ""));
    try {
      set.complete(folder);
      return set;
    } catch (RuntimeException | Error failed) {
      set.close();
      throw failed;
    }
  }

  private void complete(Path folder) {
    String port = "" + master.port();
    SystemRedis replica =
        SystemRedis.start(
            0, folder.resolve("replica"), "--save", "", "--replicaof", RedisServer.HOST, port);
    all.add(replica);
    RedisCluster.await(
        "the replica follows",
        () -> replica.ask("INFO", "replication").contains("master_link_status:up"));
    for (int n = 0; n < SENTINELS; n++) {
      Path own = folder.resolve("sentinel-" + n);
      SystemRedis sentinel = SystemRedis.start(0, own, settings(own).toString(), "--sentinel");
      sentinels.add(sentinel);
      all.add(sentinel);
    }
    RedisCluster.await(
        "the sentinels know each other", () -> sentinels.stream().allMatch(this::knowsAll));
  }

  private Path settings(Path folder) {
    try {
      Files.createDirectories(folder);
      return Files.write(
          folder.resolve("sentinel.conf"),
          List.of(
              "sentinel monitor %s %s %d %d"
                  .formatted(NAME, RedisServer.HOST, master.port(), QUORUM),
              "sentinel down-after-milliseconds %s 500".formatted(NAME),
              "sentinel failover-timeout %s 5000".formatted(NAME)));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private boolean knowsAll(SystemRedis sentinel) {
    String known = sentinel.ask("SENTINEL", "MASTER", NAME);
    return known.contains("num-slaves, 1,")
        && known.contains("num-other-sentinels, " + (SENTINELS - 1) + ",");
  }

  /** The server that was the master at the start. */
  public SystemRedis master() {
    return master;
  }

  /** The sentinels. */
  public List<SystemRedis> sentinels() {
    return sentinels;
  }

  /** The addresses of the sentinels, as {@code redis://host:port}. */
  public List<String> urls() {
    return sentinels.stream().map(SystemRedis::url).toList();
  }

  @Override
  public void close() {
    all.forEach(SystemRedis::kill);
  }
}
