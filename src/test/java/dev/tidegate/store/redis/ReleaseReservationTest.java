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
import static dev.tidegate.store.redis.RedisFixture.key;
import static dev.tidegate.store.redis.SampleTerms.ANN;
import static dev.tidegate.store.redis.SampleTerms.MIDNIGHT;
import static dev.tidegate.store.redis.SampleTerms.MINUTE;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static dev.tidegate.store.redis.SampleTerms.annInTeam;
import static dev.tidegate.store.redis.SampleTerms.anyVersion;
import static dev.tidegate.store.redis.SampleTerms.leavingTheTeam;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Outcome;
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

/** The table of {@code release_reservation.lua}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReleaseReservationTest {

  static final ScopeAt ANN_100 = now -> ann(100L, now);
  static final ScopeAt IN_TEAM = now -> annInTeam(100L, 100L, now);
  static final ScopeAt OUT_OF_TEAM = now -> leavingTheTeam(IN_TEAM.apply(now));
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
  private static final IdempotencyKey OTHER = new IdempotencyKey("k", "another fingerprint");

  private final RedisFixture fixture = RedisFixture.open();

  @AfterAll
  void close() {
    fixture.close();
  }

  private ScriptRows rows(ScopeAt view) {
    return new ScriptRows(fixture, it -> anyVersion(view.apply(it.now())));
  }

  @TestFactory
  Stream<DynamicTest> givesBack() {
    return rows(ANN_100)
        .row(
            "what is held",
            given(reserve(ANN_100, 1, 50)),
            release(ANN_100, 1),
            "CLOSED RELEASED",
            "0/0")
        .row(
            "and no other hold",
            given(reserve(ANN_100, 1, 50), reserve(ANN_100, 2, 30)),
            release(ANN_100, 1),
            "CLOSED RELEASED",
            "0/30")
        .row(
            "whatever the record says",
            given(reserve(ANN_100, 1, 50), registered(ANN_100, 2)),
            release(ANN_100, 1),
            "CLOSED RELEASED",
            "0/0")
        .row(
            "into the period that it was taken in",
            given(
                at(MIDNIGHT.minusSeconds(2)),
                reserve(ANN_100, 1, 50, FIVE_MINUTES, null),
                at(MIDNIGHT),
                charge(ANN_100, 7)),
            release(ANN_100, 1),
            "CLOSED RELEASED",
            "7/0, closed 0/0")
        .row(
            "1 ms before the lease ends",
            given(reserve(ANN_100, 1, 50), after(59_999)),
            release(ANN_100, 1),
            "CLOSED RELEASED",
            "0/0")
        .row(
            "where a call was charged before",
            given(charge(ANN_100, 20), reserve(ANN_100, 1, 50)),
            release(ANN_100, 1),
            "CLOSED RELEASED",
            "20/0")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> givesNothingBackTwice() {
    return rows(ANN_100)
        .refusal(
            "again",
            given(reserve(ANN_100, 1, 50), release(ANN_100, 1)),
            release(ANN_100, 1),
            "CLOSED RELEASED")
        .refusal(
            "after a settlement",
            given(reserve(ANN_100, 1, 50), settle(ANN_100, 1, 20)),
            release(ANN_100, 1),
            "CLOSED SETTLED")
        .refusal(
            "when the lease ends",
            given(reserve(ANN_100, 1, 50), after(60_000)),
            release(ANN_100, 1),
            "CLOSED LAPSED")
        .refusal(
            "1 ms after that",
            given(reserve(ANN_100, 1, 50), after(60_001)),
            release(ANN_100, 1),
            "CLOSED LAPSED")
        .refusal("unknown", nothing(), release(ANN_100, 1), "NOT_FOUND")
        .refusal(
            "again with its key",
            given(reserve(ANN_100, 1, 50), release(ANN_100, 1, key("k"))),
            release(ANN_100, 1, key("k")),
            "CLOSED RELEASED replayed")
        .refusal(
            "a key of another call",
            given(reserve(ANN_100, 1, 50, MINUTE, key("k"))),
            release(ANN_100, 1, OTHER),
            "KEY_REUSED")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> levelsAndPrecedence() {
    Function<RedisFixture, Integer> forget =
        fixture -> {
          Scope on = IN_TEAM.apply(fixture.now());
          fixture.send(Command.DEL, fixture.keys().reservation(ScriptRows.id(on, 1)));
          return 1;
        };
    return rows(IN_TEAM)
        .row(
            "gives back at every level",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50), reserve(IN_TEAM, 2, 3)),
            release(IN_TEAM, 1),
            "CLOSED RELEASED",
            "0/3 + 0/3")
        .refusal(
            "other levels are told back",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50)),
            release(OUT_OF_TEAM, 1),
            "STALE_LEVELS 0:3:ann,0:4:team")
        .refusal(
            "but not once it is closed",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50), settle(IN_TEAM, 1, 1)),
            release(OUT_OF_TEAM, 1),
            "CLOSED SETTLED")
        .refusal(
            "replay before NOT_FOUND",
            given(
                registered(IN_TEAM, 1),
                reserve(IN_TEAM, 1, 50),
                release(IN_TEAM, 1, key("k")),
                forget),
            release(IN_TEAM, 1, key("k")),
            "CLOSED RELEASED replayed")
        .refusal(
            "a reused key before NOT_FOUND",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50, MINUTE, key("k")), forget),
            release(IN_TEAM, 1, OTHER),
            "KEY_REUSED")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> aReleaseNeverMakesAState() {
    Function<RedisFixture, Integer> forget =
        fixture -> {
          Scope on = ANN_100.apply(fixture.now());
          for (String key : fixture.keys().ofLevel(on.root(), on.subject(), on.resource())) {
            fixture.send(Command.DEL, key);
          }
          return on.levels().size();
        };
    Function<RedisFixture, Outcome> released =
        fixture -> {
          Outcome outcome = release(ANN_100, 1).apply(fixture);
          Scope on = ANN_100.apply(fixture.now());
          fixture
              .keys()
              .ofLevel(on.root(), on.subject(), on.resource())
              .forEach(key -> assertEquals("0", fixture.text(Command.EXISTS, key)));
          return outcome;
        };
    return rows(ANN_100)
        .row(
            "of " + ANN, given(reserve(ANN_100, 1, 50), forget), released, "CLOSED RELEASED", "0/0")
        .tests();
  }
}
