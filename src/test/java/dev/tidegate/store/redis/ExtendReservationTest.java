package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.Calls.after;
import static dev.tidegate.store.redis.Calls.extend;
import static dev.tidegate.store.redis.Calls.find;
import static dev.tidegate.store.redis.Calls.given;
import static dev.tidegate.store.redis.Calls.nothing;
import static dev.tidegate.store.redis.Calls.registered;
import static dev.tidegate.store.redis.Calls.release;
import static dev.tidegate.store.redis.Calls.reserve;
import static dev.tidegate.store.redis.Calls.settle;
import static dev.tidegate.store.redis.RedisFixture.key;
import static dev.tidegate.store.redis.SampleTerms.DAY;
import static dev.tidegate.store.redis.SampleTerms.MINUTE;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static dev.tidegate.store.redis.SampleTerms.annInTeam;
import static dev.tidegate.store.redis.SampleTerms.anyVersion;
import static dev.tidegate.store.redis.SampleTerms.leavingTheTeam;

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

/** The table of {@code extend_reservation.lua}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExtendReservationTest {

  static final ScopeAt ANN_100 = now -> ann(100L, now);
  static final ScopeAt IN_TEAM = now -> annInTeam(100L, 100L, now);
  static final ScopeAt OUT_OF_TEAM = now -> leavingTheTeam(IN_TEAM.apply(now));
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
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
  Stream<DynamicTest> aLeaseEndsLater() {
    return rows(ANN_100)
        .row(
            "and holds until then",
            given(
                reserve(ANN_100, 1, 90), after(30_000), extend(ANN_100, 1, MINUTE), after(59_999)),
            reserve(ANN_100, 2, 20),
            "DENIED 1 [DENIED 0.0 1]",
            "0/90")
        .row(
            "and no longer",
            given(
                reserve(ANN_100, 1, 90), after(30_000), extend(ANN_100, 1, MINUTE), after(60_000)),
            reserve(ANN_100, 2, 20),
            "HELD 20",
            "0/20")
        .row(
            "1 ms before its end",
            given(reserve(ANN_100, 1, 90), after(59_999)),
            extend(ANN_100, 1, MINUTE),
            "EXTENDED",
            "0/90")
        .row(
            "at its longest",
            given(reserve(ANN_100, 1, 90)),
            extend(ANN_100, 1, DAY),
            "EXTENDED",
            "0/90")
        .row(
            "no longer than a day",
            given(reserve(ANN_100, 1, 90), after(1)),
            extend(ANN_100, 1, DAY),
            "EXTENDED capped",
            "0/90")
        .row(
            "it is settled as any other",
            given(reserve(ANN_100, 1, 90), extend(ANN_100, 1, TEN_MINUTES), after(599_999)),
            settle(ANN_100, 1, 20),
            "SETTLED 20",
            "20/0")
        .row(
            "it is released as any other",
            given(reserve(ANN_100, 1, 90), extend(ANN_100, 1, TEN_MINUTES), after(599_999)),
            release(ANN_100, 1),
            "CLOSED RELEASED",
            "0/0")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> refusals() {
    return rows(ANN_100)
        .refusal(
            "never sooner",
            given(reserve(ANN_100, 1, 90, TEN_MINUTES, null)),
            extend(ANN_100, 1, MINUTE),
            "EXTENDED")
        .refusal(
            "b19, at the end of the lease",
            given(reserve(ANN_100, 1, 90), after(60_000)),
            extend(ANN_100, 1, MINUTE),
            "CLOSED LAPSED")
        .refusal(
            "b19, 1 ms later",
            given(reserve(ANN_100, 1, 90), after(60_001)),
            extend(ANN_100, 1, MINUTE),
            "CLOSED LAPSED")
        .refusal(
            "settled",
            given(reserve(ANN_100, 1, 90), settle(ANN_100, 1, 1)),
            extend(ANN_100, 1, MINUTE),
            "CLOSED SETTLED")
        .refusal(
            "released",
            given(reserve(ANN_100, 1, 90), release(ANN_100, 1)),
            extend(ANN_100, 1, MINUTE),
            "CLOSED RELEASED")
        .refusal("unknown", nothing(), extend(ANN_100, 1, MINUTE), "NOT_FOUND")
        .refusal(
            "the record is another",
            given(reserve(ANN_100, 1, 90), registered(ANN_100, 2)),
            extend(ANN_100, 1, MINUTE),
            "STALE_CONFIG")
        .refusal(
            "again with its key",
            given(
                reserve(ANN_100, 1, 90), extend(ANN_100, 1, TEN_MINUTES, key("k")), after(30_000)),
            extend(ANN_100, 1, TEN_MINUTES, key("k")),
            "EXTENDED replayed")
        .refusal(
            "a key of another call",
            given(reserve(ANN_100, 1, 90, MINUTE, key("k"))),
            extend(ANN_100, 1, MINUTE, OTHER),
            "KEY_REUSED")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> precedence() {
    Function<RedisFixture, Integer> forget =
        fixture -> {
          Scope on = IN_TEAM.apply(fixture.now());
          fixture.send(Command.DEL, fixture.keys().reservation(ScriptRows.id(on, 1)));
          return 1;
        };
    return rows(IN_TEAM)
        .refusal(
            "replay before NOT_FOUND",
            given(
                registered(IN_TEAM, 1),
                reserve(IN_TEAM, 1, 50),
                extend(IN_TEAM, 1, TEN_MINUTES, key("k")),
                forget),
            extend(IN_TEAM, 1, TEN_MINUTES, key("k")),
            "EXTENDED replayed")
        .refusal(
            "a reused key before NOT_FOUND",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50, MINUTE, key("k")), forget),
            extend(IN_TEAM, 1, MINUTE, OTHER),
            "KEY_REUSED")
        .refusal(
            "NOT_FOUND before stale configuration",
            given(registered(IN_TEAM, 2)),
            extend(IN_TEAM, 1, MINUTE),
            "NOT_FOUND")
        .refusal(
            "other levels are told back",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50)),
            extend(OUT_OF_TEAM, 1, MINUTE),
            "STALE_LEVELS 0:3:ann,0:4:team")
        .refusal(
            "closed before other levels",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50), after(60_000)),
            extend(OUT_OF_TEAM, 1, MINUTE),
            "CLOSED LAPSED")
        .refusal(
            "closed before stale configuration",
            given(
                registered(IN_TEAM, 1),
                reserve(IN_TEAM, 1, 50),
                after(60_000),
                registered(IN_TEAM, 2)),
            extend(IN_TEAM, 1, MINUTE),
            "CLOSED LAPSED")
        .refusal(
            "other levels before stale configuration",
            given(registered(IN_TEAM, 1), reserve(IN_TEAM, 1, 50), registered(IN_TEAM, 2)),
            extend(OUT_OF_TEAM, 1, MINUTE),
            "STALE_LEVELS 0:3:ann,0:4:team")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> everyLevelHoldsAsLong() {
    return rows(IN_TEAM)
        .row(
            "at both levels",
            given(
                registered(IN_TEAM, 1),
                reserve(IN_TEAM, 1, 90),
                extend(IN_TEAM, 1, TEN_MINUTES),
                after(60_000)),
            reserve(IN_TEAM, 2, 20),
            "DENIED 540000 [DENIED 0.0 540000] [DENIED 1.0 540000]",
            "0/90 + 0/90")
        .refusal(
            "and is found to be held",
            given(
                registered(IN_TEAM, 1),
                reserve(IN_TEAM, 1, 90),
                extend(IN_TEAM, 1, TEN_MINUTES),
                after(599_999)),
            find(IN_TEAM, 1),
            "FOUND HELD 90")
        .refusal(
            "until it is not",
            given(
                registered(IN_TEAM, 1),
                reserve(IN_TEAM, 1, 90),
                extend(IN_TEAM, 1, TEN_MINUTES),
                after(600_000)),
            find(IN_TEAM, 1),
            "FOUND LAPSED 90")
        .tests();
  }
}
