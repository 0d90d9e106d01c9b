package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.Outcome.Reason;
import dev.tidegate.store.Outcome.Refusal;
import dev.tidegate.store.Outcome.ReservationState;
import dev.tidegate.store.QuotaState.LimitState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a token bucket does with reservations and charges, and how it refills. */
abstract class BucketContract extends ContractFixture {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Someone with a bucket of tokens of which one comes back each second. */
  private Caller oneASecond(long capacity) {
    return dripping(capacity, 60, MINUTE);
  }

  private Caller dripping(long capacity, long refill, Duration interval) {
    PlanLimit limit = PlanLimit.bucket("rate", "tokens", capacity, refill, interval);
    return caller(PlanLevel.of("alice", limit));
  }

  private static void plan(Caller caller, PlanLimit... limits) {
    caller.levels = List.of(caller.levels.getFirst().withLimits(List.of(limits)));
  }

  private Instant in(Duration time) {
    return Instant.ofEpochMilli(nowMillis).plus(time);
  }

  @Test
  @DisplayName("A bucket that nobody used is full, and reading it writes nothing")
  void startsFull() {
    Caller alice = oneASecond(60);
    LimitState limit = alice.limit();
    assertCounts(0, 0, limit);
    assertEquals("token_bucket", limit.kind());
    assertEquals(60, limit.amount());
    assertEquals(60, limit.remaining());
    assertNull(limit.period());
    assertEquals(START, limit.resetAt());
    assertEquals(0, alice.level(0).version());
  }

  @Test
  @DisplayName("A reservation debits it at once and holds nothing")
  void debits() {
    Caller alice = oneASecond(60);
    alice.hold(20);
    assertCounts(20, 0, alice.limit());
    assertEquals(40, alice.limit().remaining());
    assertEquals(in(Duration.ofSeconds(20)), alice.limit().resetAt());
  }

  @Test
  @DisplayName("It refills while the call runs")
  void refillsMeanwhile() {
    Caller alice = oneASecond(60);
    ReservationId id = alice.hold(60);
    pass(Duration.ofSeconds(10));
    assertCounts(50, 0, alice.limit());
    alice.settled(id, 60);
    assertCounts(50, 0, alice.limit());
  }

  @Test
  @DisplayName("A settlement gives back the difference")
  void settlesBelow() {
    Caller alice = oneASecond(60);
    alice.settled(alice.hold(50), 20);
    assertCounts(20, 0, alice.limit());
  }

  @Test
  @DisplayName("What is given back never fills it above its capacity")
  void neverAboveTheCapacity() {
    Caller alice = oneASecond(60);
    ReservationId settled = alice.hold(30);
    ReservationId released = alice.hold(30);
    pass(Duration.ofSeconds(55));
    alice.settled(settled, 5);
    assertCounts(0, 0, alice.limit());
    alice.release(released);
    assertCounts(0, 0, alice.limit());
    alice.hold(60);
    assertCounts(60, 0, alice.limit());
  }

  @Test
  @DisplayName("What it lacks for a settlement is debt, which the refill pays first")
  void debt() {
    Caller alice = oneASecond(60);
    alice.settled(alice.hold(10), 100);
    assertCounts(100, 0, alice.limit());
    assertEquals(0, alice.limit().remaining());
    assertEquals(41_000, alice.limit().waitMillis());
    assertEquals(41_000, alice.refused(1).retryAfterMillis());
    assertInstanceOf(Outcome.Held.class, alice.reserve(0));
    pass(Duration.ofSeconds(50));
    assertCounts(50, 0, alice.limit());
    alice.hold(10);
  }

  @Test
  @DisplayName("A release gives back what was taken")
  void releases() {
    Caller alice = oneASecond(60);
    ReservationId id = alice.hold(50);
    pass(Duration.ofSeconds(5));
    alice.release(id);
    alice.release(id);
    assertCounts(0, 0, alice.limit());
  }

  @Test
  @DisplayName("A lapse gives nothing back")
  void lapses() {
    Caller alice = oneASecond(60);
    alice.ttl = Duration.ofSeconds(10);
    ReservationId id = alice.hold(60);
    pass(Duration.ofSeconds(10));
    assertEquals(ReservationState.LAPSED, alice.found(id).state());
    assertCounts(50, 0, alice.limit());
    alice.hold(10);
    assertCounts(60, 0, alice.limit());
  }

