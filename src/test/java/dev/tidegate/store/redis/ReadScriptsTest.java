package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.Calls.after;
import static dev.tidegate.store.redis.Calls.at;
import static dev.tidegate.store.redis.Calls.charge;
import static dev.tidegate.store.redis.Calls.extend;
import static dev.tidegate.store.redis.Calls.find;
import static dev.tidegate.store.redis.Calls.given;
import static dev.tidegate.store.redis.Calls.nothing;
import static dev.tidegate.store.redis.Calls.read;
import static dev.tidegate.store.redis.Calls.readPeriods;
import static dev.tidegate.store.redis.Calls.registered;
import static dev.tidegate.store.redis.Calls.release;
import static dev.tidegate.store.redis.Calls.reserve;
import static dev.tidegate.store.redis.Calls.settle;
import static dev.tidegate.store.redis.RedisFixture.NOW;
import static dev.tidegate.store.redis.RedisFixture.key;
import static dev.tidegate.store.redis.SampleTerms.ANN;
import static dev.tidegate.store.redis.SampleTerms.DAY;
import static dev.tidegate.store.redis.SampleTerms.MIDNIGHT;
import static dev.tidegate.store.redis.SampleTerms.MINUTE;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static dev.tidegate.store.redis.SampleTerms.annInTeam;
import static dev.tidegate.store.redis.SampleTerms.anyVersion;
import static dev.tidegate.store.redis.SampleTerms.level;
import static dev.tidegate.store.redis.SampleTerms.scope;
import static dev.tidegate.store.redis.SampleTerms.tokens;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.MeteringStore.Operation;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.redis.Calls.ScopeAt;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** The tables of the scripts that read, run by a user of Redis who may not write. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadScriptsTest {

  private static final String USER = "reads-only";
  private static final String PASSWORD = "no-secret";
  static final ScopeAt ANN_100 = now -> ann(100L, now);
  static final ScopeAt OF_NOW = now -> ann(100L, NOW);
  static final ScopeAt IN_TEAM = now -> annInTeam(100L, 50L, now);
  static final ScopeAt SESSION =
      now -> scope(level(ANN, 0, SampleTerms.session(100L, Duration.ofHours(5))));
  private static final IdempotencyKey OTHER = new IdempotencyKey("k", "another fingerprint");

  private final RedisFixture fixture = RedisFixture.open();
  private RedisFixture reader = fixture;

  @BeforeAll
  void admitReader() {
    fixture.send(
        Command.ACL,
        "SETUSER",
        USER,
        "on",
        ">" + PASSWORD,
        "~*",
        "&*",
        "+@read",
        "+@connection",
        "+eval",
        "+evalsha",
        "+time");
    reader = RedisFixture.open(USER, PASSWORD);
  }

  @AfterAll
  void close() {
    reader.share("nothing");
    reader.close();
    fixture.send(Command.ACL, "DELUSER", USER);
    fixture.close();
  }

  private Function<RedisFixture, Outcome> asReader(Function<RedisFixture, Outcome> call) {
    return it -> {
      reader.share(it.prefix());
      reader.at(it.now());
      return call.apply(reader);
    };
  }

  private static Function<RedisFixture, Outcome> replay(Operation operation, IdempotencyKey key) {
    return it -> RedisFixture.get(it.store().replay(ANN, ANN, 0, operation, key));
  }

  private ScriptRows rows(ScopeAt view) {
    return new ScriptRows(fixture, it -> anyVersion(view.apply(it.now())));
  }

  @Test
  void theReaderCannotWrite() {
    fixture.fresh();
    StoreException refused =
        assertThrows(StoreException.class, () -> asReader(charge(ANN_100, 1)).apply(fixture));
    // As 6.2 puts it, or 7.
    String message = String.valueOf(refused.getMessage());
    assertTrue(
        message.contains("can't run this command") || message.contains("no permissions"), message);
    assertEquals(0, fixture.snapshot().size());
  }

  @TestFactory
  Stream<DynamicTest> quota() {
    return rows(ANN_100)
        .refusal("unused", nothing(), asReader(read(ANN_100)), "STATE unused")
        .refusal("used", given(charge(ANN_100, 1)), asReader(read(ANN_100)), "STATE used")
        .refusal(
            "with a lapsed hold",
            given(reserve(ANN_100, 1, 1), after(60_000)),
            asReader(read(ANN_100)),
            "STATE used")
        .refusal(
            "after a reset",
            given(charge(ANN_100, 1), at(MIDNIGHT)),
            asReader(read(ANN_100)),
            "STATE used")
        .refusal(
            "the periods handed over are over",
            given(after(2 * DAY.toMillis())),
            asReader(read(OF_NOW)),
            "STALE_PERIOD")
        .refusal(
            "the record is another",
            given(registered(ANN_100, 2)),
            asReader(read(ANN_100)),
            "STALE_CONFIG")
        .refusal(
            "stale configuration before a stale period",
            given(registered(ANN_100, 2), after(2 * DAY.toMillis())),
            asReader(read(OF_NOW)),
            "STALE_CONFIG")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> quotaOfEveryLevel() {
    return rows(IN_TEAM)
        .refusal(
            "unused", given(registered(IN_TEAM, 1)), asReader(read(IN_TEAM)), "STATE unused unused")
        .refusal(
            "used",
            given(registered(IN_TEAM, 1), charge(IN_TEAM, 1)),
            asReader(read(IN_TEAM)),
            "STATE used used")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> f10AReadOpensNoSession() {
    return rows(SESSION)
        .refusal("unused", nothing(), asReader(read(SESSION)), "STATE unused")
        .refusal("running", given(charge(SESSION, 1)), asReader(read(SESSION)), "STATE used")
        .refusal(
            "ended",
            given(charge(SESSION, 1), after(Duration.ofHours(5).toMillis())),
            asReader(read(SESSION)),
            "STATE used")
        .refusal("its periods", nothing(), asReader(readPeriods(SESSION)), "PERIODS 0")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> periods() {
    return rows(ANN_100)
        .refusal("unused", nothing(), asReader(readPeriods(ANN_100)), "PERIODS 0")
        .refusal(
            "the current one",
            given(charge(ANN_100, 1)),
            asReader(readPeriods(ANN_100)),
            "PERIODS 0")
        .refusal(
            "1 ms before it ends",
            given(charge(ANN_100, 1), at(MIDNIGHT.minusMillis(1))),
            asReader(readPeriods(ANN_100)),
            "PERIODS 0")
        .refusal(
            "when it ends",
            given(charge(ANN_100, 1), at(MIDNIGHT)),
            asReader(readPeriods(ANN_100)),
            "PERIODS 1")
        .refusal(
            "closed ones",
            given(
                charge(ANN_100, 1),
                at(MIDNIGHT),
                charge(ANN_100, 1),
                at(MIDNIGHT.plus(DAY)),
                charge(ANN_100, 1)),
            asReader(readPeriods(ANN_100)),
            "PERIODS 2")
        .refusal(
            "the periods handed over are over",
            given(after(2 * DAY.toMillis())),
            asReader(readPeriods(OF_NOW)),
            "STALE_PERIOD")
        .refusal(
            "the record is another",
            given(registered(ANN_100, 2)),
            asReader(readPeriods(ANN_100)),
            "STALE_CONFIG")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> reservations() {
    long proof = MINUTE.plus(DAY).toMillis();
    return rows(ANN_100)
        .refusal(
            "held", given(reserve(ANN_100, 1, 50)), asReader(find(ANN_100, 1)), "FOUND HELD 50")
        .refusal(
            "settled",
            given(reserve(ANN_100, 1, 50), settle(ANN_100, 1, 20)),
            asReader(find(ANN_100, 1)),
            "FOUND SETTLED 50 20")
        .refusal(
            "released",
            given(reserve(ANN_100, 1, 50), release(ANN_100, 1)),
            asReader(find(ANN_100, 1)),
            "FOUND RELEASED 50")
        .refusal(
            "b12, 1 ms before the lease ends",
            given(reserve(ANN_100, 1, 50), after(59_999)),
            asReader(find(ANN_100, 1)),
            "FOUND HELD 50")
        .refusal(
            "b12, when it ends",
            given(reserve(ANN_100, 1, 50), after(60_000)),
            asReader(find(ANN_100, 1)),
            "FOUND LAPSED 50")
        .refusal(
            "b12, 1 ms later",
            given(reserve(ANN_100, 1, 50), after(60_001)),
            asReader(find(ANN_100, 1)),
            "FOUND LAPSED 50")
        .refusal(
            "h3, a clock that steps back",
            given(reserve(ANN_100, 1, 50), after(60_000), charge(ANN_100, 1), after(-2_000)),
            asReader(find(ANN_100, 1)),
            "FOUND LAPSED 50")
        .refusal(
            "1 ms before the proof ends",
            given(reserve(ANN_100, 1, 50), after(proof - 1)),
            asReader(find(ANN_100, 1)),
            "FOUND LAPSED 50")
        .refusal(
            "when it ends",
            given(reserve(ANN_100, 1, 50), after(proof)),
            asReader(find(ANN_100, 1)),
            "NOT_FOUND")
        .refusal("unknown", nothing(), asReader(find(ANN_100, 1)), "NOT_FOUND")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> firstAnswers() {
    IdempotencyKey key = key("k");
    return rows(ANN_100)
        .refusal(
            "of a reservation",
            given(reserve(ANN_100, 1, 50, MINUTE, key)),
            asReader(replay(Operation.RESERVE, key)),
            "HELD 50 replayed")
        .refusal(
            "of a settlement",
            given(reserve(ANN_100, 1, 50), settle(ANN_100, 1, tokens(20), key)),
            asReader(replay(Operation.SETTLE, key)),
            "SETTLED 20 replayed")
        .refusal(
            "of a release",
            given(reserve(ANN_100, 1, 50), release(ANN_100, 1, key)),
            asReader(replay(Operation.RELEASE, key)),
            "CLOSED RELEASED replayed")
        .refusal(
            "of an extension",
            given(reserve(ANN_100, 1, 50), extend(ANN_100, 1, DAY, key)),
            asReader(replay(Operation.EXTEND, key)),
            "EXTENDED replayed")
        .refusal(
            "of a charge",
            given(charge(ANN_100, tokens(50), key)),
            asReader(replay(Operation.CHARGE, key)),
            "CHARGED 50 replayed")
        .refusal(
            "of another call",
            given(charge(ANN_100, tokens(50), key)),
            asReader(replay(Operation.CHARGE, OTHER)),
            "KEY_REUSED")
        .refusal("of none", nothing(), asReader(replay(Operation.CHARGE, key)), "NOT_FOUND")
        .refusal(
            "1 ms before it is forgotten",
            given(charge(ANN_100, tokens(50), key), after(DAY.toMillis() - 1)),
            asReader(replay(Operation.CHARGE, key)),
            "CHARGED 50 replayed")
        .refusal(
            "when it is forgotten",
            given(charge(ANN_100, tokens(50), key), after(DAY.toMillis())),
            asReader(replay(Operation.CHARGE, key)),
            "NOT_FOUND")
        .tests();
  }
}
