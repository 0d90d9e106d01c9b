package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.RedisFixture.key;
import static dev.tidegate.store.redis.SampleTerms.DAY;
import static dev.tidegate.store.redis.SampleTerms.MINUTE;
import static dev.tidegate.store.redis.SampleTerms.annInTeam;
import static dev.tidegate.store.redis.SampleTerms.tokens;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.AuditEvent;
import dev.tidegate.store.Grant;
import dev.tidegate.store.GrantStore.AuditQuery;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.QuotaState.LimitState;
import dev.tidegate.store.Scope;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two versions of the service at once on one Redis, as a rolling update has them. */
class RollingUpdateTest {

  private static final int CALLS = 600;
  private static final int AT_ONCE = 32;
  private static final int HELD = 10;
  private static final int SPENT = 7;
  private static final int BOUGHT = 5;

  /** Few enough that an audit event is left of each. */
  private static final int PURCHASES = RedisFixture.AUDIT_EVENTS;

  private static final ScriptCatalogue OLD_SCRIPTS = ScriptCatalogue.load();
  private static final ScriptCatalogue NEW_SCRIPTS =
      ScriptCatalogue.load((file, text) -> "-- " + file + " of the next version.\n" + text);

  private final RedisFixture old = RedisFixture.open(OLD_SCRIPTS);
  private final RedisFixture next = RedisFixture.open(NEW_SCRIPTS);
  private final Scope scope = annInTeam(1_000_000L, 2_000_000L, RedisFixture.NOW);

  @BeforeEach
  void shareOneStore() {
    next.share(old.prefix());
    old.register(scope.root(), scope.subject().subject(), 1);
    old.register(scope.root(), scope.root(), 1);
  }

  @AfterEach
  void close() {
    next.abandon();
    old.close();
  }

  /** One version for the first half of a call and the other for the second. */
  private record Pair(RedisFixture first, RedisFixture second) {}

  private Pair pair(int n) {
    return n % 2 == 0 ? new Pair(old, next) : new Pair(next, old);
  }

  private static ReservationId id(int n) {
    return new ReservationId("rolling%09d".formatted(n), SampleTerms.TEAM);
  }

  private static void inParallel(Stream<Uni<? extends Outcome>> calls) {
    List<Uni<? extends Outcome>> all = calls.toList();
    List<Outcome> outcomes =
        RedisFixture.get(
            Multi.createFrom()
                .iterable(all)
                .onItem()
                .transformToUni(call -> call.map(Outcome.class::cast))
                .merge(AT_ONCE)
                .collect()
                .asList());
    assertEquals(all.size(), outcomes.size());
  }

  /** Held by one version; settled, and settled again, by the other. */
  private Uni<Outcome> settled(int n) {
    Pair pair = pair(n);
    Uni<Outcome.Settling> settle =
        pair.second().store().settle(scope, id(n), Bill.of(tokens(SPENT)), null);
    return pair.first()
        .store()
        .reserve(scope, id(n), tokens(HELD), MINUTE, false, null)
        .invoke(held -> assertInstanceOf(Outcome.Held.class, held))
        .chain(held -> settle)
        .invoke(first -> assertSettled(first, false))
        .chain(first -> pair.first().store().settle(scope, id(n), Bill.of(tokens(SPENT)), null))
        .invoke(second -> assertSettled(second, true))
        .map(Outcome.class::cast);
  }

  private static void assertSettled(Outcome outcome, boolean replayed) {
    assertEquals(replayed, assertInstanceOf(Outcome.Settled.class, outcome).replayed());
  }

  /** Held by one version and released by the other. */
  private Uni<Outcome> released(int n) {
    Pair pair = pair(n);
    return pair.first()
        .store()
        .reserve(scope, id(n), tokens(HELD), MINUTE, false, null)
        .chain(held -> pair.second().store().release(scope, id(n), null))
        .invoke(closed -> assertInstanceOf(Outcome.Closed.class, closed))
        .map(Outcome.class::cast);
  }

  /** Charged by one version with a key, and sent once more to the other. */
  private Uni<Outcome> charged(int n) {
    Pair pair = pair(n);
    var key = key("charge-" + n);
    return pair.first()
        .store()
        .charge(scope, Bill.of(tokens(SPENT)), DAY, key)
        .chain(once -> pair.second().store().charge(scope, Bill.of(tokens(SPENT)), DAY, key))
        .invoke(
            again -> assertEquals(true, assertInstanceOf(Outcome.Charged.class, again).replayed()))
        .map(Outcome.class::cast);
  }

