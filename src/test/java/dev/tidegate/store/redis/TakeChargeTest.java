package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.Calls.after;
import static dev.tidegate.store.redis.Calls.at;
import static dev.tidegate.store.redis.Calls.charge;
import static dev.tidegate.store.redis.Calls.given;
import static dev.tidegate.store.redis.Calls.nothing;
import static dev.tidegate.store.redis.Calls.registered;
import static dev.tidegate.store.redis.Calls.reserve;
import static dev.tidegate.store.redis.RedisFixture.NOW;
import static dev.tidegate.store.redis.RedisFixture.key;
import static dev.tidegate.store.redis.SampleTerms.DAY;
import static dev.tidegate.store.redis.SampleTerms.MIDNIGHT;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static dev.tidegate.store.redis.SampleTerms.annInTeam;
import static dev.tidegate.store.redis.SampleTerms.anyVersion;
import static dev.tidegate.store.redis.SampleTerms.tokens;

import dev.tidegate.domain.Amounts;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.redis.Calls.ScopeAt;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** The table of {@code take_charge.lua}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TakeChargeTest {

  static final ScopeAt ANN_100 = now -> ann(100L, now);
  static final ScopeAt OF_NOW = now -> ann(100L, NOW);
  static final ScopeAt UNLIMITED = now -> ann(null, now);
  static final ScopeAt IN_TEAM = now -> annInTeam(100L, 100L, now);
  private static final IdempotencyKey OTHER = new IdempotencyKey("k", "another fingerprint");
  private static final long TO_MIDNIGHT = Duration.between(NOW, MIDNIGHT).toMillis();

  private final RedisFixture fixture = RedisFixture.open();

  @AfterAll
  void close() {
    fixture.close();
  }

  private ScriptRows rows(ScopeAt view) {
    return new ScriptRows(fixture, it -> anyVersion(view.apply(it.now())));
  }

  @TestFactory
  Stream<DynamicTest> grants() {
    return rows(ANN_100)
        .row("charges", nothing(), charge(ANN_100, 40), "CHARGED 40", "40/0")
        .row("all there is", given(charge(ANN_100, 40)), charge(ANN_100, 60), "CHARGED 60", "100/0")
        .row("nothing", given(charge(ANN_100, 100)), charge(ANN_100, 0), "CHARGED 0", "100/0")
        .row(
            "beside a hold",
            given(reserve(ANN_100, 1, 60)),
            charge(ANN_100, 40),
            "CHARGED 40",
            "40/60")
        .row(
            "what lapsed is free",
            given(reserve(ANN_100, 1, 60), after(60_000)),
            charge(ANN_100, 100),
            "CHARGED 100",
            "100/0")
        .row(
            "a new period starts full",
            given(charge(ANN_100, 100), at(MIDNIGHT)),
            charge(ANN_100, 1),
            "CHARGED 1",
            "1/0, closed 100/0")
        .row(
            "a key counts for a time, and then anew",
            given(charge(ANN_100, tokens(40), key("k")), after(DAY.toMillis())),
            charge(ANN_100, tokens(40), key("k")),
            "CHARGED 40",
            "40/0, closed 40/0")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> refusals() {
    return rows(ANN_100)
        .refusal(
            "again with its key",
            given(charge(ANN_100, tokens(40), key("k"))),
            charge(ANN_100, tokens(40), key("k")),
            "CHARGED 40 replayed")
        .refusal(
            "1 ms before the key is forgotten",
            given(charge(ANN_100, tokens(40), key("k")), after(DAY.toMillis() - 1)),
            charge(ANN_100, tokens(40), key("k")),
            "CHARGED 40 replayed")
        .refusal(
            "a key of another call",
            given(charge(ANN_100, tokens(40), key("k"))),
            charge(ANN_100, tokens(40), OTHER),
            "KEY_REUSED")
        .refusal(
            "waits for the reset",
            given(charge(ANN_100, 90)),
            charge(ANN_100, 20),
            "DENIED " + TO_MIDNIGHT + " [DENIED 0.0 " + TO_MIDNIGHT + "]")
        .refusal(
            "waits for a lapse",
            given(reserve(ANN_100, 1, 90), after(59_999)),
            charge(ANN_100, 20),
            "DENIED 1 [DENIED 0.0 1]")
        .refusal(
            "1 ms before the reset",
            given(charge(ANN_100, 100), at(MIDNIGHT.minusMillis(1))),
            charge(ANN_100, 1),
            "DENIED 1 [DENIED 0.0 1]")
        .refusal("never fits", nothing(), charge(ANN_100, 101), "EXCEEDS -1 [EXCEEDS 0.0 -1]")
        .refusal(
            "a sum too great",
            given(charge(UNLIMITED, Amounts.MAX)),
            charge(UNLIMITED, 1),
            "OVERFLOW -1 [OVERFLOW 0.0 -1]")
        .refusal(
            "a sum with what is held",
            given(reserve(UNLIMITED, 1, Amounts.MAX)),
            charge(UNLIMITED, 1),
            "OVERFLOW -1 [OVERFLOW 0.0 -1]")
        .refusal(
            "the periods handed over are over",
            given(after(2 * DAY.toMillis())),
            charge(OF_NOW, 1),
            "STALE_PERIOD")
        .refusal(
            "the record is another",
            given(registered(ANN_100, 2)),
            charge(ANN_100, 1),
            "STALE_CONFIG")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> precedence() {
    return rows(ANN_100)
        .refusal(
            "replay before stale configuration",
            given(charge(ANN_100, tokens(40), key("k")), registered(ANN_100, 2)),
            charge(ANN_100, tokens(40), key("k")),
            "CHARGED 40 replayed")
        .refusal(
            "a reused key before stale configuration",
            given(charge(ANN_100, tokens(40), key("k")), registered(ANN_100, 2)),
            charge(ANN_100, tokens(40), OTHER),
            "KEY_REUSED")
        .refusal(
            "replay before a refusal",
            given(charge(ANN_100, tokens(60), key("k")), charge(ANN_100, 40)),
            charge(ANN_100, tokens(60), key("k")),
            "CHARGED 60 replayed")
        .refusal(
            "stale configuration before a stale period",
            given(registered(ANN_100, 2), after(2 * DAY.toMillis())),
            charge(OF_NOW, 1),
            "STALE_CONFIG")
        .refusal(
            "a stale period before what never fits",
            given(after(2 * DAY.toMillis())),
            charge(OF_NOW, 101),
            "STALE_PERIOD")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> chargesEveryLevelOrNone() {
    ScopeAt small = now -> annInTeam(100L, 10L, now);
    return rows(IN_TEAM)
        .row(
            "every level",
            given(registered(IN_TEAM, 1)),
            charge(IN_TEAM, 40),
            "CHARGED 40",
            "40/0 + 40/0")
        .refusal(
            "or none",
            given(registered(IN_TEAM, 1)),
            charge(small, 11),
            "EXCEEDS -1 [EXCEEDS 1.0 -1]")
        .tests();
  }
}
