package dev.tidegate.store.redis;

import dev.tidegate.config.TidegateSettings.Persistence;
import dev.tidegate.dev.EmbeddedRedisResource;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Scope;
import dev.tidegate.store.StoreClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The adapter as the service builds it, on a real server, with a clock that stands where it is set.
 */
final class RedisFixture implements AutoCloseable {

  /** Where the clock stands at first: a Wednesday morning. */
  static final Instant NOW = Instant.parse("2026-10-14T10:00:00Z");

  static final int HISTORY_KEPT = 12;
  static final Duration AUDIT_KEPT = Duration.ofDays(400);
  static final int AUDIT_EVENTS = 20;

  private static final Duration DEADLINE = Duration.ofSeconds(30);
  static final int LANES = 2;

  private final Vertx vertx = Vertx.vertx();
  private final RedisLanes lanes;
  private final ScriptRunner scripts;
  private final AtomicLong swept = new AtomicLong();
  private final RedisMeters meters = new RedisMeters(new SimpleMeterRegistry());
  private Copies copies = Copies.NONE;
  private StoreClock clock = new StoreClock();
  private String prefix = "";
  private Keys keys = new Keys("");
  private @Nullable RedisMeteringStore store;
  private @Nullable RedisGrantStore grants;
  private int tokens;

  private RedisFixture(String url, ScriptCatalogue catalogue) {
    this(url, catalogue, DEADLINE);
  }

  private RedisFixture(String url, ScriptCatalogue catalogue, Duration deadline) {
    RedisOptions options = LaneClients.laneOptions(new RedisOptions().setConnectionString(url));
    lanes = new RedisLanes(vertx, () -> Redis.createClient(vertx, options), LANES, deadline);
    scripts = new ScriptRunner(lanes, catalogue, meters);
    fresh();
  }

  /** Opens the adapter on the Redis that all tests share. */
  static RedisFixture open() {
    return open(ScriptCatalogue.load());
  }

  static RedisFixture open(ScriptCatalogue catalogue) {
    return new RedisFixture(EmbeddedRedisResource.url(), catalogue);
  }

  /** Opens it on another Redis, which may not answer. */
  static RedisFixture open(String url, Duration deadline) {
    return new RedisFixture(url, ScriptCatalogue.load(), deadline);
  }

  /** Opens it as another user of that Redis. */
  static RedisFixture open(String user, String password) {
    String url =
        EmbeddedRedisResource.url().replace("redis://", "redis://" + user + ":" + password + "@");
    return new RedisFixture(url, ScriptCatalogue.load());
  }

  /** Starts over: no keys, and the clock at {@link #NOW}. */
  void fresh() {
    share("t" + UUID.randomUUID().toString().substring(0, 8));
  }

  /** Uses the keys with that prefix, which another fixture may have written. */
  void share(String newPrefix) {
    prefix = newPrefix;
    keys = new Keys(prefix);
    clock = new StoreClock();
    clock.pin(NOW);
    store = new RedisMeteringStore(scripts, keys, clock, HISTORY_KEPT, swept::addAndGet);
    grants =
        new RedisGrantStore(
            scripts,
            new GrantScripts(scripts, copies),
            keys,
            clock,
            HISTORY_KEPT,
            new Retention(AUDIT_KEPT, AUDIT_EVENTS),
            swept::addAndGet);
    swept.set(0);
  }

  /** Has grants wait for copies from now on. */
  void await(Copies wanted) {
    copies = wanted;
    share(prefix);
  }

  String prefix() {
    return prefix;
  }

  RedisMeteringStore store() {
    if (store == null) {
      throw new IllegalStateException("not open");
    }
    return store;
  }

  RedisGrantStore grants() {
    if (grants == null) {
      throw new IllegalStateException("not open");
    }
    return grants;
  }

  /** What is configured, as a process that is told of no changes sees it. */
  RedisConfigurationStore configuration() {
    return new RedisConfigurationStore(
        scripts,
        keys,
        clock,
        new Retention(AUDIT_KEPT, AUDIT_EVENTS),
        Multi.createFrom().nothing());
  }

  /** How the server is. */
  RedisHealth health() {
    return new RedisHealth(scripts, keys, clock, copies, Persistence.APPEND_ONLY_FILE);
  }

