package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.MeteringStore.Operation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an idempotency key does to a call. */
abstract class KeyContract extends ContractFixture {

  private static final IdempotencyKey KEY = new IdempotencyKey("key-1", "aaaa");
  private static final IdempotencyKey OTHER_CALL = new IdempotencyKey("key-1", "bbbb");

  private Outcome.Held held(Caller caller, long amount, IdempotencyKey key) {
    return assertInstanceOf(
        Outcome.Held.class, caller.reserve(caller.newId(), Caller.tokens(amount), key));
  }

  private static Outcome.Held replayOf(Outcome.Held first) {
    return new Outcome.Held(first.id(), first.expiresAt(), first.amounts(), first.state(), true);
  }

  @Test
  @DisplayName("H9 a repeated reservation gets the first answer and holds once")
  void reservation() {
    Caller alice = daily(100L);
    Outcome.Held first = held(alice, 10, KEY);
    assertFalse(first.replayed());
    alice.charged(5);
    pass(HOUR);
    assertEquals(replayOf(first), held(alice, 10, KEY));
    assertCounts(5, 0, alice.limit());
    assertEquals(replayOf(first), alice.replay(Operation.RESERVE, KEY));
  }

  @Test
  @DisplayName("A repeated charge gets the first answer and charges once")
  void charge() {
    Caller alice = daily(100L);
    Outcome.Charged first =
        assertInstanceOf(Outcome.Charged.class, alice.charge(Caller.tokens(10), KEY));
    assertFalse(first.replayed());
    assertEquals(alice.read(), first.state());
    pass(DAY.minusMillis(1));
    Outcome.Charged replay = new Outcome.Charged(first.charged(), first.state(), true);
    assertEquals(replay, alice.charge(Caller.tokens(10), KEY));
    assertEquals(replay, alice.replay(Operation.CHARGE, KEY));
    passTo(START);
    assertCounts(10, 0, alice.limit());
  }

  @Test
  @DisplayName("D5 D7 the same key for another call is refused and changes nothing")
  void reused() {
    Caller alice = daily(100L);
    held(alice, 10, KEY);
    ReservationId id = alice.hold(1);
    Outcome.KeyReused reused = new Outcome.KeyReused();
    assertEquals(reused, alice.reserve(alice.newId(), Caller.tokens(20), OTHER_CALL));
    assertEquals(reused, alice.dryRun(20, OTHER_CALL));
    assertEquals(reused, alice.charge(Caller.tokens(20), OTHER_CALL));
    assertEquals(reused, alice.settle(id, Caller.tokens(1), OTHER_CALL));
    assertEquals(reused, alice.release(id, OTHER_CALL));
    assertEquals(reused, alice.extend(id, HOUR, OTHER_CALL));
    assertEquals(reused, alice.replay(Operation.RESERVE, OTHER_CALL));
    assertCounts(0, 11, alice.limit());
  }

  @Test
  @DisplayName("D12 a denial is not stored: the same key is decided again")
  void denial() {
    Caller alice = daily(100L);
    alice.charged(100);
    assertInstanceOf(Outcome.Refused.class, alice.reserve(alice.newId(), Caller.tokens(10), KEY));
    assertInstanceOf(Outcome.Refused.class, alice.charge(Caller.tokens(10), OTHER_CALL));
    assertEquals(new Outcome.NotFound(), alice.replay(Operation.RESERVE, KEY));
    pass(DAY);
    assertFalse(held(alice, 10, KEY).replayed());
  }

  @Test
  @DisplayName("A dry run stores no key and answers with the first answer of one")
  void dryRun() {
    Caller alice = daily(100L);
    assertInstanceOf(Outcome.Fits.class, alice.dryRun(10, KEY));
    Outcome.Held first = held(alice, 10, KEY);
    assertFalse(first.replayed());
    assertEquals(replayOf(first), alice.dryRun(10, KEY));
  }

