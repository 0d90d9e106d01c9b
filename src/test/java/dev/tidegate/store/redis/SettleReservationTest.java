package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.Calls.after;
import static dev.tidegate.store.redis.Calls.at;
import static dev.tidegate.store.redis.Calls.charge;
import static dev.tidegate.store.redis.Calls.given;
import static dev.tidegate.store.redis.Calls.nothing;
import static dev.tidegate.store.redis.Calls.registered;
import static dev.tidegate.store.redis.Calls.release;
import static dev.tidegate.store.redis.Calls.reserve;
import static dev.tidegate.store.redis.Calls.settle;
import static dev.tidegate.store.redis.RedisFixture.NOW;
import static dev.tidegate.store.redis.RedisFixture.key;
import static dev.tidegate.store.redis.SampleTerms.DAY;
import static dev.tidegate.store.redis.SampleTerms.MIDNIGHT;
import static dev.tidegate.store.redis.SampleTerms.MINUTE;
import static dev.tidegate.store.redis.SampleTerms.TEAM;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static dev.tidegate.store.redis.SampleTerms.annInTeam;
import static dev.tidegate.store.redis.SampleTerms.anyVersion;
import static dev.tidegate.store.redis.SampleTerms.daily;
import static dev.tidegate.store.redis.SampleTerms.leavingTheTeam;
import static dev.tidegate.store.redis.SampleTerms.level;
import static dev.tidegate.store.redis.SampleTerms.scope;
import static dev.tidegate.store.redis.SampleTerms.tokens;
import static dev.tidegate.store.redis.SampleTerms.withoutLimits;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Scope;
import dev.tidegate.store.redis.Calls.ScopeAt;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** The table of {@code settle_reservation.lua}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SettleReservationTest {

  static final ScopeAt ANN_100 = now -> ann(100L, now);
  static final ScopeAt OF_NOW = now -> ann(100L, NOW);
  static final ScopeAt UNLIMITED = now -> ann(null, now);
  static final ScopeAt IN_TEAM = now -> annInTeam(100L, 100L, now);
  static final ScopeAt OUT_OF_TEAM = now -> leavingTheTeam(IN_TEAM.apply(now));
  static final ScopeAt UNCONFIGURED = now -> anyVersion(withoutLimits(ann(100L, now)));
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
  private static final IdempotencyKey OTHER = new IdempotencyKey("k", "another fingerprint");
  private static final Amounts IMAGES = Amounts.of("images", 1);

  private final RedisFixture fixture = RedisFixture.open();

  @AfterAll
  void close() {
    fixture.close();
  }

  private ScriptRows rows(ScopeAt view) {
    return new ScriptRows(fixture, it -> anyVersion(view.apply(it.now())));
  }

  private static Function<RedisFixture, Integer> delete(ScopeAt scope, String... parts) {
    return fixture -> {
      for (String part : parts) {
        fixture.send(Command.DEL, fixture.keyOf(scope.apply(fixture.now()), part));
      }
      return parts.length;
    };
  }

  private static Function<RedisFixture, Integer> deleteRecord(ScopeAt scope, int n) {
    return fixture -> {
      Scope on = scope.apply(fixture.now());
      fixture.send(Command.DEL, fixture.keys().reservation(ScriptRows.id(on, n)));
      return n;
    };
  }

  @TestFactory
  Stream<DynamicTest> chargesWhatItCost() {
    return rows(ANN_100)
        .row(
            "below the hold",
            given(reserve(ANN_100, 1, 50)),
            settle(ANN_100, 1, 20),
            "SETTLED 20",
            "20/0")
        .row(
            "above the hold",
            given(reserve(ANN_100, 1, 50)),
            settle(ANN_100, 1, 70),
            "SETTLED 70",
            "70/0")
        .row(
            "above everything",
            given(charge(ANN_100, 40), reserve(ANN_100, 1, 50)),
            settle(ANN_100, 1, 90),
            "SETTLED 90",
            "130/0")
        .row("nothing", given(reserve(ANN_100, 1, 50)), settle(ANN_100, 1, 0), "SETTLED 0", "0/0")
        .row(
            "what is held",
            given(reserve(ANN_100, 1, 50)),
            settle(ANN_100, 1, null, null),
            "SETTLED 50",
            "50/0")
        .row(
            "beside another hold",
            given(reserve(ANN_100, 1, 50), reserve(ANN_100, 2, 30)),
            settle(ANN_100, 1, 20),
            "SETTLED 20",
            "20/30")
        .row(
            "after a lapse, though the room was resold",
            given(
                reserve(ANN_100, 1, 100),
                after(600_000),
                reserve(ANN_100, 2, 100),
                settle(ANN_100, 2, 100)),
            settle(ANN_100, 1, 80),
            "SETTLED 80 late",
            "180/0")
        .row(
            "after a release",
            given(reserve(ANN_100, 1, 50), release(ANN_100, 1)),
            settle(ANN_100, 1, 20),
            "SETTLED 20 late",
            "20/0")
        .row(
            "though the plan is gone",
            given(reserve(ANN_100, 1, 50)),
            settle(UNCONFIGURED, 1, 20),
            "SETTLED 20",
            "20/0")
        .row(
            "late though the plan is gone",
            given(reserve(ANN_100, 1, 50), after(60_000)),
            settle(UNCONFIGURED, 1, 20),
            "SETTLED 20 late",
            "20/0")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> chargesEveryLevel() {
    return rows(IN_TEAM)
        .row(
            "both",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50)),
            settle(IN_TEAM, 1, 20),
            "SETTLED 20",
            "20/0 + 20/0")
        .row(
            "late",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50), after(60_000)),
            settle(IN_TEAM, 1, 20),
            "SETTLED 20 late",
            "20/0 + 20/0")
        .refusal(
            "never twice",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50), settle(IN_TEAM, 1, 20)),
            settle(IN_TEAM, 1, 20),
            "SETTLED 20 replayed")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> refusals() {
    return rows(ANN_100)
        .refusal(
            "again",
            given(reserve(ANN_100, 1, 50), settle(ANN_100, 1, 20)),
            settle(ANN_100, 1, 20),
            "SETTLED 20 replayed")
        .refusal(
            "again, hours later",
            given(reserve(ANN_100, 1, 50), after(60_000), settle(ANN_100, 1, 20), after(7_200_000)),
            settle(ANN_100, 1, 20),
            "SETTLED 20 late replayed")
        .refusal(
            "again, as what is held",
            given(reserve(ANN_100, 1, 50), settle(ANN_100, 1, 50)),
            settle(ANN_100, 1, null, null),
            "SETTLED 50 replayed")
        .refusal(
            "with another amount",
            given(reserve(ANN_100, 1, 50), settle(ANN_100, 1, 20)),
            settle(ANN_100, 1, 25),
            "ALREADY_SETTLED 20")
        .refusal(
            "again with its key",
            given(reserve(ANN_100, 1, 50), settle(ANN_100, 1, tokens(20), key("k"))),
            settle(ANN_100, 1, tokens(20), key("k")),
            "SETTLED 20 replayed")
        .refusal(
            "a key of another call",
            given(reserve(ANN_100, 1, 50, MINUTE, key("k"))),
            settle(ANN_100, 1, tokens(20), OTHER),
            "KEY_REUSED")
        .refusal(
            "a held meter is not named",
            given(reserve(ANN_100, 1, 50)),
            settle(ANN_100, 1, IMAGES, null),
            "UNNAMED tokens")
        .refusal(
            "the record is another",
            given(reserve(ANN_100, 1, 50), registered(ANN_100, 2)),
            settle(ANN_100, 1, 20),
            "STALE_CONFIG")
        .refusal(
            "the periods handed over are over",
            given(reserve(ANN_100, 1, 50, DAY, null), at(MIDNIGHT.plus(DAY))),
            settle(OF_NOW, 1, 20),
            "STALE_PERIOD")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> b17WhatIsNotKnownIsNotTold() {
    SubjectId bob = new SubjectId("bob");
    ScopeAt bobInTeam =
        now -> scope(level(bob, 1, daily(100L, now)), level(TEAM, 1, daily(100L, now)));
    ScopeAt elsewhere = now -> new Scope(TEAM, IN_TEAM.apply(now).levels(), "gpt", 1);
    return rows(IN_TEAM)
        .refusal("unknown", nothing(), settle(IN_TEAM, 1, 20), "NOT_FOUND")
        .refusal(
            "another's",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50)),
            settle(bobInTeam, 1, 20),
            "NOT_FOUND")
        .refusal(
            "of another resource",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50)),
            settle(elsewhere, 1, 20),
            "NOT_FOUND")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> b16TheProofEndsADayAfterTheLease() {
    long proof = MINUTE.plus(DAY).toMillis();
    return rows(ANN_100)
        .row(
            "1 ms before",
            given(reserve(ANN_100, 1, 50), after(proof - 1)),
            settle(ANN_100, 1, 20),
            "SETTLED 20 late",
            "0/0, closed 20/0")
        .refusal(
            "at its end",
            given(reserve(ANN_100, 1, 50), after(proof)),
            settle(ANN_100, 1, 20),
            "NOT_FOUND")
        .refusal(
            "settled, at its end",
            given(reserve(ANN_100, 1, 50), settle(ANN_100, 1, 20), after(proof)),
            settle(ANN_100, 1, 20),
            "NOT_FOUND")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> sumsEndAtTheGreatestAmount() {
    return rows(UNLIMITED)
        .row(
            "at it",
            given(charge(UNLIMITED, Amounts.MAX - 10), reserve(UNLIMITED, 1, 5)),
            settle(UNLIMITED, 1, 10),
            "SETTLED 10",
            Amounts.MAX + "/0")
        .refusal(
            "beyond it",
            given(charge(UNLIMITED, Amounts.MAX - 10), reserve(UNLIMITED, 1, 5)),
            settle(UNLIMITED, 1, 11),
            "OVERFLOW tokens")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> otherLevelsAreToldBack() {
    return rows(IN_TEAM)
        .refusal(
            "taken in a team",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50)),
            settle(OUT_OF_TEAM, 1, 20),
            "STALE_LEVELS 0:3:ann,0:4:team")
        .refusal(
            "taken outside of it",
            given(registered(IN_TEAM, 1), reserve(OUT_OF_TEAM, 1, 50)),
            settle(IN_TEAM, 1, 20),
            "STALE_LEVELS 0:3:ann")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> precedence() {
    return rows(ANN_100)
        .refusal(
            "replay before NOT_FOUND",
            given(
                reserve(ANN_100, 1, 50),
                settle(ANN_100, 1, tokens(20), key("k")),
                deleteRecord(ANN_100, 1)),
            settle(ANN_100, 1, tokens(20), key("k")),
            "SETTLED 20 replayed")
        .refusal(
            "a reused key before NOT_FOUND",
            given(reserve(ANN_100, 1, 50, MINUTE, key("k")), deleteRecord(ANN_100, 1)),
            settle(ANN_100, 1, tokens(20), OTHER),
            "KEY_REUSED")
        .refusal(
            "NOT_FOUND before UNNAMED", nothing(), settle(ANN_100, 1, IMAGES, null), "NOT_FOUND")
        .refusal(
            "NOT_FOUND before stale configuration",
            given(registered(ANN_100, 2)),
            settle(ANN_100, 1, 20),
            "NOT_FOUND")
        .refusal(
            "UNNAMED before ALREADY_SETTLED",
            given(reserve(ANN_100, 1, 50), settle(ANN_100, 1, 20)),
            settle(ANN_100, 1, IMAGES, null),
            "UNNAMED tokens")
        .refusal(
            "the first result before stale configuration",
            given(reserve(ANN_100, 1, 50), settle(ANN_100, 1, 20), registered(ANN_100, 2)),
            settle(ANN_100, 1, 20),
            "SETTLED 20 replayed")
        .refusal(
            "stale configuration before OVERFLOW",
            given(charge(UNLIMITED, Amounts.MAX), reserve(UNLIMITED, 1, 0), registered(ANN_100, 2)),
            settle(UNLIMITED, 1, 1),
            "STALE_CONFIG")
        .refusal(
            "a stale period before OVERFLOW",
            given(
                charge(UNLIMITED, Amounts.MAX),
                reserve(UNLIMITED, 1, tokens(0), DAY, false, null),
                at(MIDNIGHT.plus(DAY))),
            settle(now -> ann(null, NOW), 1, 1),
            "STALE_PERIOD")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> precedenceInATeam() {
    return rows(IN_TEAM)
        .refusal(
            "the first result before other levels",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50), settle(IN_TEAM, 1, 20)),
            settle(OUT_OF_TEAM, 1, 20),
            "SETTLED 20 replayed")
        .refusal(
            "ALREADY_SETTLED before other levels",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50), settle(IN_TEAM, 1, 20)),
            settle(OUT_OF_TEAM, 1, 21),
            "ALREADY_SETTLED 20")
        .refusal(
            "other levels before stale configuration",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50), registered(IN_TEAM, 2)),
            settle(OUT_OF_TEAM, 1, 20),
            "STALE_LEVELS 0:3:ann,0:4:team")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> aLeaseEndsAtItsEnd() {
    return rows(ANN_100)
        .row(
            "1 ms before",
            given(reserve(ANN_100, 1, 50), after(59_999)),
            settle(ANN_100, 1, 20),
            "SETTLED 20",
            "20/0")
        .row(
            "at the end",
            given(reserve(ANN_100, 1, 50), after(60_000)),
            settle(ANN_100, 1, 20),
            "SETTLED 20 late",
            "20/0")
        .row(
            "1 ms after",
            given(reserve(ANN_100, 1, 50), after(60_001)),
            settle(ANN_100, 1, 20),
            "SETTLED 20 late",
            "20/0")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> aHoldIsSettledIntoThePeriodThatItWasTakenIn() {
    Function<RedisFixture, ?> before = at(MIDNIGHT.minusSeconds(2));
    return rows(ANN_100)
        .row(
            "1 ms before the end",
            given(before, reserve(ANN_100, 1, 50, FIVE_MINUTES, null), at(MIDNIGHT.minusMillis(1))),
            settle(ANN_100, 1, 35),
            "SETTLED 35",
            "35/0")
        .row(
            "at the end",
            given(before, reserve(ANN_100, 1, 50, FIVE_MINUTES, null), at(MIDNIGHT)),
            settle(ANN_100, 1, 35),
            "SETTLED 35",
            "0/0, closed 35/0")
        .row(
            "after the new one was used",
            given(
                before,
                reserve(ANN_100, 1, 50, FIVE_MINUTES, null),
                at(MIDNIGHT),
                charge(ANN_100, 7)),
            settle(ANN_100, 1, 35),
            "SETTLED 35",
            "7/0, closed 35/0")
        .row(
            "late, after the new one was used",
            given(before, reserve(ANN_100, 1, 50), at(MIDNIGHT.plus(MINUTE)), charge(ANN_100, 7)),
            settle(ANN_100, 1, 35),
            "SETTLED 35 late",
            "7/0, closed 35/0")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> c4WhatHasExpiredComesBackWithoutAnImmortalKey() {
    Function<RedisFixture, ?> before = at(MIDNIGHT.minusSeconds(2));
    return rows(ANN_100)
        .row(
            "the closed period",
            given(
                before,
                reserve(ANN_100, 1, 50, FIVE_MINUTES, null),
                at(MIDNIGHT),
                charge(ANN_100, 7),
                delete(ANN_100, "history")),
            settle(ANN_100, 1, 35),
            "SETTLED 35",
            "7/0")
        .refusal(
            "the record",
            given(
                before,
                reserve(ANN_100, 1, 50, FIVE_MINUTES, null),
                at(MIDNIGHT),
                charge(ANN_100, 7),
                deleteRecord(ANN_100, 1)),
            settle(ANN_100, 1, 35),
            "NOT_FOUND")
        .row(
            "the whole state",
            given(reserve(ANN_100, 1, 50), delete(ANN_100, "state", "leases", "resources")),
            settle(ANN_100, 1, 35),
            "SETTLED 35",
            "0/0")
        .tests();
  }
}
