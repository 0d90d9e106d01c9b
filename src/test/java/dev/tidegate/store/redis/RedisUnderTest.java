package dev.tidegate.store.redis;

import dev.tidegate.dev.EmbeddedRedisResource;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.GrantStore;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.StoreClock;
import dev.tidegate.store.StoreUnderTest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/** The store in Redis, each with keys of its own on the server that all tests share. */
public final class RedisUnderTest implements StoreUnderTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final AtomicLong STORES = new AtomicLong();

  /** Closed periods are kept as long as the tests look at them. */
  private static final int HISTORY_KEPT = 100_000;

  private static final Duration AUDIT_KEPT = Duration.ofDays(400);
  private static final int AUDIT_EVENTS = 10_000;

  private final StoreClock clock = new StoreClock();
  private final Keys keys;
  private final ScriptRunner scripts;
  private final List<MeteringStore> stores;
  private final List<GrantStore> grants;

  /** Which of the versions a call goes to. */
  private final Random turns = new Random(1);

  private RedisUnderTest(RedisBackend backend, ScriptCatalogue... versions) {
    keys = new Keys("test-%d-%d".formatted(System.nanoTime(), STORES.incrementAndGet()));
    List<ScriptRunner> runners =
        Stream.of(versions)
            .map(version -> new ScriptRunner(backend.way(), version, Shared.METERS))
            .toList();
    scripts = runners.getFirst();
    stores = runners.stream().map(this::storeOf).toList();
    grants = runners.stream().map(this::grantsOf).toList();
  }

  private MeteringStore storeOf(ScriptRunner runner) {
    return new RedisMeteringStore(runner, keys, clock, HISTORY_KEPT, lapses -> {});
  }

  private GrantStore grantsOf(ScriptRunner runner) {
    return new RedisGrantStore(
        runner,
        new GrantScripts(runner, Copies.NONE),
        keys,
        clock,
        HISTORY_KEPT,
        new Retention(AUDIT_KEPT, AUDIT_EVENTS),
        lapses -> {});
  }

  /** One way for all, opened on first use. */
  private static final class Shared {

    static final RedisBackend BACKEND = RedisBackend.standalone(EmbeddedRedisResource.url());
    static final ScriptCatalogue SCRIPTS = ScriptCatalogue.load();
    static final RedisMeters METERS = new RedisMeters(new SimpleMeterRegistry());
  }

  /** An empty store with the scripts of the service. */
  public static RedisUnderTest open() {
    return open(Shared.BACKEND);
  }

  /** An empty store with the scripts of the service, on another server. */
  public static RedisUnderTest open(RedisBackend backend) {
    return new RedisUnderTest(backend, Shared.SCRIPTS);
  }

  /**
   * An empty store with changed scripts.
   *
   * @param change from the name of a command's file and its expanded text to the text to use
   */
  public static RedisUnderTest open(BinaryOperator<String> change) {
    return new RedisUnderTest(Shared.BACKEND, ScriptCatalogue.load(change));
  }

  /**
   * An empty store that two versions of the service work on, call by call either of them: one with
   * the scripts of the service and one with changed scripts.
   *
   * @param change from the name of a command's file and its expanded text to the text to use
   */
  public static RedisUnderTest rolling(BinaryOperator<String> change) {
    return new RedisUnderTest(Shared.BACKEND, Shared.SCRIPTS, ScriptCatalogue.load(change));
  }

  @Override
  public MeteringStore store() {
    return next(stores);
  }

  @Override
  public GrantStore grants() {
    return next(grants);
  }

  private <T> T next(List<T> versions) {
    return versions.get(turns.nextInt(versions.size()));
  }

  @Override
  public void setClock(long nowMillis) {
    clock.pin(Instant.ofEpochMilli(nowMillis));
  }

  @Override
  public void setRecordVersion(SubjectId root, SubjectId subject, long version) {
    send(
        Request.cmd(Command.HSET)
            .arg(keys.subject(root, subject))
            .arg("v")
            .arg(Long.toString(version)));
  }

  /** Makes Redis forget every script. */
  @Override
  public void disturb() {
    send(Request.cmd(Command.SCRIPT).arg("FLUSH"));
  }

  /** How many bytes of memory its keys take. */
  public long bytes() {
    long sum = 0;
    Response all = send(Request.cmd(Command.KEYS).arg(keys.base() + "*"));
    for (Response key : all) {
      sum += send(Request.cmd(Command.MEMORY).arg("USAGE").arg(key.toString())).toLong();
    }
    return sum;
  }

  private Response send(Request request) {
    Response response = scripts.send(request).await().atMost(PATIENCE);
    if (response == null) {
      throw new IllegalStateException("no answer to " + request);
    }
    return response;
  }
}