  @Test
  @DisplayName("D13 the key of a reservation is new again 24 hours after its lease")
  void retention() {
    Caller alice = daily(100L);
    held(alice, 10, KEY);
    passMillis(60_000 + DAY_MILLIS - 1);
    assertTrue(held(alice, 10, KEY).replayed());
    passMillis(1);
    assertFalse(held(alice, 10, KEY).replayed());
  }

  @Test
  @DisplayName("The key of a charge is new again when it was kept as long as was asked")
  void chargeRetention() {
    Caller alice = daily(100L);
    alice.charge(Caller.tokens(10), KEY);
    pass(DAY);
    assertEquals(new Outcome.NotFound(), alice.replay(Operation.CHARGE, KEY));
    alice.charge(Caller.tokens(10), KEY);
    assertCounts(10, 0, alice.limit());
  }

  @Test
  @DisplayName("A key belongs to one subject and one life of it")
  void belongs() {
    PlanLevel team = PlanLevel.of("team", PlanLimit.every(DAY, "daily", "tokens", 100L));
    Caller alice = caller(PlanLevel.of("alice"), team);
    Caller bob = caller(PlanLevel.of("bob"), team);
    Caller reborn = caller(PlanLevel.of("alice").withIncarnation(1), team);
    for (Caller caller : List.of(alice, bob, reborn)) {
      assertFalse(held(caller, 10, KEY).replayed());
    }
    assertCounts(0, 30, alice.level(1).limits().getFirst());
  }

  @Test
  @DisplayName("A key works across resources, so that another resource is another call")
  void acrossResources() {
    Caller alice = daily(100L);
    held(alice, 10, KEY);
    alice.resource = "gpt";
    assertEquals(
        new Outcome.KeyReused(), alice.reserve(alice.newId(), Caller.tokens(10), OTHER_CALL));
  }

  @Test
  @DisplayName("A repeated settlement, release and extension get their first answers")
  void others() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(10);
    Outcome.Extended extended =
        assertInstanceOf(Outcome.Extended.class, alice.extend(id, HOUR, key("extend")));
    passMillis(1000);
    Outcome.Extended extendedAgain =
        new Outcome.Extended(extended.expiresAt(), extended.capped(), true);
    assertEquals(extendedAgain, alice.extend(id, HOUR, key("extend")));
    Outcome.Closed closed =
        assertInstanceOf(Outcome.Closed.class, alice.release(id, key("release")));
    assertFalse(closed.replayed());
    Outcome.Settled settled =
        assertInstanceOf(Outcome.Settled.class, alice.settle(id, Caller.tokens(5), key("settle")));
    Outcome.Closed closedAgain = closed.again();
    assertEquals(closedAgain, alice.release(id, key("release")));
    Outcome.Settled settledAgain = settled.again();
    assertEquals(settledAgain, alice.settle(id, Caller.tokens(5), key("settle")));
    assertEquals(settledAgain, alice.replay(Operation.SETTLE, key("settle")));
    assertEquals(closedAgain, alice.replay(Operation.RELEASE, key("release")));
    assertEquals(extendedAgain, alice.replay(Operation.EXTEND, key("extend")));
  }

  @Test
  @DisplayName("The first answer stands before a period that ran out and a record that changed")
  void beforeStaleness() {
    Caller alice = daily(100L);
    Outcome.Held first = held(alice, 10, KEY);
    alice.ideaOfNow = START;
    pass(Duration.ofDays(1));
    under.setRecordVersion(alice.scope().root(), alice.scope().root(), 7);
    assertEquals(replayOf(first), held(alice, 10, KEY));
  }

  @Test
  @DisplayName("An unknown key has no first answer")
  void unknown() {
    assertEquals(new Outcome.NotFound(), daily(100L).replay(Operation.RESERVE, KEY));
  }

  private static IdempotencyKey key(String value) {
    return new IdempotencyKey(value, value);
  }
}
