package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.RedisFixture.get;
import static dev.tidegate.store.redis.RedisFixture.key;
import static dev.tidegate.store.redis.SampleTerms.MINUTE;
import static dev.tidegate.store.redis.SampleTerms.annInTeam;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.SystemRedis;
import dev.tidegate.domain.Amounts;
import dev.tidegate.store.Grant;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Scope;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import io.vertx.redis.client.Command;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Grants that wait for a replica: a real one, which can be made to stand still. */
class GrantCopiesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Copies ONE = new Copies(1, false, Duration.ofSeconds(20));
  private static final Copies ONE_AT_ONCE = new Copies(1, false, Duration.ofMillis(300));
  private static final int BOUGHT = 50;

  @TempDir Path folder;

  private SystemRedis master;
  private SystemRedis replica;
  private RedisFixture fixture;

  @BeforeEach
  void start() {
    Path data = folder.resolve("master");
    master = SystemRedis.start(0, data, "--appendonly", "yes", "--repl-diskless-sync-delay", "0");
    replica =
        SystemRedis.start(
            0, folder.resolve("replica"), "--replicaof", "127.0.0.1 " + master.port());
    fixture = RedisFixture.open(master.url(), PATIENCE);
    Scope scope = scope();
    fixture.register(scope.root(), scope.subject().subject(), 1);
    fixture.register(scope.root(), scope.root(), 1);
    assertEquals("1", fixture.text(Command.WAIT, 1, PATIENCE.toMillis()), "the replica follows");
  }

  @AfterEach
  void stop() {
    fixture.abandon();
    replica.kill();
    master.kill();
  }

  private Scope scope() {
    return annInTeam(1000L, 2000L, fixture.now());
  }

  private Outcome.Granting buy(@Nullable IdempotencyKey key, @Nullable Long ifVersion) {
    Grant grant = new Grant("olga", "operator", ifVersion, null, key);
    return get(fixture.grants().purchase(scope(), Amounts.of("daily", BOUGHT), grant));
  }

  private void assertUnconfirmed(@Nullable IdempotencyKey key) {
    StoreException failure = assertThrows(StoreException.class, () -> buy(key, null));
    assertEquals(Kind.UNCONFIRMED, failure.kind(), failure::toString);
  }

  /** What was topped up, as the master has it. */
  private long topup() {
    Outcome.Quota read = assertInstanceOf(Outcome.Quota.class, get(fixture.store().read(scope())));
    return read.state().levels().getFirst().limits().getFirst().topup();
  }

  @Test
  @DisplayName("A grant that the replica has is answered")
  void confirmed() {
    fixture.await(ONE);
    assertInstanceOf(Outcome.ToppedUp.class, buy(key("a"), null));
    assertInstanceOf(Outcome.ToppedUp.class, buy(null, null));
    String trail = fixture.keys().audit(scope().root(), scope().subject().subject());
    assertEquals("2", replica.ask("XLEN", trail));
  }

  @Test
  @DisplayName("One that the replica has not is told so; it counts, and a repetition never twice")
  void unconfirmed() {
    fixture.await(ONE_AT_ONCE);
    replica.pause();
    assertUnconfirmed(key("a"));
    assertEquals(BOUGHT, topup());
    assertUnconfirmed(key("a"));
    assertUnconfirmed(key("a"));
    replica.resume();

    fixture.await(ONE);
    Outcome.ToppedUp first = assertInstanceOf(Outcome.ToppedUp.class, buy(key("a"), null));
    assertTrue(first.replayed());
    assertEquals(BOUGHT, topup());
  }

  @Test
  @DisplayName("A replay writes something, since WAIT may tell of nothing else")
  void replayIsWrittenAgain() {
    fixture.await(ONE);
    buy(key("a"), null);
    Scope scope = scope();
    String record =
        fixture
            .keys()
            .idempotency(
                scope.root(), scope.subject().subject(), scope.subject().incarnation(), "a");
    fixture.send(Command.PEXPIRE, record, MINUTE.toMillis());
    assertTrue(assertInstanceOf(Outcome.ToppedUp.class, buy(key("a"), null)).replayed());
    assertTrue(Long.parseLong(fixture.text(Command.PTTL, record)) > MINUTE.toMillis());
  }

  @Test
  @DisplayName("Without a key, too, it counts and is told so")
  void unconfirmedWithoutKey() {
    fixture.await(ONE_AT_ONCE);
    replica.pause();
    assertUnconfirmed(null);
    assertEquals(BOUGHT, topup());
    replica.resume();
  }

  @Test
  @DisplayName("A refusal waits for nobody")
  void refused() {
    fixture.await(new Copies(1, false, Duration.ofMinutes(10)));
    replica.pause();
    assertInstanceOf(Outcome.VersionConflict.class, buy(null, 7L));
    replica.resume();
  }

  @Test
  @DisplayName("The record of a repeated key lives no longer than it says itself")
  void keptNoLonger() {
    fixture.await(ONE);
    buy(key("a"), null);
    fixture.at(fixture.now().plus(Duration.ofDays(2)));
    assertTrue(assertInstanceOf(Outcome.ToppedUp.class, buy(key("a"), null)).replayed());
    fixture.at(fixture.now().plus(Duration.ofDays(2)));
    assertFalse(assertInstanceOf(Outcome.ToppedUp.class, buy(key("a"), null)).replayed());
  }

  @Test
  @DisplayName("WAITAOF is refused at once where Redis has none, or no append-only file")
  void diskIsImpossible() {
    Copies onDisk = new Copies(0, true, Duration.ofSeconds(1));
    String had = said(onDisk, "redis_version:7.0.15\r\naof_enabled:1\r\n");
    assertTrue(had.contains("7.2") && had.contains("7.0.15"), had);
    assertTrue(
        said(onDisk, "redis_version:7.2.4\r\nvalkey_version:8.0.1\r\naof_enabled:0\r\n")
            .contains("appendonly"));
    assertEquals("", said(onDisk, "redis_version:7.2.4\r\naof_enabled:1\r\n"));
    assertEquals("", said(onDisk, "redis_version:8.0.0\r\n"));
    assertEquals("", said(ONE, "redis_version:6.2.1\r\naof_enabled:0\r\n"));
  }

  private static String said(Copies copies, String info) {
    return copies.impossibleOn(ServerInfo.parse(info)).orElse("");
  }

  @Test
  @DisplayName("A service that wants what its Redis has not does not get to work, and says why")
  void conditionFails() {
    fixture.await(new Copies(0, true, Duration.ofSeconds(1)));
    boolean has = ServerInfo.parse(fixture.text(Command.INFO)).isAtLeast(7, 2);
    if (has) {
      assertInstanceOf(Outcome.ToppedUp.class, buy(key("a"), null));
      assertTrue(get(fixture.health().condition()).concerns().isEmpty());
    } else {
      StoreException failure =
          assertThrows(StoreException.class, () -> get(fixture.health().condition()));
      assertTrue(failure.toString().contains("WAITAOF"), failure::toString);
      assertUnconfirmed(key("a"));
    }
  }
}
