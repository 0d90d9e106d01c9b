package dev.tidegate.dev;

import static dev.tidegate.dev.RedisServer.HOST;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Redis Cluster of {@code redis-server} processes that share all slots. */
public final class RedisCluster implements AutoCloseable {

  /** The slots of a cluster. */
  public static final int SLOTS = 16_384;

  /** After how long without an answer a node is taken for dead. */
  private static final int NODE_TIMEOUT_MILLIS = 1_000;

  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final long PAUSE_MILLIS = 50;

  private final List<Node> masters = new ArrayList<>();
  private final List<Node> replicas = new ArrayList<>();

  private RedisCluster() {}

  /**
   * A member.
   *
   * @param busPort where the members talk to each other
   * @param id its name in the cluster
   */
  public record Node(SystemRedis server, int busPort, String id) {

    /** Sends it one command. */
    public String ask(String... command) {
      return server.ask(command);
    }
  }

  /**
   * Starts a cluster and waits until every member takes calls.
   *
   * @param masters how many, at least 3 where one is to fail over
   * @param replicasEach how many replicas each master has
   * @param folder where data and logs lie
   * @param options further arguments for every server, as on the command line
   */
  public static RedisCluster start(int masters, int replicasEach, Path folder, String... options) {
    RedisCluster cluster = new RedisCluster();
    try {
      for (int n = 0; n < masters; n++) {
        cluster.masters.add(node(folder.resolve("master-" + n), options));
      }
      for (int n = 0; n < masters * replicasEach; n++) {
        cluster.replicas.add(node(folder.resolve("replica-" + n), options));
      }
      cluster.form();
      return cluster;
    } catch (RuntimeException | Error failed) {
      cluster.close();
      throw failed;
    }
  }

  private static Node node(Path folder, String... options) {
    try {
      int busPort = RedisServer.freePort();
      List<String> all = new ArrayList<>(List.of("--cluster-enabled", "yes"));
      all.addAll(List.of("--cluster-port", "" + busPort));
      all.addAll(List.of("--cluster-node-timeout", "" + NODE_TIMEOUT_MILLIS));
      all.addAll(options.length == 0 ? List.of("--save", "") : List.of(options));
      SystemRedis server = SystemRedis.start(0, folder, all.toArray(String[]::new));
      return new Node(server, busPort, server.ask("CLUSTER", "MYID"));
    } catch (IOException noPort) {
      throw new UncheckedIOException(noPort);
    }
  }

  /** Shares the slots, then makes the members known to each other, as redis-cli does. */
  private void form() {
    for (int n = 0; n < masters.size(); n++) {
      int from = SLOTS * n / masters.size();
      int to = SLOTS * (n + 1) / masters.size() - 1;
      masters.get(n).ask("CLUSTER", "ADDSLOTSRANGE", "" + from, "" + to);
      masters.get(n).ask("CLUSTER", "SET-CONFIG-EPOCH", "" + (n + 1));
    }
    Node first = masters.getFirst();
    for (Node node : nodes()) {
      if (!node.equals(first)) {
        first.ask("CLUSTER", "MEET", HOST, "" + node.server.port(), "" + node.busPort);
      }
    }
    await("every member knows every other", () -> nodes().stream().allMatch(this::knowsAll));
    for (int n = 0; n < replicas.size(); n++) {
      replicas.get(n).ask("CLUSTER", "REPLICATE", masters.get(n % masters.size()).id);
    }
    await("every replica follows", () -> replicas.stream().allMatch(RedisCluster::follows));
    await("every member takes calls", () -> nodes().stream().allMatch(this::takesCalls));
  }

  private boolean knowsAll(Node node) {
    String known = node.ask("CLUSTER", "NODES");
    return nodes().stream().allMatch(other -> known.contains(other.id))
        && !known.contains("handshake");
  }

  private static boolean follows(Node replica) {
    return replica.ask("INFO", "replication").contains("master_link_status:up");
  }

  private boolean takesCalls(Node node) {
    String info = node.ask("CLUSTER", "INFO");
    return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:" + SLOTS);
  }

