package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.Calls.after;
import static dev.tidegate.store.redis.Calls.at;
import static dev.tidegate.store.redis.Calls.charge;
import static dev.tidegate.store.redis.Calls.extend;
import static dev.tidegate.store.redis.Calls.given;
import static dev.tidegate.store.redis.Calls.purchase;
import static dev.tidegate.store.redis.Calls.release;
import static dev.tidegate.store.redis.Calls.reserve;
import static dev.tidegate.store.redis.Calls.reset;
import static dev.tidegate.store.redis.Calls.settle;
import static dev.tidegate.store.redis.RedisFixture.NOW;
import static dev.tidegate.store.redis.RedisFixture.key;
import static dev.tidegate.store.redis.SampleTerms.ANN;
import static dev.tidegate.store.redis.SampleTerms.DAY;
import static dev.tidegate.store.redis.SampleTerms.MIDNIGHT;
import static dev.tidegate.store.redis.SampleTerms.MINUTE;
import static dev.tidegate.store.redis.SampleTerms.TEAM;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static dev.tidegate.store.redis.SampleTerms.bucket;
import static dev.tidegate.store.redis.SampleTerms.daily;
import static dev.tidegate.store.redis.SampleTerms.level;
import static dev.tidegate.store.redis.SampleTerms.scope;
import static dev.tidegate.store.redis.SampleTerms.sliding;
import static dev.tidegate.store.redis.SampleTerms.tokens;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationStore.Result;
import dev.tidegate.store.ConfigurationStore.SubjectRecord;
import dev.tidegate.store.ConfigurationStore.Written;
import dev.tidegate.store.Scope;
import dev.tidegate.store.redis.Calls.ScopeAt;
import dev.tidegate.store.redis.RedisFixture.Stored;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** How long every key lives. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExpiryTest {

  /** Kinds of keys that never expire, whoever they are of. */
  private static final Set<String> CONFIGURATION =
      Set.of("plans", "subject", "members", "test-clock");

  /** Kinds that expire unless they are of a registered subject. */
  private static final Set<String> STATE =
      Set.of("state", "leases", "history", "usage", "resources");

  /** Kinds that always expire. */
  private static final Set<String> CALLS = Set.of("reservation", "idempotency", "audit", "trail");

  private static final Pattern KIND = Pattern.compile("^[^:]+:1:(?:\\{([^}]*)\\}:)?([a-z-]+).*$");
  private static final Author ANNA = new Author("anna", "admin");
  private static final SubjectId DON = new SubjectId("don");
  static final ScopeAt ANN_100 = now -> ann(100L, now);
  static final ScopeAt DON_100 = now -> scope(level(DON, 3, daily(100L, now)));
  static final ScopeAt IN_TEAM =
      now -> scope(level(ANN, 0, daily(100L, now)), level(TEAM, 1, daily(100L, now)));
  private static final Duration CORRECTED = Duration.ofDays(2);

  /** What the server's clock may move on while a test runs. */
  private static final long RUN_MILLIS = 120_000;

  private final RedisFixture fixture = RedisFixture.open();

  @BeforeEach
  void fresh() {
    fixture.fresh();
  }

  @AfterAll
  void close() {
    fixture.close();
  }

  private static String kindOf(String key) {
    Matcher matcher = KIND.matcher(key);
    assertTrue(matcher.matches(), key);
    return matcher.group(2);
  }

  private long ttl(ScopeAt scope, String part) {
    Stored stored = fixture.snapshot().get(fixture.keyOf(scope.apply(fixture.now()), part));
    assertTrue(stored != null, part);
    return stored.ttlMillis();
  }

  private void assertCovers(Instant needed, long ttlMillis, String what) {
    long least = Duration.between(fixture.now(), needed).toMillis() - RUN_MILLIS;
    assertTrue(ttlMillis >= least, () -> what + " lives " + ttlMillis + ", not " + least);
  }

  /** All that a subject can have done to it. */
  private void live(ScopeAt scope, String name) {
    int n = Math.abs(name.hashCode() % 90_000);
    given(
            reserve(scope, n, 10, MINUTE, key(name + 1)),
            reserve(scope, n + 1, 10, Duration.ofHours(1), null),
            reserve(scope, n + 2, 10),
            reserve(scope, n + 3, 10),
            settle(scope, n, tokens(5), key(name + 2)),
            release(scope, n + 2, key(name + 3)),
            extend(scope, n + 1, Duration.ofHours(2), key(name + 4)),
            charge(scope, tokens(5), key(name + 5)),
            reserve(scope, n + 4, 1_000),
            charge(scope, 99),
            purchase(scope, 10),
            reset(scope),
            after(90_000),
            reserve(scope, n + 5, 95))
        .accept(fixture);
  }

  private void liveThroughTwoResets(ScopeAt scope, String name) {
    fixture.at(NOW);
    live(scope, name + "a");
    fixture.at(MIDNIGHT.minusSeconds(30));
    live(scope, name + "b");
    fixture.at(MIDNIGHT.plus(DAY));
    live(scope, name + "c");
  }

  @Test
  void theKeysThatNeverExpireAreAClosedList() {
    given(Calls.registered(DON_100, 3)).accept(fixture);
    fixture.register(TEAM, TEAM, 1);
    liveThroughTwoResets(ANN_100, "ann");
    liveThroughTwoResets(DON_100, "don");
    liveThroughTwoResets(IN_TEAM, "in-team");
    SortedMap<String, Stored> all = fixture.snapshot();
    Set<String> kinds = new TreeSet<>();
    all.forEach(
        (key, stored) -> {
          String kind = kindOf(key);
          kinds.add(kind);
          boolean ofRegistered =
              STATE.contains(kind)
                  && (key.contains(":" + kind + ":don:") || key.contains(":" + kind + ":team:"));
          boolean permanent = CONFIGURATION.contains(kind) || ofRegistered;
          assertEquals(permanent, stored.ttlMillis() == -1, key + " " + stored.ttlMillis());
          assertTrue(permanent || STATE.contains(kind) || CALLS.contains(kind), key);
        });
    assertEquals(
        Set.of(
            "subject",
            "state",
            "leases",
            "history",
            "resources",
            "usage",
            "reservation",
            "idempotency",
            "audit"),
        kinds);
  }

  @Test
  void stateIsKeptUntilABucketIsFull() {
    ScopeAt slow = now -> scope(level(ANN, 0, bucket(100, 1, DAY)));
    given(charge(slow, 40)).accept(fixture);
    assertCovers(NOW.plus(DAY.multipliedBy(40)).plus(CORRECTED), ttl(slow, "state"), "state");
    given(charge(slow, 60)).accept(fixture);
    assertCovers(NOW.plus(DAY.multipliedBy(100)).plus(CORRECTED), ttl(slow, "state"), "state");
  }

  @Test
  void stateIsKeptUntilAWindowIsEmpty() {
    ScopeAt wide = now -> scope(level(ANN, 0, sliding(100L, DAY.multipliedBy(30), 1)));
    given(charge(wide, 40)).accept(fixture);
    assertCovers(NOW.plus(DAY.multipliedBy(30)).plus(CORRECTED), ttl(wide, "state"), "state");
  }

  @Test
  void whatIsConfiguredNeverExpires() {
    var store = fixture.configuration();
    RedisFixture.get(store.putPlan("free", "{}", null, ANNA));
    RedisFixture.get(store.importPlans(1, "basic", Map.of("basic", "{}"), ANNA));
    RedisFixture.get(store.putTestClock(NOW));
    put(store, TEAM, null);
    put(store, ANN, TEAM);
    put(store, DON, null);
    RedisFixture.get(store.deleteSubject(DON, RedisFixture.get(store.subject(DON)), null, ANNA));
    Set<String> kinds = new TreeSet<>();
    fixture
        .snapshot()
        .forEach(
            (key, stored) -> {
              if (kindOf(key).equals("trail")) {
                assertCovers(NOW.plus(RedisFixture.AUDIT_KEPT), stored.ttlMillis(), key);
              } else {
                kinds.add(kindOf(key));
                assertEquals(-1, stored.ttlMillis(), key);
              }
            });
    assertEquals(CONFIGURATION, kinds);
  }

  private static void put(
      RedisConfigurationStore store, SubjectId subject, @Nullable SubjectId parent) {
    SubjectRecord before = RedisFixture.get(store.subject(subject));
    SubjectId root = parent == null ? subject : parent;
    Written written =
        RedisFixture.get(store.putSubject(subject, before, null, "{}", parent, root, null, ANNA));
    assertEquals(Result.DONE, written.result());
  }

  @Test
  void c5AStateOutlivesItsPeriodByWhatCanStillBeCorrected() {
    given(charge(ANN_100, 1)).accept(fixture);
    assertCovers(MIDNIGHT.plus(CORRECTED), ttl(ANN_100, "state"), "state");
    assertCovers(MIDNIGHT.plus(CORRECTED), ttl(ANN_100, "resources"), "resources");
  }

  @Test
  void c5AClosedPeriodLivesAsLong() {
    given(charge(ANN_100, 1), at(MIDNIGHT), charge(ANN_100, 1)).accept(fixture);
    assertCovers(MIDNIGHT.plus(DAY).plus(CORRECTED), ttl(ANN_100, "state"), "state");
    assertCovers(MIDNIGHT.plus(CORRECTED), ttl(ANN_100, "history"), "history");
  }

  @Test
  void c5ALeaseTakenJustBeforeTheEndIsSettledInto() {
    given(at(MIDNIGHT.minusMillis(1)), reserve(ANN_100, 1, 10, DAY, null)).accept(fixture);
    Instant proof = fixture.now().plus(DAY).plus(DAY);
    assertCovers(proof, ttl(ANN_100, "state"), "state");
    assertCovers(proof, ttl(ANN_100, "leases"), "leases");
  }

  @Test
  void aSessionThatEndsSoonKeepsItsStateForTheLongestLease() {
    ScopeAt session = now -> scope(level(ANN, 0, SampleTerms.session(100L, Duration.ofSeconds(1))));
    given(reserve(session, 1, 10, DAY, null)).accept(fixture);
    assertCovers(fixture.now().plus(CORRECTED), ttl(session, "state"), "state");
  }

  @Test
  void aReservationOutlivesItsLeaseByADay() {
    given(reserve(ANN_100, 1, 10)).accept(fixture);
    assertRecordCovers(MINUTE.plus(DAY));
    given(extend(ANN_100, 1, Duration.ofHours(5))).accept(fixture);
    assertRecordCovers(Duration.ofHours(5).plus(DAY));
    given(settle(ANN_100, 1, 5)).accept(fixture);
    assertRecordCovers(Duration.ofHours(5).plus(DAY));
  }

  private void assertRecordCovers(Duration span) {
    Scope on = ANN_100.apply(fixture.now());
    Stored stored = fixture.snapshot().get(fixture.keys().reservation(ScriptRows.id(on, 1)));
    assertTrue(stored != null && stored.ttlMillis() <= span.toMillis());
    assertCovers(fixture.now().plus(span), stored.ttlMillis(), "reservation");
  }

  @Test
  void aWriteAtTheSamePeriodSetsNoExpiry() {
    given(charge(ANN_100, 1), reserve(ANN_100, 1, 1)).accept(fixture);
    SortedMap<String, Stored> before = fixture.snapshot();
    for (int n = 2; n < 50; n++) {
      given(charge(ANN_100, 1), reserve(ANN_100, n, 1)).accept(fixture);
    }
    ScriptRows.assertNoTtlGrew(before, fixture.snapshot());
  }

  @Test
  void a6AThousandRefusalsMoveNothing() {
    ScopeAt small = now -> ann(10L, now);
    given(charge(small, 9), reserve(small, 1, 1)).accept(fixture);
    ScriptRows.assertChangesNothing(
        fixture,
        small.apply(fixture.now()),
        () -> {
          for (int n = 0; n < 1_000; n++) {
            given(reserve(small, 2, 5)).accept(fixture);
          }
        });
  }

  @Test
  void readsAndReplaysLengthenNothing() {
    liveThroughTwoResets(ANN_100, "ann");
    Scope on = ANN_100.apply(fixture.now());
    ScriptRows.assertChangesNothing(
        fixture,
        on,
        () -> {
          for (int n = 0; n < 50; n++) {
            given(
                    Calls.read(ANN_100),
                    Calls.readPeriods(ANN_100),
                    Calls.find(ANN_100, 1),
                    charge(ANN_100, tokens(5), key("annc5")),
                    reserve(ANN_100, 1, 10, MINUTE, key("annc1")))
                .accept(fixture);
          }
        });
  }

  @Test
  void g10ManyIdsLeaveOnlyKeysThatExpire() {
    Random random = new Random(20_261_014);
    for (int n = 0; n < 2_000; n++) {
      SubjectId id = new SubjectId("id-" + Long.toHexString(random.nextLong()));
      ScopeAt scope = now -> scope(level(id, 0, daily(100L, now)));
      given(n % 2 == 0 ? charge(scope, 1) : reserve(scope, n, 1)).accept(fixture);
    }
    SortedMap<String, Stored> all = fixture.snapshot();
    assertTrue(all.size() >= 4_000);
    long longest = Duration.ofDays(4).toMillis();
    all.forEach(
        (key, stored) -> assertTrue(stored.ttlMillis() > 0 && stored.ttlMillis() <= longest, key));
  }

  @Test
  void aRegisteredSubjectsStateIsPermanentFromItsNextWrite() {
    given(charge(ANN_100, 1), at(MIDNIGHT), charge(ANN_100, 1), reserve(ANN_100, 1, 1))
        .accept(fixture);
    ScopeAt registered = now -> scope(level(ANN, 1, daily(100L, now)));
    given(Calls.registered(registered, 1)).accept(fixture);
    List<String> parts = List.of("state", "leases", "history", "resources");
    parts.forEach(part -> assertTrue(ttl(registered, part) > 0, part));
    given(charge(registered, 1)).accept(fixture);
    parts.forEach(part -> assertEquals(-1, ttl(registered, part), part));
  }

  @Test
  void aDeletedSubjectsStateLivesAsLongAsItCanBeSettledInto() {
    given(Calls.registered(DON_100, 3)).accept(fixture);
    liveThroughTwoResets(DON_100, "don");
    var store = fixture.configuration();
    SubjectRecord before = RedisFixture.get(store.subject(DON));
    assertEquals(
        Result.DONE, RedisFixture.get(store.deleteSubject(DON, before, null, ANNA)).result());
    fixture
        .snapshot()
        .forEach(
            (key, stored) -> {
              if (STATE.contains(kindOf(key))) {
                assertTrue(stored.ttlMillis() <= CORRECTED.toMillis(), key);
                assertCovers(fixture.now().plus(CORRECTED), stored.ttlMillis(), key);
              }
            });
  }

  @Test
  void h14AStateWithoutAnExpiryGetsOneWhereItNeedsIt() {
    given(charge(ANN_100, 1), reserve(ANN_100, 1, 1)).accept(fixture);
    Scope on = ANN_100.apply(fixture.now());
    List<String> parts = List.of("state", "leases", "resources");
    parts.forEach(part -> fixture.send(Command.PERSIST, fixture.keyOf(on, part)));
    fixture.send(Command.HDEL, fixture.keyOf(on, "state"), "x");
    given(charge(ANN_100, 1)).accept(fixture);
    parts.forEach(part -> assertTrue(ttl(ANN_100, part) > 0, part));
  }

  @Test
  void anUnregisteredMemberOfARegisteredTeamExpiresAlone() {
    fixture.register(TEAM, TEAM, 1);
    given(reserve(IN_TEAM, 1, 1)).accept(fixture);
    Map<String, Stored> all = fixture.snapshot();
    all.forEach(
        (key, stored) -> {
          if (key.contains(":state:")) {
            assertEquals(key.contains(":state:team:"), stored.ttlMillis() == -1, key);
          }
        });
  }

  @Test
  void aLeaseSetThatWasEmptyExpiresAgain() {
    given(reserve(ANN_100, 1, 1), release(ANN_100, 1), reserve(ANN_100, 2, 1)).accept(fixture);
    assertTrue(ttl(ANN_100, "leases") > 0);
    given(settle(ANN_100, 2, 1), reserve(ANN_100, 3, 1)).accept(fixture);
    assertTrue(ttl(ANN_100, "leases") > 0);
    given(after(60_000), reserve(ANN_100, 4, 1)).accept(fixture);
    assertTrue(ttl(ANN_100, "leases") > 0);
  }

  @Test
  void c4ASettlementMakesNoKeyThatNeverExpires() {
    given(reserve(ANN_100, 1, 50)).accept(fixture);
    Scope on = ANN_100.apply(fixture.now());
    for (String key : fixture.keys().ofLevel(ANN, on.subject(), on.resource())) {
      fixture.send(Command.DEL, key);
    }
    ScopeAt unconfigured = now -> SampleTerms.anyVersion(SampleTerms.withoutLimits(ann(100L, now)));
    given(settle(unconfigured, 1, 20)).accept(fixture);
    fixture.snapshot().forEach((key, stored) -> assertTrue(stored.ttlMillis() > 0, key));
  }
}
