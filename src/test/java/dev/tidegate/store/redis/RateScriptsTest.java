package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.Calls.after;
import static dev.tidegate.store.redis.Calls.charge;
import static dev.tidegate.store.redis.Calls.dryRun;
import static dev.tidegate.store.redis.Calls.extend;
import static dev.tidegate.store.redis.Calls.given;
import static dev.tidegate.store.redis.Calls.nothing;
import static dev.tidegate.store.redis.Calls.release;
import static dev.tidegate.store.redis.Calls.reserve;
import static dev.tidegate.store.redis.Calls.settle;
import static dev.tidegate.store.redis.RedisFixture.key;
import static dev.tidegate.store.redis.SampleTerms.ANN;
import static dev.tidegate.store.redis.SampleTerms.MINUTE;
import static dev.tidegate.store.redis.SampleTerms.anyVersion;
import static dev.tidegate.store.redis.SampleTerms.bucket;
import static dev.tidegate.store.redis.SampleTerms.daily;
import static dev.tidegate.store.redis.SampleTerms.level;
import static dev.tidegate.store.redis.SampleTerms.scope;
import static dev.tidegate.store.redis.SampleTerms.sliding;
import static dev.tidegate.store.redis.SampleTerms.withMaxHolds;

import dev.tidegate.domain.Amounts;
import dev.tidegate.store.redis.Calls.ScopeAt;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** The tables of the metering scripts for token buckets and sliding budgets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RateScriptsTest {

  /** Sixty tokens, one more each second. */
  static final ScopeAt BUCKET = now -> scope(level(ANN, 0, bucket(60, 60)));

  /** Sixty tokens per minute in buckets of ten seconds. */
  static final ScopeAt SLIDING = now -> scope(level(ANN, 0, sliding(60L, 6)));

  static final ScopeAt COUNTING = now -> scope(level(ANN, 0, sliding(null, 6)));

  static final ScopeAt ALL = now -> scope(level(ANN, 0, bucket(60, 60), daily(100L, now)));

  static final ScopeAt ONE_HOLD = now -> scope(withMaxHolds(level(ANN, 0, bucket(60, 60)), 1));

  private final RedisFixture fixture = RedisFixture.open();

  @AfterAll
  void close() {
    fixture.close();
  }

  private ScriptRows rows(ScopeAt view) {
    return new ScriptRows(fixture, it -> anyVersion(view.apply(it.now())));
  }

  @TestFactory
  Stream<DynamicTest> takenFromABucket() {
    return rows(BUCKET)
        .row("debits", nothing(), reserve(BUCKET, 1, 40), "HELD 40", "40/0")
        .row("debits all there is", nothing(), reserve(BUCKET, 1, 60), "HELD 60", "60/0")
        .row("nothing", nothing(), reserve(BUCKET, 1, 0), "HELD 0", "0/0")
        .row(
            "nothing, in debt",
            given(reserve(BUCKET, 1, 60), settle(BUCKET, 1, 90)),
            reserve(BUCKET, 2, 0),
            "HELD 0",
            "90/0")
        .row("charges", nothing(), charge(BUCKET, 60), "CHARGED 60", "60/0")
        .row(
            "the last token at its millisecond",
            given(charge(BUCKET, 60), after(1000)),
            charge(BUCKET, 1),
            "CHARGED 1",
            "60/0")
        .row(
            "once for a key",
            given(reserve(BUCKET, 1, 10, MINUTE, key("k"))),
            reserve(BUCKET, 2, 10, MINUTE, key("k")),
            "HELD 10 replayed",
            "10/0")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> refusedByABucket() {
    return rows(BUCKET)
        .refusal("a dry run that fits", nothing(), dryRun(BUCKET, 60), "FITS")
        .refusal(
            "a millisecond too early",
            given(charge(BUCKET, 60), after(999)),
            charge(BUCKET, 1),
            "DENIED 1 [DENIED 0.0 1]")
        .refusal(
            "a reservation",
            given(charge(BUCKET, 50)),
            reserve(BUCKET, 1, 20),
            "DENIED 10000 [DENIED 0.0 10000]")
        .refusal(
            "in debt",
            given(reserve(BUCKET, 1, 60), settle(BUCKET, 1, 90)),
            reserve(BUCKET, 2, 1),
            "DENIED 31000 [DENIED 0.0 31000]")
        .refusal(
            "more than the capacity",
            nothing(),
            reserve(BUCKET, 1, 61),
            "EXCEEDS -1 [EXCEEDS 0.0 -1]")
        .refusal(
            "too many holds before denied",
            given(reserve(ONE_HOLD, 1, 60)),
            reserve(ONE_HOLD, 2, 1),
            "TOO_MANY_HOLDS 60000 [TOO_MANY_HOLDS 0.-1 60000] [DENIED 0.0 1000]")
        .refusal(
            "exceeding before too many holds",
            given(reserve(ONE_HOLD, 1, 60)),
            reserve(ONE_HOLD, 2, 61),
            "EXCEEDS -1 [TOO_MANY_HOLDS 0.-1 60000] [EXCEEDS 0.0 -1]")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> endedOnABucket() {
    return rows(BUCKET)
        .row(
            "settled below",
            given(reserve(BUCKET, 1, 50)),
            settle(BUCKET, 1, 20),
            "SETTLED 20",
            "20/0")
        .row(
            "settled above",
            given(reserve(BUCKET, 1, 50)),
            settle(BUCKET, 1, 100),
            "SETTLED 100",
            "100/0")
        .row(
            "given back up to the capacity",
            given(reserve(BUCKET, 1, 50), after(45_000)),
            settle(BUCKET, 1, 20),
            "SETTLED 20",
            "0/0")
        .row(
            "settled in the last millisecond",
            given(reserve(BUCKET, 1, 60), after(59_999)),
            settle(BUCKET, 1, 90),
            "SETTLED 90",
            "31/0")
        .row(
            "settled at the end of the lease",
            given(reserve(BUCKET, 1, 60), after(60_000)),
            settle(BUCKET, 1, 90),
            "SETTLED 90 late",
            "30/0")
        .row(
            "settled a millisecond after it",
            given(reserve(BUCKET, 1, 60), after(60_001)),
            settle(BUCKET, 1, 0),
            "SETTLED 0 late",
            "0/0")
        .row(
            "settled twice",
            given(reserve(BUCKET, 1, 50), settle(BUCKET, 1, 20)),
            settle(BUCKET, 1, 20),
            "SETTLED 20 replayed",
            "20/0")
        .row(
            "released", given(reserve(BUCKET, 1, 50)), release(BUCKET, 1), "CLOSED RELEASED", "0/0")
        .row(
            "released up to the capacity",
            given(reserve(BUCKET, 1, 50), after(20_000)),
            release(BUCKET, 1),
            "CLOSED RELEASED",
            "0/0")
        .row(
            "released twice",
            given(reserve(BUCKET, 1, 50), release(BUCKET, 1), charge(BUCKET, 30)),
            release(BUCKET, 1),
            "CLOSED RELEASED",
            "30/0")
        .row(
            "released when it lapsed",
            given(reserve(BUCKET, 1, 60, MINUTE.dividedBy(6), null), after(10_000)),
            release(BUCKET, 1),
            "CLOSED LAPSED",
            "50/0")
        .row(
            "settled when it was released",
            given(reserve(BUCKET, 1, 50), release(BUCKET, 1)),
            settle(BUCKET, 1, 30),
            "SETTLED 30 late",
            "30/0")
        .row(
            "extended",
            given(reserve(BUCKET, 1, 50)),
            extend(BUCKET, 1, MINUTE),
            "EXTENDED",
            "50/0")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> overflowOfABucket() {
    ScopeAt great = now -> scope(level(ANN, 0, bucket(Amounts.MAX, 1)));
    return rows(great)
        .refusal(
            "of a settlement",
            given(reserve(great, 1, 1), charge(great, Amounts.MAX - 1)),
            settle(great, 1, 2),
            "OVERFLOW tokens")
        .row(
            "not when it just fits",
            given(reserve(great, 1, 1), charge(great, Amounts.MAX - 1)),
            settle(great, 1, 1),
            "SETTLED 1",
            Amounts.MAX + "/0")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> takenFromASlidingBudget() {
    return rows(SLIDING)
        .row("holds", nothing(), reserve(SLIDING, 1, 40), "HELD 40", "0/40")
        .row("charges", nothing(), charge(SLIDING, 60), "CHARGED 60", "60/0")
        .row(
            "what has decayed in part",
            given(charge(SLIDING, 60), after(65_000)),
            charge(SLIDING, 30),
            "CHARGED 30",
            "60/0")
        .row(
            "what a lapse has freed",
            given(reserve(SLIDING, 1, 60), after(60_000)),
            reserve(SLIDING, 2, 60),
            "HELD 60",
            "0/60")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> refusedByASlidingBudget() {
    return rows(SLIDING)
        .refusal("a dry run that fits", nothing(), dryRun(SLIDING, 60), "FITS")
        .refusal(
            "until the spend has decayed",
            given(charge(SLIDING, 60)),
            charge(SLIDING, 6),
            "DENIED 61000 [DENIED 0.0 61000]")
        .refusal(
            "a millisecond too early",
            given(charge(SLIDING, 60), after(60_999)),
            charge(SLIDING, 6),
            "DENIED 1 [DENIED 0.0 1]")
        .refusal(
            "until the lease ends",
            given(reserve(SLIDING, 1, 60)),
            reserve(SLIDING, 2, 1),
            "DENIED 60000 [DENIED 0.0 60000]")
        .refusal(
            "a millisecond before it ends",
            given(reserve(SLIDING, 1, 60), after(59_999)),
            reserve(SLIDING, 2, 1),
            "DENIED 1 [DENIED 0.0 1]")
        .refusal(
            "more than the limit",
            nothing(),
            reserve(SLIDING, 1, 61),
            "EXCEEDS -1 [EXCEEDS 0.0 -1]")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> endedOnASlidingBudget() {
    return rows(SLIDING)
        .row(
            "settled", given(reserve(SLIDING, 1, 50)), settle(SLIDING, 1, 20), "SETTLED 20", "20/0")
        .row(
            "settled at the end of the lease",
            given(reserve(SLIDING, 1, 50), after(60_000)),
            settle(SLIDING, 1, 20),
            "SETTLED 20 late",
            "20/0")
        .row(
            "settled twice",
            given(reserve(SLIDING, 1, 50), settle(SLIDING, 1, 20)),
            settle(SLIDING, 1, 20),
            "SETTLED 20 replayed",
            "20/0")
        .row(
            "released",
            given(reserve(SLIDING, 1, 50)),
            release(SLIDING, 1),
            "CLOSED RELEASED",
            "0/0")
        .row(
            "settled when it was released",
            given(reserve(SLIDING, 1, 50), release(SLIDING, 1)),
            settle(SLIDING, 1, 30),
            "SETTLED 30 late",
            "30/0")
        .row(
            "extended",
            given(
                reserve(SLIDING, 1, 50), after(30_000), extend(SLIDING, 1, MINUTE), after(59_999)),
            extend(SLIDING, 1, MINUTE),
            "EXTENDED",
            "0/50")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> overflowOfASlidingBudget() {
    return rows(COUNTING)
        .refusal(
            "of a charge",
            given(charge(COUNTING, Amounts.MAX)),
            charge(COUNTING, 1),
            "OVERFLOW -1 [OVERFLOW 0.0 -1]")
        .refusal(
            "of what is held",
            given(reserve(COUNTING, 1, Amounts.MAX)),
            charge(COUNTING, 1),
            "OVERFLOW -1 [OVERFLOW 0.0 -1]")
        .refusal(
            "of a settlement",
            given(charge(COUNTING, Amounts.MAX - 1), reserve(COUNTING, 1, 1)),
            settle(COUNTING, 1, 2),
            "OVERFLOW tokens")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> allOrNone() {
    return rows(ALL)
        .row("taken from both", nothing(), reserve(ALL, 1, 40), "HELD 40", "40/0 0/40")
        .refusal(
            "from none where one denies",
            given(charge(now -> scope(level(ANN, 0, daily(100L, now))), 90)),
            reserve(ALL, 1, 40),
            "DENIED 50400000 [DENIED 0.1 50400000]")
        .refusal(
            "the last to free counts",
            given(charge(ALL, 60)),
            reserve(ALL, 1, 50),
            "DENIED 50400000 [DENIED 0.0 50000] [DENIED 0.1 50400000]")
        .tests();
  }
}
