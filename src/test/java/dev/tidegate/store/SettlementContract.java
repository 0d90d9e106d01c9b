package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.Outcome.ReservationState;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of a reservation. */
abstract class SettlementContract extends ContractFixture {

  private static final Outcome.Closed RELEASED =
      new Outcome.Closed(ReservationState.RELEASED, true, false);

  @Test
  @DisplayName("B1 a settlement below the hold gives back the difference")
  void below() {
    Caller alice = daily(100L);
    Outcome.Settled settled = alice.settled(alice.hold(50), 20);
    assertFalse(settled.late());
    assertFalse(settled.replayed());
    assertEquals(Caller.tokens(20), settled.charged());
    assertCounts(20, 0, settled.state().levels().getFirst().limits().getFirst());
    assertEquals(80, alice.limit().remaining());
    assertEquals(alice.read(), settled.state());
  }

  @Test
  @DisplayName("B2 a settlement above the hold is charged whole")
  void above() {
    Caller alice = daily(100L);
    assertEquals(Caller.tokens(20), alice.settled(alice.hold(50), 70).above());
    assertCounts(70, 0, alice.limit());
  }

  @Test
  @DisplayName("What is charged above the hold is told once, also when the lease had lapsed")
  void aboveOnce() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    pass(Duration.ofHours(2));
    Outcome.Settled late = alice.settled(id, 51);
    assertTrue(late.late());
    assertEquals(Caller.tokens(1), late.above());
    assertEquals(Amounts.NONE, alice.settled(id, 51).above());
    assertEquals(Amounts.NONE, alice.settled(alice.hold(10), 10).above());
  }

  @Test
  @DisplayName("B3 a settlement above everything is charged and denies until the reset")
  void aboveEverything() {
    Caller alice = daily(100L);
    alice.charged(40);
    alice.settled(alice.hold(50), 90);
    assertCounts(130, 0, alice.limit());
    assertEquals(0, alice.limit().remaining());
    assertEquals(DAY_MILLIS, alice.refused(1).retryAfterMillis());
    pass(DAY);
    assertCounts(0, 0, alice.limit());
  }

  @Test
  @DisplayName("B5 a settlement of nothing settles")
  void nothing() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    alice.settled(id, 0);
    assertCounts(0, 0, alice.limit());
    assertEquals(ReservationState.SETTLED, alice.found(id).state());
    assertEquals(Caller.tokens(0), alice.found(id).charged());
  }

  @Test
  @DisplayName("B6 settling again after a lost reply charges once and gets the first result")
  void twice() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    Outcome.Settled first = alice.settled(id, 20);
    alice.charged(5);
    pass(Duration.ofHours(23));
    assertEquals(first.again(), alice.settled(id, 20));
    passTo(START.plusSeconds(60));
    assertCounts(25, 0, alice.limit());
  }

  @Test
  @DisplayName("B7 settling again with another amount gets the first result and charges nothing")
  void otherAmount() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    Outcome.Settled first = alice.settled(id, 20);
    Outcome.AlreadySettled again =
        assertInstanceOf(Outcome.AlreadySettled.class, alice.settle(id, 25));
    assertEquals(first.charged(), again.first().charged());
    assertEquals(first.state(), again.first().state());
    assertCounts(20, 0, alice.limit());
  }

  @Test
  @DisplayName("Of many settlements at once one charges (B6)")
  void manySettlements() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    List<Uni<Outcome.Settling>> unis =
        IntStream.range(0, 50)
            .mapToObj(
                i -> under.store().settle(alice.scope(), id, Bill.of(Caller.tokens(20)), null))
            .toList();
    List<Outcome.Settling> outcomes = Caller.await(Uni.join().all(unis).andCollectFailures());
    assertEquals(
        49, outcomes.stream().filter(o -> o instanceof Outcome.Settled s && s.replayed()).count());
    assertCounts(20, 0, alice.limit());
  }

  @Test
  @DisplayName("B9 a release after the settlement gives nothing back")
  void releaseAfterSettle() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    alice.settled(id, 20);
    assertEquals(new Outcome.Closed(ReservationState.SETTLED, false, false), alice.release(id));
    assertCounts(20, 0, alice.limit());
  }

  @Test
  @DisplayName("B10 a settlement after the release is charged late, once")
  void settleAfterRelease() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    assertEquals(RELEASED, alice.release(id));
    assertCounts(0, 0, alice.limit());
    assertTrue(alice.settled(id, 20).late());
    assertTrue(alice.settled(id, 20).replayed());
    assertCounts(20, 0, alice.limit());
    assertEquals(ReservationState.SETTLED, alice.found(id).state());
  }

  @Test
  @DisplayName("B11 a second release gives nothing back")
  void releaseTwice() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    alice.hold(10);
    assertEquals(RELEASED, alice.release(id));
    Outcome.Closed again = new Outcome.Closed(ReservationState.RELEASED, false, false);
    assertEquals(again, alice.release(id));
    assertCounts(0, 10, alice.limit());
  }

  @Test
  @DisplayName("B12 a lease counts one millisecond before its end and not at its end")
  void lapse() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    passMillis(59_999);
    assertCounts(0, 50, alice.limit());
    assertEquals(ReservationState.HELD, alice.found(id).state());
    assertEquals(1, alice.refused(51).retryAfterMillis());
    passMillis(1);
    assertCounts(0, 0, alice.limit());
    assertEquals(ReservationState.LAPSED, alice.found(id).state());
    passMillis(1);
    alice.hold(100);
  }

  @Test
  @DisplayName("A settlement one millisecond before the end of the lease is in time, at it late")
  void lateAtTheEnd() {
    Caller alice = daily(100L);
    ReservationId inTime = alice.hold(50);
    ReservationId late = alice.hold(50);
    passMillis(59_999);
    assertFalse(alice.settled(inTime, 10).late());
    passMillis(1);
    assertTrue(alice.settled(late, 10).late());
    assertCounts(20, 0, alice.limit());
  }

  @Test
  @DisplayName("B14 a settlement after the lapse is charged although the room was sold again")
  void roomResold() {
    Caller alice = daily(100L);
    ReservationId first = alice.hold(100);
    pass(Duration.ofMinutes(1));
    alice.settled(alice.hold(100), 100);
    pass(Duration.ofMinutes(9));
    assertTrue(alice.settled(first, 80).late());
    assertCounts(180, 0, alice.limit());
  }

  @Test
  @DisplayName("B16 a reservation is known until 24 hours after its lease, and not from then on")
  void tombstone() {
    Caller alice = daily(100L);
    ReservationId known = alice.hold(10);
    ReservationId forgotten = alice.hold(10);
    passMillis(60_000 + DAY_MILLIS - 1);
    assertTrue(alice.settled(known, 5).late());
    passMillis(1);
    assertEquals(new Outcome.NotFound(), alice.settle(forgotten, 5));
    assertEquals(new Outcome.NotFound(), alice.settle(known, 5));
    assertEquals(new Outcome.NotFound(), alice.find(known));
    assertEquals(new Outcome.NotFound(), alice.release(forgotten));
    assertEquals(new Outcome.NotFound(), alice.extend(forgotten, HOUR));
    assertCounts(5, 0, alice.closed().getFirst());
  }

  @Test
  @DisplayName("B17 an unknown id and one of another subject or resource are not found, all alike")
  void foreign() {
    PlanLevel team = PlanLevel.of("team", PlanLimit.every(DAY, "daily", "tokens", 100L));
    Caller member = caller(PlanLevel.of("alice"), team);
    Caller other = caller(PlanLevel.of("bob"), team);
    ReservationId id = member.hold(10);
    Outcome.NotFound notFound = new Outcome.NotFound();
    for (ReservationId wrong :
        List.of(id, new ReservationId("unknown_unknown_", new SubjectId("team")))) {
      assertEquals(notFound, other.settle(wrong, 5));
      assertEquals(notFound, other.release(wrong));
      assertEquals(notFound, other.extend(wrong, HOUR));
      assertEquals(notFound, other.find(wrong));
    }
    member.resource = "gpt";
    assertEquals(notFound, member.settle(id, 5));
    assertEquals(notFound, member.find(id));
    assertCounts(0, 10, poolAt(other));
  }

  private static QuotaState.LimitState poolAt(Caller member) {
    return member.level(1).limits().getFirst();
  }

  @Test
  @DisplayName("An extension moves the end of the lease and never makes it sooner")
  void extend() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    passMillis(30_000);
    Instant end = Instant.ofEpochMilli(nowMillis + 60_000);
    assertEquals(new Outcome.Extended(end, false, false), alice.extend(id, alice.ttl));
    assertEquals(new Outcome.Extended(end, false, false), alice.extend(id, Duration.ofSeconds(1)));
    passMillis(59_999);
    assertCounts(0, 50, alice.limit());
    passMillis(1);
    assertCounts(0, 0, alice.limit());
  }

  @Test
  @DisplayName("An extension stops at the longest life of a lease and says so")
  void longestLife() {
    Caller alice = daily(100L);
    alice.ttl = DAY;
    ReservationId id = alice.hold(50);
    Instant longest = Instant.ofEpochMilli(nowMillis + DAY_MILLIS);
    assertEquals(new Outcome.Extended(longest, false, false), alice.extend(id, DAY));
    passMillis(1);
    assertEquals(new Outcome.Extended(longest, true, false), alice.extend(id, DAY));
    assertEquals(longest, alice.found(id).expiresAt());
  }

  @Test
  @DisplayName("B19 what is settled, released or lapsed is not extended")
  void notExtendable() {
    Caller alice = daily(100L);
    ReservationId settled = alice.hold(10);
    ReservationId released = alice.hold(10);
    ReservationId lapsed = alice.hold(10);
    alice.settled(settled, 10);
    alice.release(released);
    pass(Duration.ofMinutes(1));
    assertEquals(
        List.of(
            new Outcome.NotExtendable(ReservationState.SETTLED),
            new Outcome.NotExtendable(ReservationState.RELEASED),
            new Outcome.NotExtendable(ReservationState.LAPSED)),
        List.of(
            alice.extend(settled, HOUR), alice.extend(released, HOUR), alice.extend(lapsed, HOUR)));
    assertCounts(10, 0, alice.limit());
  }

  @Test
  @DisplayName("A release after the lapse says lapsed, and a settlement is still charged")
  void releaseLapsed() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(10);
    pass(Duration.ofMinutes(1));
    assertEquals(new Outcome.Closed(ReservationState.LAPSED, false, false), alice.release(id));
    assertTrue(alice.settled(id, 10).late());
    assertCounts(10, 0, alice.limit());
  }

  @Test
  @DisplayName("B22 what nobody settles comes back after its lease, in a pool without the member")
  void abandoned() {
    PlanLevel team = PlanLevel.of("team", PlanLimit.every(DAY, "daily", "tokens", 100L));
    caller(PlanLevel.of("alice"), team).hold(100);
    Caller bob = caller(PlanLevel.of("bob"), team);
    assertEquals(60_000, bob.refused(1).retryAfterMillis());
    pass(Duration.ofMinutes(1));
    bob.hold(100);
    assertCounts(0, 100, poolAt(bob));
  }

  @Test
  @DisplayName("B23 a settlement without amounts uses what is held")
  void useHeld() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    Outcome.Settled settled = assertInstanceOf(Outcome.Settled.class, alice.settle(id, null, null));
    assertEquals(Caller.tokens(50), settled.charged());
    assertTrue(alice.settled(id, 50).replayed());
    assertCounts(50, 0, alice.limit());
  }

  @Test
  @DisplayName("B23 a held meter must be named, the reservation stays; requests settle as held")
  void unnamed() {
    Caller alice =
        caller(
            PlanLevel.of(
                "alice",
                PlanLimit.every(DAY, "calls", "requests", 10L),
                PlanLimit.every(DAY, "daily", "tokens", 100L)));
    ReservationId id = alice.hold(Caller.amounts("requests", 1, "tokens", 50));
    assertEquals(new Outcome.Unnamed("tokens"), alice.settle(id, Amounts.of("requests", 1), null));
    assertEquals(ReservationState.HELD, alice.found(id).state());
    assertEquals(Caller.amounts("requests", 1, "tokens", 20), alice.settled(id, 20).charged());
    assertTrue(
        assertInstanceOf(
                Outcome.Settled.class,
                alice.settle(id, Caller.amounts("requests", 1, "tokens", 20), null))
            .replayed());
    assertInstanceOf(
        Outcome.AlreadySettled.class,
        alice.settle(id, Caller.amounts("requests", 2, "tokens", 20), null));
    assertCounts(1, 0, alice.limit());
  }

  @Test
  @DisplayName("A settlement that would make a sum too large changes nothing")
  void overflow() {
    Caller alice = daily(Amounts.MAX);
    alice.charged(10);
    ReservationId id = alice.hold(10);
    assertEquals(new Outcome.SettleOverflow("tokens"), alice.settle(id, Amounts.MAX - 9));
    assertCounts(10, 10, alice.limit());
    alice.settled(id, Amounts.MAX - 10);
    assertCounts(Amounts.MAX, 0, alice.limit());
  }

  @Test
  @DisplayName("E7 a reservation settles under its own terms when its plan is gone")
  void planGone() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    Outcome.Settling outcome =
        Caller.await(under.store().settle(alice.bareScope(), id, Bill.of(Caller.tokens(20)), null));
    assertInstanceOf(Outcome.Settled.class, outcome);
    assertCounts(20, 0, alice.limit());
  }

  @Test
  @DisplayName("J12 a reservation is settled where it was taken: other levels are told which")
  void otherLevels() {
    PlanLevel alice = PlanLevel.of("alicé");
    PlanLevel team = PlanLevel.of("team", PlanLimit.every(DAY, "daily", "tokens", 100L));
    PlanLevel group = PlanLevel.of("group");
    Caller before = caller(alice, group, team);
    ReservationId id = before.hold(50);
    Caller after = caller(alice, team);
    Outcome.StaleLevels stale =
        new Outcome.StaleLevels(Instant.ofEpochMilli(nowMillis), "0:6:alicé,0:5:group,0:4:team");
    assertEquals(stale, after.settle(id, 20));
    assertEquals(stale, after.release(id));
    assertEquals(stale, after.extend(id, HOUR));
    assertEquals(ReservationState.HELD, after.found(id).state());
    before.settled(id, 20);
    assertCounts(20, 0, poolAt(after));
  }

  @Test
  @DisplayName("A reservation tells what it is, when it was taken and what it was charged")
  void found() {
    Caller alice = daily(100L);
    ReservationId id = alice.hold(50);
    Instant taken = Instant.ofEpochMilli(nowMillis);
    Instant ends = taken.plusSeconds(60);
    assertEquals(
        new Outcome.Found(ReservationState.HELD, taken, ends, Caller.tokens(50), Amounts.NONE),
        alice.find(id));
    passMillis(500);
    alice.settled(id, 20);
    assertEquals(
        new Outcome.Found(
            ReservationState.SETTLED, taken, ends, Caller.tokens(50), Caller.tokens(20)),
        alice.find(id));
  }
}
