package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.Calls.after;
import static dev.tidegate.store.redis.Calls.at;
import static dev.tidegate.store.redis.Calls.charge;
import static dev.tidegate.store.redis.Calls.dryRun;
import static dev.tidegate.store.redis.Calls.given;
import static dev.tidegate.store.redis.Calls.nothing;
import static dev.tidegate.store.redis.Calls.registered;
import static dev.tidegate.store.redis.Calls.reserve;
import static dev.tidegate.store.redis.RedisFixture.NOW;
import static dev.tidegate.store.redis.RedisFixture.key;
import static dev.tidegate.store.redis.SampleTerms.ANN;
import static dev.tidegate.store.redis.SampleTerms.DAY;
import static dev.tidegate.store.redis.SampleTerms.MIDNIGHT;
import static dev.tidegate.store.redis.SampleTerms.MINUTE;
import static dev.tidegate.store.redis.SampleTerms.TEAM;
import static dev.tidegate.store.redis.SampleTerms.TOKENS;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static dev.tidegate.store.redis.SampleTerms.annInTeam;
import static dev.tidegate.store.redis.SampleTerms.anyVersion;
import static dev.tidegate.store.redis.SampleTerms.daily;
import static dev.tidegate.store.redis.SampleTerms.fixed;
import static dev.tidegate.store.redis.SampleTerms.level;
import static dev.tidegate.store.redis.SampleTerms.scope;
import static dev.tidegate.store.redis.SampleTerms.withMaxHolds;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.domain.Amounts;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.redis.Calls.ScopeAt;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** The table of {@code take_reservation.lua}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TakeReservationTest {

  static final ScopeAt ANN_100 = now -> ann(100L, now);
  static final ScopeAt UNLIMITED = now -> ann(null, now);
  static final ScopeAt ONE_HOLD = now -> scope(withMaxHolds(level(ANN, 0, daily(100L, now)), 1));
  static final ScopeAt IN_TEAM = now -> annInTeam(100L, 100L, now);
  static final ScopeAt OF_NOW = now -> ann(100L, NOW);
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
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
        .row("holds", nothing(), reserve(ANN_100, 1, 40), "HELD 40", "0/40")
        .row("holds all there is", nothing(), reserve(ANN_100, 1, 100), "HELD 100", "0/100")
        .row("holds nothing", nothing(), reserve(ANN_100, 1, 0), "HELD 0", "0/0")
        .row(
            "nothing fits where nothing is left",
            given(charge(ANN_100, 100)),
            reserve(ANN_100, 1, 0),
            "HELD 0",
            "100/0")
        .row(
            "the last unit",
            given(charge(ANN_100, 60), reserve(ANN_100, 1, 39)),
            reserve(ANN_100, 2, 1),
            "HELD 1",
            "60/40")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> grantsAtEveryLevel() {
    return rows(IN_TEAM)
        .row(
            "holds at every level",
            given(registered(IN_TEAM, 1)),
            reserve(IN_TEAM, 1, 40),
            "HELD 40",
            "0/40 + 0/40")
        .refusal(
            "or at none",
            given(
                registered(IN_TEAM, 1), charge(now -> scope(level(TEAM, 1, daily(100L, now))), 90)),
            reserve(IN_TEAM, 1, 40),
            "DENIED " + TO_MIDNIGHT + " [DENIED 1.0 " + TO_MIDNIGHT + "]")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> refusals() {
    IdempotencyKey other = new IdempotencyKey("k", "another fingerprint");
    return rows(ANN_100)
        .refusal("a dry run that fits", nothing(), dryRun(ANN_100, 100), "FITS")
        .refusal(
            "a dry run that does not",
            given(charge(ANN_100, 90)),
            dryRun(ANN_100, 20),
            "DENIED " + TO_MIDNIGHT + " [DENIED 0.0 " + TO_MIDNIGHT + "]")
        .refusal(
            "waits for the reset",
            given(charge(ANN_100, 90)),
            reserve(ANN_100, 1, 20),
            "DENIED " + TO_MIDNIGHT + " [DENIED 0.0 " + TO_MIDNIGHT + "]")
        .refusal(
            "waits for a lapse",
            given(reserve(ANN_100, 1, 90)),
            reserve(ANN_100, 2, 20),
            "DENIED 60000 [DENIED 0.0 60000]")
        .refusal(
            "waits for as many lapses as it takes",
            given(
                reserve(ANN_100, 1, 40),
                reserve(ANN_100, 2, 40, FIVE_MINUTES, null),
                charge(ANN_100, 20)),
            reserve(ANN_100, 3, 80),
            "DENIED 300000 [DENIED 0.0 300000]")
        .refusal("never fits", nothing(), reserve(ANN_100, 1, 101), "EXCEEDS -1 [EXCEEDS 0.0 -1]")
        .refusal(
            "the period handed over is over",
            given(after(2 * DAY.toMillis())),
            reserve(OF_NOW, 1, 1),
            "STALE_PERIOD")
        .refusal(
            "the period handed over has not begun",
            given(after(-DAY.toMillis())),
            reserve(OF_NOW, 1, 1),
            "STALE_PERIOD")
        .refusal(
            "the record is another",
            given(registered(ANN_100, 2)),
            reserve(ANN_100, 1, 1),
            "STALE_CONFIG")
        .refusal(
            "a key was used before",
            given(reserve(ANN_100, 1, 40, MINUTE, key("k"))),
            reserve(ANN_100, 2, 40, MINUTE, key("k")),
            "HELD 40 replayed")
        .refusal(
            "a key was used for another call",
            given(reserve(ANN_100, 1, 40, MINUTE, key("k"))),
            reserve(ANN_100, 2, 40, MINUTE, other),
            "KEY_REUSED")
        .refusal(
            "a lapsed reservation is replayed, too",
            given(reserve(ANN_100, 1, 40, MINUTE, key("k")), after(3_600_000)),
            reserve(ANN_100, 2, 40, MINUTE, key("k")),
            "HELD 40 replayed")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> holdsAreCounted() {
    return rows(ONE_HOLD)
        .refusal(
            "one too many",
            given(reserve(ONE_HOLD, 1, 1)),
            reserve(ONE_HOLD, 2, 1),
            "TOO_MANY_HOLDS 60000 [TOO_MANY_HOLDS 0.-1 60000]")
        .row(
            "a lapsed one makes room",
            given(reserve(ONE_HOLD, 1, 1), after(60_000)),
            reserve(ONE_HOLD, 2, 1),
            "HELD 1",
            "0/1")
        .row(
            "a charge is no hold",
            given(reserve(ONE_HOLD, 1, 1)),
            charge(ONE_HOLD, 1),
            "CHARGED 1",
            "1/1")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> sumsEndAtTheGreatestAmount() {
    return rows(UNLIMITED)
        .row(
            "the greatest amount",
            nothing(),
            reserve(UNLIMITED, 1, Amounts.MAX),
            "HELD " + Amounts.MAX,
            "0/" + Amounts.MAX)
        .refusal(
            "one more",
            given(charge(UNLIMITED, Amounts.MAX)),
            reserve(UNLIMITED, 1, 1),
            "OVERFLOW -1 [OVERFLOW 0.0 -1]")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> precedence() {
    ScopeAt capped =
        now ->
            scope(
                level(
                    ANN,
                    0,
                    daily(null, now),
                    fixed("capped", TOKENS, 0L, Duration.ofHours(1), now)));
    ScopeAt oneInTeam =
        now ->
            scope(
                withMaxHolds(level(ANN, 1, daily(10L, now)), 1), level(TEAM, 1, daily(100L, now)));
    IdempotencyKey other = new IdempotencyKey("k", "another fingerprint");
    return rows(ANN_100)
        .refusal(
            "replay before stale configuration",
            given(reserve(ANN_100, 1, 40, MINUTE, key("k")), registered(ANN_100, 2)),
            reserve(ANN_100, 2, 40, MINUTE, key("k")),
            "HELD 40 replayed")
        .refusal(
            "a reused key before stale configuration",
            given(reserve(ANN_100, 1, 40, MINUTE, key("k")), registered(ANN_100, 2)),
            reserve(ANN_100, 2, 40, MINUTE, other),
            "KEY_REUSED")
        .refusal(
            "replay before a stale period",
            given(reserve(ANN_100, 1, 40, DAY, key("k")), at(MIDNIGHT.plus(DAY))),
            reserve(OF_NOW, 2, 40, DAY, key("k")),
            "HELD 40 replayed")
        .refusal(
            "stale configuration before a stale period",
            given(registered(ANN_100, 2), after(2 * DAY.toMillis())),
            reserve(OF_NOW, 1, 1),
            "STALE_CONFIG")
        .refusal(
            "a stale period before what never fits",
            given(after(2 * DAY.toMillis())),
            reserve(OF_NOW, 1, 101),
            "STALE_PERIOD")
        .refusal(
            "OVERFLOW before EXCEEDS",
            given(charge(UNLIMITED, Amounts.MAX)),
            reserve(capped, 1, 1),
            "OVERFLOW -1 [OVERFLOW 0.0 -1] [EXCEEDS 0.1 -1]")
        .refusal(
            "EXCEEDS before TOO_MANY_HOLDS",
            given(reserve(ONE_HOLD, 1, 1)),
            reserve(ONE_HOLD, 2, 101),
            "EXCEEDS -1 [TOO_MANY_HOLDS 0.-1 60000] [EXCEEDS 0.0 -1]")
        .refusal(
            "TOO_MANY_HOLDS before DENIED",
            given(reserve(ONE_HOLD, 1, 90)),
            reserve(ONE_HOLD, 2, 20),
            "TOO_MANY_HOLDS 60000 [TOO_MANY_HOLDS 0.-1 60000] [DENIED 0.0 60000]")
        .refusal(
            "the longest wait of all levels",
            given(
                registered(oneInTeam, 1),
                charge(now -> scope(level(TEAM, 1, daily(100L, now))), 99),
                reserve(oneInTeam, 1, 1)),
            reserve(oneInTeam, 2, 1),
            "TOO_MANY_HOLDS 60000 [TOO_MANY_HOLDS 0.-1 60000] [DENIED 1.0 60000]")
        .refusal(
            "EXCEEDS at one level before DENIED at another",
            given(
                registered(oneInTeam, 1),
                charge(now -> scope(level(TEAM, 1, daily(100L, now))), 90)),
            reserve(oneInTeam, 1, 20),
            "EXCEEDS -1 [EXCEEDS 0.0 -1] [DENIED 1.0 " + TO_MIDNIGHT + "]")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> whatFitsOnlyThanksToATopUpFitsUntilThePeriodEnds() {
    ScopeAt small = now -> ann(10L, now);
    ScopeAt both =
        now ->
            scope(
                level(
                    ANN, 0, daily(10L, now), fixed("other", TOKENS, 60L, Duration.ofDays(1), now)));
    Function<RedisFixture, Integer> topUp =
        fixture -> {
          String state = fixture.keyOf(small.apply(fixture.now()), "state");
          String[] record = fixture.text(Command.HGET, state, "L:daily").split(" ", -1);
          record[6] = "100";
          fixture.send(Command.HSET, state, "L:daily", String.join(" ", record));
          return 100;
        };
    return rows(small)
        .refusal(
            "denied until a lapse",
            given(charge(ANN_100, 20), reserve(ANN_100, 1, 80), topUp),
            reserve(small, 2, 50),
            "DENIED 60000 [DENIED 0.0 60000]")
        .refusal(
            "and never when another limit holds out until the period has ended",
            given(charge(both, 5), topUp, charge(both, 15), reserve(small, 1, 80)),
            reserve(both, 2, 45),
            "EXCEEDS -1 [EXCEEDS 0.0 60000] [DENIED 0.1 " + TO_MIDNIGHT + "]")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> aLeaseEndsAtItsEnd() {
    return rows(ANN_100)
        .refusal(
            "1 ms before",
            given(reserve(ANN_100, 1, 90), after(59_999)),
            reserve(ANN_100, 2, 20),
            "DENIED 1 [DENIED 0.0 1]")
        .row(
            "at the end",
            given(reserve(ANN_100, 1, 90), after(60_000)),
            reserve(ANN_100, 2, 20),
            "HELD 20",
            "0/20")
        .row(
            "1 ms after",
            given(reserve(ANN_100, 1, 90), after(60_001)),
            reserve(ANN_100, 2, 20),
            "HELD 20",
            "0/20")
        .row(
            "a refusal keeps what has lapsed, and nothing else",
            given(
                reserve(ANN_100, 1, 90),
                reserve(ANN_100, 2, 10, FIVE_MINUTES, null),
                after(60_000)),
            reserve(ANN_100, 3, 95),
            "DENIED 240000 [DENIED 0.0 240000]",
            "0/10")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> aPeriodEndsAtItsEnd() {
    return rows(ANN_100)
        .refusal(
            "1 ms before",
            given(charge(ANN_100, 100), at(MIDNIGHT.minusMillis(1))),
            reserve(ANN_100, 1, 1),
            "DENIED 1 [DENIED 0.0 1]")
        .row(
            "at the end",
            given(charge(ANN_100, 100), at(MIDNIGHT)),
            reserve(ANN_100, 1, 1),
            "HELD 1",
            "0/1, closed 100/0")
        .row(
            "with the terms of the day before",
            given(charge(ANN_100, 100), at(MIDNIGHT)),
            reserve(OF_NOW, 1, 1),
            "HELD 1",
            "0/1, closed 100/0")
        .row(
            "a hold stays with its period",
            given(
                at(MIDNIGHT.minusSeconds(60)),
                reserve(ANN_100, 1, 40, FIVE_MINUTES, null),
                at(MIDNIGHT)),
            reserve(ANN_100, 2, 100),
            "HELD 100",
            "0/100, closed 0/40")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> aGrantedUseOpensASession() {
    ScopeAt session = now -> scope(level(ANN, 0, SampleTerms.session(100L, Duration.ofHours(5))));
    long length = Duration.ofHours(5).toMillis();
    return rows(session)
        .row("a first use", nothing(), reserve(session, 1, 40), "HELD 40", "0/40")
        .refusal("not a dry run", nothing(), dryRun(session, 40), "FITS")
        .refusal(
            "not a refusal", nothing(), reserve(session, 1, 101), "EXCEEDS -1 [EXCEEDS 0.0 -1]")
        .refusal(
            "1 ms before its end",
            given(charge(session, 100), after(length - 1)),
            reserve(session, 1, 1),
            "DENIED 1 [DENIED 0.0 1]")
        .row(
            "at its end",
            given(charge(session, 100), after(length)),
            reserve(session, 1, 1),
            "HELD 1",
            "0/1, closed 100/0")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> h3ATimeThatWasSeenDoesNotComeBack() {
    return rows(ANN_100)
        .row(
            "a lapsed hold stays lapsed",
            given(reserve(ANN_100, 1, 90), after(60_000), reserve(ANN_100, 2, 20), after(-2_000)),
            reserve(ANN_100, 3, 80),
            "HELD 80",
            "0/100")
        .row(
            "a new period stays new",
            given(charge(ANN_100, 100), at(MIDNIGHT), charge(ANN_100, 10), after(-2_000)),
            charge(ANN_100, 20),
            "CHARGED 20",
            "30/0, closed 100/0")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> h4BoundariesThatRunOutAreAskedForAnew() {
    return rows(ANN_100)
        .row(
            "the next period was handed over",
            given(charge(ANN_100, 100), at(MIDNIGHT.plus(DAY).minusMillis(1))),
            reserve(OF_NOW, 1, 1),
            "HELD 1",
            "0/1, closed 100/0")
        .refusal(
            "the one after it was not",
            given(charge(ANN_100, 100), at(MIDNIGHT.plus(DAY))),
            reserve(OF_NOW, 1, 1),
            "STALE_PERIOD")
        .tests();
  }

  @Test
  void lapsesAreCountedOnce() {
    fixture.fresh();
    given(reserve(ANN_100, 1, 30), reserve(ANN_100, 2, 30), after(60_000), reserve(ANN_100, 3, 101))
        .accept(fixture);
    assertEquals(2, fixture.swept());
    given(reserve(ANN_100, 3, 1)).accept(fixture);
    assertEquals(2, fixture.swept());
  }

  @Test
  void aLapseInATeamIsCountedOnceWhoeverComesUponIt() {
    fixture.fresh();
    ScopeAt team = now -> scope(level(TEAM, 1, daily(100L, now)));
    given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 30), after(60_000), charge(team, 1))
        .accept(fixture);
    assertEquals(1, fixture.swept());
    given(reserve(IN_TEAM, 2, 1)).accept(fixture);
    assertEquals(1, fixture.swept());
  }

  @Test
  void aDryRunSweepsNothing() {
    fixture.fresh();
    given(reserve(ANN_100, 1, 30), after(60_000), dryRun(ANN_100, 1), dryRun(ANN_100, 101))
        .accept(fixture);
    assertEquals(0, fixture.swept());
    given(reserve(ANN_100, 2, 1)).accept(fixture);
    assertEquals(1, fixture.swept());
  }
}