  /** Bought from one version with a key, and sent once more to the other. */
  private Uni<Outcome> bought(int n) {
    Pair pair = pair(n);
    Grant grant = new Grant("olga", "operator", null, null, key("purchase-" + n));
    Amounts amounts = Amounts.of("daily", BOUGHT);
    return pair.first()
        .grants()
        .purchase(scope, amounts, grant)
        .chain(once -> pair.second().grants().purchase(scope, amounts, grant))
        .invoke(
            again -> assertEquals(true, assertInstanceOf(Outcome.ToppedUp.class, again).replayed()))
        .map(Outcome.class::cast);
  }

  /** Redis forgets the scripts of both versions. */
  private Uni<Outcome> forgotten(int n) {
    return pair(n)
        .first()
        .scripts()
        .send(Request.cmd(Command.SCRIPT).arg("FLUSH"))
        .chain(done -> charged(n));
  }

  private Uni<Outcome> call(int n) {
    return switch (n % 6) {
      case 0 -> released(n);
      case 1 -> charged(n);
      case 2 -> n / 6 < PURCHASES ? bought(n) : charged(n);
      case 3 -> n % 60 == 3 ? forgotten(n) : settled(n);
      default -> settled(n);
    };
  }

  private LimitState limit(RedisFixture version, int level) {
    Outcome.Quota quota =
        assertInstanceOf(Outcome.Quota.class, RedisFixture.get(version.store().read(scope)));
    return quota.state().levels().get(level).limits().getFirst();
  }

  @Test
  @DisplayName("What one version began the other ends, under load, and nothing is lost or doubled")
  void underLoad() {
    inParallel(Stream.iterate(0, n -> n < CALLS, n -> n + 1).map(this::call));
    // Of six calls one is released; of the others but the purchases each spends once.
    long spent = (CALLS - CALLS / 6 - PURCHASES) * (long) SPENT;
    for (RedisFixture version : List.of(old, next)) {
      for (int level = 0; level < 2; level++) {
        LimitState limit = limit(version, level);
        assertEquals(spent + "/0", limit.used() + "/" + limit.held());
      }
      assertEquals((long) PURCHASES * BOUGHT, limit(version, 0).topup());
    }
    assertEquals(PURCHASES, purchases().size());
    assertEquals(
        PURCHASES, purchases().stream().map(AuditEvent::key).collect(Collectors.toSet()).size());
  }

  private List<AuditEvent> purchases() {
    AuditQuery query = new AuditQuery(SampleTerms.RESOURCE, null, null, PURCHASES + 1);
    return RedisFixture.get(next.grants().audit(scope.root(), SampleTerms.ANN, query)).events();
  }

  @Test
  @DisplayName("Redis keeps the scripts of both versions side by side")
  void sideBySide() {
    String oldName = OLD_SCRIPTS.source(Script.TAKE_CHARGE).sha1();
    String newName = NEW_SCRIPTS.source(Script.TAKE_CHARGE).sha1();
    assertNotEquals(oldName, newName);
    for (RedisFixture version : List.of(old, next, old)) {
      RedisFixture.get(version.store().charge(scope, Bill.of(tokens(1)), DAY, null));
    }
    assertEquals("[1, 1]", old.text(Command.SCRIPT, "EXISTS", oldName, newName));
    assertEquals(3, limit(next, 0).used());
  }

  @Test
  @DisplayName("What the old version holds lapses for the new one at the same instant")
  void lapses() {
    RedisFixture.get(old.store().reserve(scope, id(1), tokens(HELD), MINUTE, false, null));
    Duration almost = MINUTE.minusMillis(1);
    next.at(RedisFixture.NOW.plus(almost));
    assertEquals(HELD, limit(next, 0).held());
    next.at(RedisFixture.NOW.plus(MINUTE));
    assertEquals(0, limit(next, 0).held());
    Outcome.Settling late =
        RedisFixture.get(next.store().settle(scope, id(1), Bill.of(tokens(SPENT)), null));
    assertEquals(true, assertInstanceOf(Outcome.Settled.class, late).late());
    assertEquals(SPENT, limit(old, 0).used());
    assertEquals(SPENT, limit(next, 0).used());
  }
}