  /** Who changed it. */
  RedisConfigurationTrail trail() {
    return new RedisConfigurationTrail(
        scripts, keys, clock, new Retention(AUDIT_KEPT, AUDIT_EVENTS));
  }

  ScriptRunner scripts() {
    return scripts;
  }

  Keys keys() {
    return keys;
  }

  RedisLanes lanes() {
    return lanes;
  }

  /** Lapsed leases that calls came upon since {@link #fresh}. */
  long swept() {
    return swept.get();
  }

  Instant now() {
    return clock.now();
  }

  /** Sets the clock, forward or back. */
  void at(Instant instant) {
    clock.pin(instant);
  }

  /** Lets the clock of Redis decide. */
  void atRedisTime() {
    clock.unpin();
  }

  StoreClock clock() {
    return clock;
  }

  /** Another id in the slot of {@code root}. */
  ReservationId newId(SubjectId root) {
    tokens++;
    return new ReservationId("token%011d".formatted(tokens), root);
  }

  static IdempotencyKey key(String value) {
    return new IdempotencyKey(value, "fingerprint-of-" + value);
  }

  static <T> T get(Uni<T> uni) {
    try {
      return uni.subscribeAsCompletionStage().get(60, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(failed.getCause());
    } catch (TimeoutException late) {
      throw new IllegalStateException(late);
    }
  }

  /** Sends one command; null where Redis answers with nothing. */
  @Nullable Response send(Command command, Object... arguments) {
    Request request = Request.cmd(command);
    for (Object argument : arguments) {
      request.arg(argument.toString());
    }
    return get(lanes.send(request));
  }

  /** The text of an answer, or the empty text for none. */
  String text(Command command, Object... arguments) {
    Response response = send(command, arguments);
    return response == null ? "" : response.toString();
  }

  /** Runs a few lines of Lua with the fragments that they need, in the order given. */
  @Nullable Response eval(String lua, List<String> fragments, String... arguments) {
    StringBuilder text = new StringBuilder();
    fragments.forEach(fragment -> text.append(LuaSources.fragment(fragment)));
    List<Object> all = new ArrayList<>(List.of(text + lua, 1, prefix + ":eval"));
    all.addAll(List.of(arguments));
    return send(Command.EVAL, all.toArray());
  }

  /**
   * A key as it is stored.
   *
   * @param dump what DUMP says, in hexadecimal
   * @param ttlMillis what PTTL says; -1 = it never expires
   */
  record Stored(String dump, long ttlMillis) {}

  /** Every key and what it holds, however long it lives. */
  SortedMap<String, String> contents() {
    SortedMap<String, String> contents = new TreeMap<>();
    snapshot().forEach((key, stored) -> contents.put(key, stored.dump()));
    return contents;
  }

  /** Every key of this fixture. */
  SortedMap<String, Stored> snapshot() {
    SortedMap<String, Stored> all = new TreeMap<>();
    Response found = send(Command.KEYS, prefix + ":*");
    if (found != null) {
      for (Response key : found) {
        Response dump = send(Command.DUMP, key);
        Response ttl = send(Command.PTTL, key);
        if (dump != null && ttl != null) {
          byte[] bytes = dump.toBytes();
          all.put(key.toString(), new Stored(HexFormat.of().formatHex(bytes), ttl.toLong()));
        }
      }
    }
    return all;
  }

  /** The key of one part of the first level: {@code state}, {@code leases}, {@code usage}... */
  String keyOf(Scope scope, String part) {
    int at = List.of("subject", "state", "leases", "history", "resources", "usage").indexOf(part);
    return keys.ofLevel(scope.root(), scope.subject(), scope.resource()).get(at);
  }

  /** Registers a subject with that version, as far as the scripts look at it. */
  void register(SubjectId root, SubjectId subject, long version) {
    send(Command.HSET, keys.subject(root, subject), "v", version);
  }

  /** Closes it and leaves what it has written. */
  void abandon() {
    get(Uni.createFrom().completionStage(vertx.close().toCompletionStage()));
  }

  @Override
  public void close() {
    Response left = send(Command.KEYS, prefix + ":*");
    if (left != null && left.size() > 0) {
      left.forEach(key -> send(Command.UNLINK, key));
    }
    abandon();
  }
}
