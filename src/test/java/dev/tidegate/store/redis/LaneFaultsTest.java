package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.Calls.charge;
import static dev.tidegate.store.redis.Calls.read;
import static dev.tidegate.store.redis.Calls.reserve;
import static dev.tidegate.store.redis.Calls.settle;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static dev.tidegate.store.redis.SampleTerms.tokens;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.EmbeddedRedis;
import dev.tidegate.dev.FaultyWay;
import dev.tidegate.dev.Signals;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import dev.tidegate.store.redis.Calls.ScopeAt;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lanes and the runner on a Redis of their own that things happen to. */
class LaneFaultsTest {

  private static final Duration DEADLINE = Duration.ofMillis(400);

  /** What a call may take where the machine is busy with other things, too. */
  private static final Duration IN_TIME = DEADLINE.multipliedBy(6);

  private static final Duration RECOVERY = Duration.ofSeconds(30);
  static final ScopeAt ANN = now -> ann(1000L, now);

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private EmbeddedRedis redis;

  @SuppressWarnings("NullAway.Init")
  private FaultyWay way;

  @SuppressWarnings("NullAway.Init")
  private RedisFixture fixture;

  @BeforeEach
  void open() {
    redis = EmbeddedRedis.start(0, folder);
    way = FaultyWay.to(redis.port());
    fixture = RedisFixture.open("redis://127.0.0.1:" + way.port(), DEADLINE);
    warmUp();
  }

  @AfterEach
  void close() {
    fixture.abandon();
    way.close();
    redis.close();
  }

  /** The first calls of a process are slow, and Redis does not know the scripts yet. */
  private void warmUp() {
    charged(1);
    eventually(charge(ANN, tokens(1), RedisFixture.key("warm")));
    eventually(reserve(ANN, 90, 1));
    eventually(settle(ANN, 90, 1));
    fixture.fresh();
  }

  private void charged(long amount) {
    assertInstanceOf(Outcome.Charged.class, eventually(charge(ANN, amount)));
  }

  private <T> T eventually(Function<RedisFixture, T> call) {
    long end = System.nanoTime() + RECOVERY.toNanos();
    while (true) {
      try {
        return call.apply(fixture);
      } catch (StoreException away) {
        if (System.nanoTime() > end) {
          throw away;
        }
      }
    }
  }

  private String view() {
    return eventually(f -> ScriptRows.view(f, ANN.apply(f.now())));
  }

  /** What a call fails with, within the deadline. */
  private StoreException failing(Function<RedisFixture, Outcome> call) {
    long start = System.nanoTime();
    StoreException failed = assertThrows(StoreException.class, () -> call.apply(fixture));
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertTrue(took.compareTo(IN_TIME) < 0, () -> "it took " + took);
    assertTrue(failed.isTransient(), failed::getMessage);
    assertEquals(0, failed.getStackTrace().length);
    return failed;
  }

  /** Every call fails; the first of each lane may have been under way when the connection broke. */
  private void soonFailsAtOnce(Function<RedisFixture, Outcome> call) {
    long end = System.nanoTime() + RECOVERY.toNanos();
    while (failing(call).kind() != Kind.AWAY) {
      assertTrue(System.nanoTime() < end, "no lane has noticed that Redis is gone");
    }
  }

  /** How calls ended that were made at once: so many were answered, the others failed. */
  private static final class Ends {

    private final Map<Kind, Integer> failed = new EnumMap<>(Kind.class);
    private int answered;
    private String last = "";

    int failed(Kind kind) {
      return failed.getOrDefault(kind, 0);
    }
  }