  /** Waits until something holds of the cluster. */
  public static void await(String what, BooleanSupplier holds) {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("in vain waited until " + what);
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(interrupted);
      }
    }
  }

  /** The servers that had slots at the start. */
  public List<Node> masters() {
    return masters;
  }

  /** The servers that followed a master at the start. */
  public List<Node> replicas() {
    return replicas;
  }

  /** All members. */
  public List<Node> nodes() {
    return Stream.concat(masters.stream(), replicas.stream()).toList();
  }

  /** The addresses of the masters, as {@code redis://host:port}. */
  public List<String> urls() {
    return masters.stream().map(master -> master.server.url()).toList();
  }

  /** The same, with a comma between, as the setting {@code quarkus.redis.hosts} takes them. */
  public String hosts() {
    return String.join(",", urls());
  }

  /** The slot of a key, as Redis computes it. */
  public int slotOf(String key) {
    Node any = nodes().stream().filter(node -> node.server.isAlive()).findFirst().orElseThrow();
    return Integer.parseInt(any.ask("CLUSTER", "KEYSLOT", key));
  }

  /**
   * Waits until a replica of this member has all that was written to it before.
   *
   * @param key of a slot of the member
   */
  public static void awaitReplica(RedisServer master, String key) {
    try (RespConnection connection = master.connect()) {
      // WAIT is about the writes of its own connection, which come after all others.
      connection.send("SET", key, "replicated");
      String replicas = connection.text("WAIT", "1", "" + DEADLINE.toMillis());
      if (!replicas.equals("1")) {
        throw new IllegalStateException("no replica has what was written");
      }
    }
  }

  /** How often members have answered with an error of that name. */
  public long errors(String name) {
    Pattern count = Pattern.compile("errorstat_" + name + ":count=(\\d+)");
    return nodes().stream()
        .flatMap(node -> count.matcher(node.ask("INFO", "errorstats")).results())
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }

  /** The member that answers for a slot now. */
  public Node ownerOf(int slot) {
    return nodes().stream()
        .filter(node -> node.server.isAlive() && owns(node, slot, node))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("nobody owns the slot " + slot));
  }

  /**
   * Whether a member owns a slot, as {@code witness} knows it. A line is an id, address, flags,
   * master, two times, epoch, link and the slots that it owns.
   */
  private static boolean owns(Node member, int slot, Node witness) {
    return witness
        .ask("CLUSTER", "NODES")
        .lines()
        .filter(line -> line.startsWith(member.id) && line.contains("master"))
        .flatMap(line -> Stream.of(line.split(" ", -1)).skip(8))
        .filter(range -> !range.startsWith("["))
        .map(range -> range.split("-", -1))
        .anyMatch(
            range ->
                Integer.parseInt(range[0]) <= slot
                    && slot <= Integer.parseInt(range[range.length - 1]));
  }

  /**
   * Moves one slot with its keys, one key at a time, as {@code redis-cli --cluster reshard} does,
   * and waits until every member knows: what one says late could take another slot back from one
   * that has not heard of the change.
   */
  public void move(int slot, Node from, Node to) {
    try (RespConnection source = from.server.connect();
        RespConnection target = to.server.connect()) {
      target.send("CLUSTER", "SETSLOT", "" + slot, "IMPORTING", from.id);
      source.send("CLUSTER", "SETSLOT", "" + slot, "MIGRATING", to.id);
      List<?> keys = keysIn(slot, source);
      while (!keys.isEmpty()) {
        for (Object key : keys) {
          String port = "" + to.server.port();
          source.send("MIGRATE", HOST, port, String.valueOf(key), "0", "10000");
        }
        keys = keysIn(slot, source);
      }
      target.send("CLUSTER", "SETSLOT", "" + slot, "NODE", to.id);
      source.send("CLUSTER", "SETSLOT", "" + slot, "NODE", to.id);
    }
    await(
        "every member knows where the slot is",
        () ->
            nodes().stream()
                .filter(node -> node.server.isAlive())
                .allMatch(node -> owns(to, slot, node)));
  }

  private static List<?> keysIn(int slot, RespConnection node) {
    Object keys = node.send("CLUSTER", "GETKEYSINSLOT", "" + slot, "100");
    return keys instanceof List<?> found ? found : List.of();
  }

  /** Makes every server forget its scripts. */
  public void flushScripts() {
    masters.forEach(master -> master.ask("SCRIPT", "FLUSH"));
  }

  @Override
  public String toString() {
    return nodes().stream().map(node -> node.server.url()).collect(Collectors.joining(" "));
  }

  @Override
  public void close() {
    nodes().stream().filter(Objects::nonNull).forEach(node -> node.server.kill());
  }
}