  @Test
  @DisplayName("A settlement after the lapse debits or gives back only the difference")
  void settlesAfterTheLapse() {
    Caller alice = oneASecond(60);
    alice.ttl = SECOND;
    ReservationId less = alice.hold(30);
    ReservationId more = alice.hold(30);
    pass(Duration.ofSeconds(5));
    assertTrue(alice.settled(less, 10).late());
    assertCounts(35, 0, alice.limit());
    assertTrue(alice.settled(more, 40).late());
    assertCounts(45, 0, alice.limit());
  }

  @Test
  @DisplayName("A settlement after the release debits everything")
  void settlesAfterTheRelease() {
    Caller alice = oneASecond(60);
    ReservationId id = alice.hold(20);
    alice.release(id);
    assertTrue(alice.settled(id, 30).late());
    assertCounts(30, 0, alice.limit());
  }

  @Test
  @DisplayName("Settling twice debits once")
  void settlesOnce() {
    Caller alice = oneASecond(60);
    ReservationId id = alice.hold(20);
    Outcome.Settled first = alice.settled(id, 30);
    pass(SECOND);
    Outcome.Settled again = alice.settled(id, 30);
    assertTrue(again.replayed());
    assertEquals(first.state(), again.state());
    assertInstanceOf(Outcome.AlreadySettled.class, alice.settle(id, 31));
    assertCounts(29, 0, alice.limit());
  }

  @Test
  @DisplayName("An extension takes nothing more, and a charge debits at once")
  void extendsAndCharges() {
    Caller alice = oneASecond(60);
    ReservationId id = alice.hold(20);
    assertInstanceOf(Outcome.Extended.class, alice.extend(id, HOUR));
    assertCounts(20, 0, alice.limit());
    alice.charged(40);
    assertCounts(60, 0, alice.limit());
    assertInstanceOf(Outcome.Refused.class, alice.charge(1));
  }

  @Test
  @DisplayName("Neither a dry run nor a denial takes anything, however often")
  void refusalsTakeNothing() {
    Caller alice = oneASecond(60);
    alice.charged(50);
    assertInstanceOf(Outcome.Fits.class, alice.dryRun(10, null));
    QuotaState before = alice.read();
    for (int n = 0; n < 100; n++) {
      assertEquals(1000, alice.refused(11).retryAfterMillis());
    }
    assertEquals(before, alice.read());
    pass(SECOND);
    alice.hold(11);
  }

  @Test
  @DisplayName("More than the capacity exceeds it, and drains nothing (I12)")
  void exceeds() {
    Caller alice = oneASecond(60);
    Outcome.Refused refused = alice.refused(61);
    assertEquals(List.of(new Refusal(Reason.EXCEEDS, 0, 0, 61, -1)), refused.refusals());
    assertEquals(-1, refused.retryAfterMillis());
    assertEquals(60, alice.limit().remaining());
  }

  @Test
  @DisplayName("A bucket without capacity takes only what costs nothing")
  void withoutCapacity() {
    Caller alice = oneASecond(0);
    assertEquals(Reason.EXCEEDS, alice.refused(1).reason());
    alice.hold(0);
    assertEquals(-1, alice.limit().waitMillis());
    assertEquals(0, alice.limit().remaining());
  }

  @Test
  @DisplayName("I9 a slow bucket that is polled all the time gives its token at the millisecond")
  void slowAndPolled() {
    Caller alice = dripping(1, 1, Duration.ofSeconds(6));
    alice.charged(1);
    for (int second = 0; second < 6; second++) {
      assertEquals(6000 - second * 1000, alice.refused(1).retryAfterMillis());
      assertEquals(6000 - second * 1000, alice.limit().waitMillis());
      pass(SECOND);
    }
    alice.charged(1);
  }

  @Test
  @DisplayName("Calls that cost nothing lose no fraction of a token")
  void fractionsAreKept() {
    Caller alice = dripping(1, 1, Duration.ofSeconds(6));
    alice.charged(1);
    for (int n = 0; n < 600; n++) {
      passMillis(n % 3 == 0 ? 7 : n % 3 == 1 ? 11 : 12);
      alice.charged(0);
    }
    assertEquals(START.plusMillis(6000), Instant.ofEpochMilli(nowMillis));
    alice.charged(1);
  }