  /** Sends so many INCR at once and waits until all have ended. */
  private void count(int calls, Ends ends) {
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int n = 0; n < calls; n++) {
      Request incr = Request.cmd(Command.INCR).arg("counter");
      all.add(fixture.lanes().send(incr).subscribeAsCompletionStage());
    }
    for (CompletableFuture<?> one : all) {
      try {
        one.join();
        ends.answered++;
      } catch (CompletionException failed) {
        StoreException why = assertInstanceOf(StoreException.class, failed.getCause());
        ends.failed.merge(why.kind(), 1, Integer::sum);
        ends.last = String.valueOf(why.getMessage());
      }
    }
  }

  @Test
  @DisplayName("H11: a Redis that is gone fails calls at once, and is found again when it is back")
  void gone() {
    charged(10);
    int port = redis.port();
    redis.kill();
    soonFailsAtOnce(charge(ANN, 1));
    soonFailsAtOnce(read(ANN));
    redis = EmbeddedRedis.start(port, folder);
    charged(5);
    assertEquals("5/0", view());
  }

  @Test
  @DisplayName("H11: when one lane finds Redis again, no other goes on waiting")
  void foundByOne() throws InterruptedException {
    charged(10);
    way.leadTo(1);
    redis.ask("CLIENT", "KILL", "TYPE", "normal");
    soonFailsAtOnce(charge(ANN, 1));
    // Six failures of each lane or more, so that the pauses are half a second and more.
    long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
    while (System.nanoTime() < end) {
      failing(charge(ANN, 1));
    }
    await("no lane is connecting", () -> fixture.lanes().use().opening() == 0);
    way.leadTo(redis.port());
    charged(5);
    for (int lane = 1; lane < RedisFixture.LANES; lane++) {
      assertInstanceOf(Outcome.Charged.class, charge(ANN, 5).apply(fixture));
    }
  }

  @Test
  @DisplayName("Law 26: what a paused Redis was not sent in time is never run")
  void paused() throws InterruptedException {
    Ends ends = new Ends();
    Signals.pause(redis.pid());
    try {
      do {
        long start = System.nanoTime();
        count(100, ends);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(took.compareTo(IN_TIME) < 0, () -> "it took " + took);
        Thread.sleep(20);
      } while (!ends.last.contains("connecting takes too long"));
    } finally {
      Signals.resume(redis.pid());
    }
    assertTrue(ends.failed(Kind.AWAY) > 1000, ends.failed::toString);
    assertTrue(ends.failed(Kind.UNANSWERED) > 0, ends.failed::toString);
    long counted = eventually(f -> number(f, Command.INCR, "counter")) - 1;
    assertTrue(
        counted <= ends.answered + ends.failed(Kind.UNANSWERED), counted + " of " + ends.failed);
    charged(7);
    assertEquals("7/0", view());
  }

  private static long number(RedisFixture f, Command command, String key) {
    return Long.parseLong(f.text(command, key));
  }

  @Test
  @DisplayName("Law 26: of more commands than a lane may have under way, the rest is refused")
  void full() {
    Ends ends = new Ends();
    Signals.pause(redis.pid());
    try {
      count(3 * Lane.MAX_UNDER_WAY, ends);
      assertTrue(ends.failed(Kind.REFUSED) >= Lane.MAX_UNDER_WAY, ends.failed::toString);
    } finally {
      Signals.resume(redis.pid());
    }
    charged(7);
  }

  @Test
  @DisplayName("Law 26: a slow Redis is survived as a dead one is")
  void slow() {
    charged(10);
    way.delay(Duration.ofMillis(1500));
    failing(charge(ANN, 1));
    failing(charge(ANN, 1));
    failing(charge(ANN, 1));
    way.delay(Duration.ZERO);
    charged(100);
    String view = view();
    assertTrue(view.matches("11[0-3]/0"), view);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({"charge, false", "charge, true", "reserve, false", "reserve, true"})
  @DisplayName("H9: the connection breaks behind the script; only with a key is it sent again")
  void cut(String call, boolean keyed) {
    var key = keyed ? RedisFixture.key("once") : null;
    Function<RedisFixture, Outcome> sent =
        call.equals("charge")
            ? charge(ANN, tokens(40), key)
            : reserve(ANN, 1, tokens(40), Duration.ofMinutes(1), false, key);
    int before = way.cuts();
    way.cut(1);
    if (keyed) {
      eventually(sent);
    } else {
      assertEquals(Kind.UNANSWERED, failing(sent).kind());
    }
    assertEquals(1, way.cuts() - before);
    assertEquals(call.equals("charge") ? "40/0" : "0/40", view());
    if (keyed) {
      eventually(sent);
      assertEquals(call.equals("charge") ? "40/0" : "0/40", view());
    }
  }

  @Test
  @DisplayName("Law 11: a settlement whose answer was lost is sent again, and charges once")
  void settlementIsCut() {
    eventually(reserve(ANN, 1, 100));
    way.cut(1);
    assertInstanceOf(Outcome.Settled.class, eventually(settle(ANN, 1, 30)));
    assertEquals("30/0", view());
  }

  @Test
  @DisplayName("Law 27: a call that finds Redis busy with a script waits for it and runs once")
  void busy() throws Exception {
    try (RedisFixture patient =
            RedisFixture.open("redis://127.0.0.1:" + way.port(), Duration.ofSeconds(20));
        RedisFixture other = RedisFixture.open(redis.url(), Duration.ofSeconds(60));
        // Not the pool that all share: where it has one thread, the pause before the next attempt
        // would wait for the thread that waits for the call.
        ExecutorService own = Executors.newVirtualThreadPerTaskExecutor()) {
      patient.send(Command.CONFIG, "SET", "lua-time-limit", "5");
      patient.send(Command.PING);
      Request endless = Request.cmd(Command.EVAL).arg("while true do end").arg(0);
      CompletableFuture<?> loop = other.lanes().send(endless).subscribeAsCompletionStage();
      await("Redis is busy", () -> isBusy(patient));
      long before = patient.lanes().trips();
      CompletableFuture<Outcome> call =
          CompletableFuture.supplyAsync(() -> charge(ANN, 40).apply(patient), own);
      await("the call is sent again", () -> patient.lanes().trips() > before + 1);
      patient.send(Command.SCRIPT, "KILL");
      assertInstanceOf(Outcome.Charged.class, call.join());
      assertTrue(loop.handle((done, failed) -> failed != null).join());
      assertEquals("40/0", ScriptRows.view(patient, ANN.apply(patient.now())));
    }
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + RECOVERY.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, what);
      Thread.sleep(5);
    }
  }

  private static boolean isBusy(RedisFixture patient) {
    try {
      patient.send(Command.GET, "any");
      return false;
    } catch (IllegalStateException busy) {
      return String.valueOf(busy.getMessage()).contains("BUSY");
    }
  }

  @Test
  @DisplayName("Law 27: a master that became a replica refuses, with nothing done")
  void replica() {
    charged(10);
    fixture.send(Command.REPLICAOF, "127.0.0.1", "1");
    assertNotEquals(Kind.UNANSWERED, failing(charge(ANN, 40)).kind());
    eventually(f -> f.text(Command.REPLICAOF, "NO", "ONE"));
    assertEquals("10/0", view());
    charged(5);
    assertEquals("15/0", view());
  }

  @Test
  @DisplayName("Law 26: a Redis that is out of memory refuses, with nothing done")
  void outOfMemory() {
    charged(10);
    fixture.send(Command.CONFIG, "SET", "maxmemory", "1");
    assertEquals(Kind.REFUSED, failing(charge(ANN, 40)).kind());
    fixture.send(Command.CONFIG, "SET", "maxmemory", "0");
    assertEquals("10/0", view());
  }
}
