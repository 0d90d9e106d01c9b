package dev.tidegate.store.redis;

import dev.tidegate.dev.EmbeddedRedisResource;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.GrantStore;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.StoreClock;
import dev.tidegate.store.StoreUnderTest;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BinaryOperator;

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
  private final MeteringStore store;
  private final GrantStore grants;

  private RedisUnderTest(RedisBackend backend, ScriptCatalogue catalogue) {
    keys = new Keys("test-%d-%d".formatted(System.nanoTime(), STORES.incrementAndGet()));
    scripts = new ScriptRunner(backend.way(), catalogue);
    store = new RedisMeteringStore(scripts, keys, clock, HISTORY_KEPT, lapses -> {});
    grants =
        new RedisGrantStore(
            scripts, keys, clock, HISTORY_KEPT, new Retention(AUDIT_KEPT, AUDIT_EVENTS));
  }

  /** One way for all, opened on first use. */
  private static final class Shared {

    static final RedisBackend BACKEND = RedisBackend.standalone(EmbeddedRedisResource.url());
    static final ScriptCatalogue SCRIPTS = ScriptCatalogue.load();
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

  @Override
  public MeteringStore store() {
    return store;
  }

  @Override
  public GrantStore grants() {
    return grants;
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