  @Test
  @DisplayName("A bucket of thirds gives one token in each third of an interval, rounded up")
  void thirds() {
    Caller alice = dripping(3, 3, Duration.ofSeconds(1));
    alice.charged(3);
    assertEquals(334, alice.refused(1).retryAfterMillis());
    assertEquals(667, alice.refused(2).retryAfterMillis());
    assertEquals(1000, alice.refused(3).retryAfterMillis());
    passMillis(333);
    assertInstanceOf(Outcome.Refused.class, alice.charge(1));
    passMillis(1);
    alice.charged(1);
    assertEquals(333, alice.refused(1).retryAfterMillis());
  }

  @Test
  @DisplayName("Ten years without use fill it and no more")
  void longIdle() {
    Caller alice = oneASecond(60);
    alice.charged(60);
    pass(Duration.ofDays(3653));
    assertCounts(0, 0, alice.limit());
    assertEquals(Instant.ofEpochMilli(nowMillis), alice.limit().resetAt());
    alice.hold(60);
    assertInstanceOf(Outcome.Refused.class, alice.reserve(1));
  }

  @Test
  @DisplayName("A lowered capacity counts at once")
  void loweredCapacity() {
    Caller alice = oneASecond(60);
    alice.charged(10);
    plan(alice, PlanLimit.bucket("rate", "tokens", 20, 60, MINUTE));
    assertCounts(0, 0, alice.limit());
    assertEquals(Reason.EXCEEDS, alice.refused(21).reason());
    alice.hold(20);
    assertEquals(1000, alice.refused(1).retryAfterMillis());
  }

  @Test
  @DisplayName("A raised capacity is filled by the refill alone")
  void raisedCapacity() {
    Caller alice = oneASecond(60);
    alice.charged(10);
    plan(alice, PlanLimit.bucket("rate", "tokens", 100, 60, MINUTE));
    assertCounts(50, 0, alice.limit());
    pass(Duration.ofSeconds(50));
    assertCounts(0, 0, alice.limit());
  }

  @Test
  @DisplayName("A changed rate counts for the time since the last use, and looking changes nothing")
  void changedRate() {
    Caller alice = oneASecond(60);
    alice.charged(60);
    pass(Duration.ofSeconds(10));
    plan(alice, PlanLimit.bucket("rate", "tokens", 60, 120, MINUTE));
    assertCounts(40, 0, alice.limit());
    assertInstanceOf(Outcome.Refused.class, alice.reserve(21));
    plan(alice, PlanLimit.bucket("rate", "tokens", 60, 30, MINUTE));
    assertCounts(55, 0, alice.limit());
  }

  @Test
  @DisplayName("What is held of a plan that is gone is settled and released")
  void planIsGone() {
    Caller alice = oneASecond(60);
    ReservationId settled = alice.hold(20);
    ReservationId released = alice.hold(20);
    List<PlanLevel> planned = alice.levels;
    plan(alice);
    pass(SECOND);
    alice.settled(settled, 5);
    alice.release(released);
    alice.levels = planned;
    assertCounts(4, 0, alice.limit());
  }

  @Test
  @DisplayName("A limit that comes to another kind starts afresh, and settles what was held of it")
  void changedKind() {
    Caller alice = oneASecond(60);
    ReservationId id = alice.hold(60);
    plan(alice, PlanLimit.sliding("rate", "tokens", 60L, MINUTE, 6));
    assertCounts(0, 0, alice.limit());
    alice.hold(60);
    alice.settled(id, 10);
    assertCounts(0, 60, alice.limit());
    plan(alice, PlanLimit.bucket("rate", "tokens", 60, 60, MINUTE));
    assertCounts(10, 0, alice.limit());
  }

  @Test
  @DisplayName("A clock that goes back takes nothing away and refills nothing twice")
  void clockGoesBack() {
    Caller alice = oneASecond(60);
    alice.charged(60);
    pass(Duration.ofSeconds(30));
    alice.charged(10);
    pass(Duration.ofSeconds(-20));
    assertCounts(40, 0, alice.limit());
    assertEquals(START.plusSeconds(30).plusSeconds(40), alice.limit().resetAt());
    pass(Duration.ofSeconds(30));
    assertCounts(30, 0, alice.limit());
  }
}
