package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.Outcome.Reason;
import dev.tidegate.store.Outcome.Refusal;
import dev.tidegate.store.Outcome.ReservationState;
import dev.tidegate.store.QuotaState.LimitState;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a sliding budget counts, and for how long. */
abstract class SlidingContract extends ContractFixture {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Someone with tokens per minute, which begins with the clock's. */
  private Caller perMinute(@Nullable Long tokens, int buckets) {
    PlanLimit limit = PlanLimit.sliding("rate", "tokens", tokens, MINUTE, buckets);
    return caller(PlanLevel.of("alice", limit));
  }

  /** Someone with requests per minute. */
  private Caller requests(long perMinute) {
    PlanLimit limit = PlanLimit.sliding("rate", "requests", perMinute, MINUTE, 6);
    return caller(PlanLevel.of("alice", limit));
  }

  private static Amounts calls(long count) {
    return Amounts.of("requests", count);
  }

  private static void plan(Caller caller, PlanLimit... limits) {
    caller.levels = List.of(caller.levels.getFirst().withLimits(List.of(limits)));
  }

  @Test
  @DisplayName("A budget that nobody used is free, and reading it writes nothing")
  void startsFree() {
    Caller alice = perMinute(60L, 6);
    LimitState limit = alice.limit();
    assertCounts(0, 0, limit);
    assertEquals("sliding", limit.kind());
    assertEquals(60, limit.remaining());
    assertNull(limit.period());
    assertEquals(START, limit.resetAt());
    assertEquals(0, alice.level(0).version());
  }

  @Test
  @DisplayName("I1 of one bucket the last window counts by what is left of it")
  void lastWindowDecays() {
    Caller alice = perMinute(60L, 1);
    alice.charged(60);
    pass(Duration.ofSeconds(72));
    assertCounts(48, 0, alice.limit());
    alice.charged(12);
    assertCounts(60, 0, alice.limit());
    assertEquals(1000, alice.refused(1).retryAfterMillis());
    assertEquals(5000, alice.refused(5).retryAfterMillis());
    assertEquals(1000, alice.limit().waitMillis());
    assertEquals(START.plusSeconds(180), alice.limit().resetAt());
  }

  @Test
  @DisplayName("I4 of a limit of one the next is allowed when the window has passed")
  void limitOfOne() {
    Caller alice = perMinute(1L, 1);
    alice.charged(1);
    assertEquals(120_000, alice.refused(1).retryAfterMillis());
    pass(Duration.ofMinutes(2).minusMillis(1));
    assertInstanceOf(Outcome.Refused.class, alice.charge(1));
    passMillis(1);
    alice.charged(1);
  }

  @Test
  @DisplayName("The oldest of several buckets decays, the others count whole")
  void buckets() {
    Caller alice = perMinute(60L, 6);
    alice.charged(30);
    pass(Duration.ofSeconds(15));
    alice.charged(20);
    pass(Duration.ofSeconds(44));
    assertCounts(50, 0, alice.limit());
    pass(SECOND);
    assertCounts(50, 0, alice.limit());
    pass(Duration.ofSeconds(5));
    assertCounts(35, 0, alice.limit());
    passMillis(1);
    assertCounts(35, 0, alice.limit());
    passMillis(4999);
    assertCounts(20, 0, alice.limit());
    pass(Duration.ofSeconds(10));
    assertCounts(0, 0, alice.limit());
  }

  @Test
  @DisplayName("A window that its buckets do not divide is kept to the millisecond")
  void unevenBuckets() {
    PlanLimit limit = PlanLimit.sliding("rate", "tokens", 100L, SECOND, 7);
    Caller alice = caller(PlanLevel.of("alice", limit));
    alice.charged(70);
    passMillis(999);
    assertCounts(70, 0, alice.limit());
    passMillis(1);
    assertCounts(70, 0, alice.limit());
    passMillis(1);
    assertCounts(70, 0, alice.limit());
    passMillis(2);
    assertCounts(69, 0, alice.limit());
    passMillis(139);
    assertCounts(1, 0, alice.limit());
    passMillis(1);
    assertCounts(0, 0, alice.limit());
  }

  @Test
  @DisplayName("A reservation counts while it lives and is charged when it is settled")
  void heldThenCharged() {
    Caller alice = perMinute(60L, 1);
    alice.ttl = HOUR;
    ReservationId id = alice.hold(20);
    assertCounts(0, 20, alice.limit());
    pass(Duration.ofSeconds(90));
    assertCounts(0, 20, alice.limit());
    alice.settled(id, 15);
    assertCounts(15, 0, alice.limit());
    pass(MINUTE);
    assertCounts(8, 0, alice.limit());
  }

  @Test
  @DisplayName("Settling twice charges once")
  void settlesOnce() {
    Caller alice = perMinute(60L, 6);
    ReservationId id = alice.hold(20);
    Outcome.Settled first = alice.settled(id, 30);
    pass(SECOND);
    Outcome.Settled again = alice.settled(id, 30);
    assertTrue(again.replayed());
    assertEquals(first.state(), again.state());
    assertInstanceOf(Outcome.AlreadySettled.class, alice.settle(id, 31));
    assertCounts(30, 0, alice.limit());
  }

  @Test
  @DisplayName("A release and a lapse free what was held")
  void freed() {
    Caller alice = perMinute(60L, 6);
    alice.ttl = Duration.ofSeconds(10);
    ReservationId released = alice.hold(30);
    ReservationId lapsed = alice.hold(30);
    alice.release(released);
    alice.release(released);
    assertCounts(0, 30, alice.limit());
    pass(Duration.ofSeconds(10));
    assertCounts(0, 0, alice.limit());
    alice.hold(60);
    assertEquals(ReservationState.LAPSED, alice.found(lapsed).state());
  }

  @Test
  @DisplayName("A settlement after a lapse or a release is charged now, and late")
  void settlesLate() {
    Caller alice = perMinute(60L, 6);
    alice.ttl = SECOND;
    ReservationId lapsed = alice.hold(30);
    ReservationId released = alice.hold(30);
    alice.release(released);
    pass(HOUR);
    assertTrue(alice.settled(lapsed, 10).late());
    assertTrue(alice.settled(released, 20).late());
    assertCounts(30, 0, alice.limit());
    assertEquals(START.plus(HOUR).plusSeconds(70), alice.limit().resetAt());
  }

  @Test
  @DisplayName("A settlement above everything is charged and denies until it has decayed")
  void aboveEverything() {
    Caller alice = perMinute(60L, 1);
    alice.settled(alice.hold(10), 120);
    assertCounts(120, 0, alice.limit());
    assertEquals(0, alice.limit().remaining());
    assertEquals(90_500, alice.refused(1).retryAfterMillis());
  }

  @Test
  @DisplayName("I8 a call that is blocked by what is held waits for the first lease to end")
  void blockedByHolds() {
    Caller alice = perMinute(100L, 6);
    alice.ttl = Duration.ofSeconds(40);
    alice.hold(50);
    alice.ttl = HOUR;
    alice.hold(50);
    Outcome.Refused refused = alice.refused(1);
    assertEquals(40_000, refused.retryAfterMillis());
    assertEquals(List.of(new Refusal(Reason.DENIED, 0, 0, 1, 40_000)), refused.refusals());
    assertEquals(HOUR.toMillis(), alice.refused(51).retryAfterMillis());
  }

  @Test
  @DisplayName("A denial waits for spend to decay and for leases to end, together")
  void spendAndHolds() {
    Caller alice = perMinute(100L, 6);
    alice.charged(60);
    alice.ttl = Duration.ofSeconds(65);
    alice.hold(30);
    assertEquals(65_000, alice.refused(40).retryAfterMillis());
    assertEquals(62_000, alice.refused(22).retryAfterMillis());
    pass(Duration.ofSeconds(62).minusMillis(1));
    assertInstanceOf(Outcome.Refused.class, alice.dryRun(22, null));
    passMillis(1);
    assertInstanceOf(Outcome.Fits.class, alice.dryRun(22, null));
  }

  @Test
  @DisplayName("Neither a dry run nor a denial takes anything, however often")
  void refusalsTakeNothing() {
    Caller alice = perMinute(60L, 6);
    alice.charged(50);
    assertInstanceOf(Outcome.Fits.class, alice.dryRun(10, null));
    QuotaState before = alice.read();
    long wait = alice.refused(11).retryAfterMillis();
    for (int n = 0; n < 100; n++) {
      assertEquals(wait, alice.refused(11).retryAfterMillis());
    }
    assertEquals(before, alice.read());
  }

  @Test
  @DisplayName("Requests are charged when taken")
  void requestsAreCharged() {
    Caller alice = requests(3);
    ReservationId id = alice.hold(calls(1));
    assertCounts(1, 0, alice.limit());
    alice.settle(id, calls(1), null);
    assertCounts(1, 0, alice.limit());
  }

  @Test
  @DisplayName("A release gives requests back, a lapse does not")
  void requestsGivenBack() {
    Caller alice = requests(3);
    alice.ttl = Duration.ofSeconds(10);
    ReservationId released = alice.hold(calls(1));
    ReservationId lapsed = alice.hold(calls(2));
    pass(Duration.ofSeconds(5));
    alice.release(released);
    assertCounts(2, 0, alice.limit());
    pass(Duration.ofSeconds(20));
    assertEquals(ReservationState.LAPSED, alice.found(lapsed).state());
    assertCounts(2, 0, alice.limit());
    alice.settle(lapsed, calls(2), null);
    assertCounts(2, 0, alice.limit());
    alice.settle(released, calls(1), null);
    assertCounts(3, 0, alice.limit());
  }

  @Test
  @DisplayName("More requests than were taken are charged now, fewer given back where they were")
  void requestsSettledOtherwise() {
    Caller alice = requests(100);
    ReservationId more = alice.hold(calls(10));
    ReservationId fewer = alice.hold(calls(10));
    pass(Duration.ofSeconds(40));
    alice.settle(more, calls(16), null);
    assertCounts(26, 0, alice.limit());
    alice.settle(fewer, calls(4), null);
    assertCounts(20, 0, alice.limit());
    pass(Duration.ofSeconds(25));
    assertCounts(13, 0, alice.limit());
    pass(Duration.ofSeconds(5));
    assertCounts(6, 0, alice.limit());
  }

  @Test
  @DisplayName("Requests whose bucket is kept no more are not given back from another")
  void requestsLongAgo() {
    Caller alice = requests(100);
    alice.ttl = HOUR;
    ReservationId id = alice.hold(calls(10));
    pass(Duration.ofSeconds(90));
    alice.charge(calls(5), null);
    alice.release(id);
    assertCounts(5, 0, alice.limit());
  }

  @Test
  @DisplayName("A limit of null counts and never denies, until a sum would be too large")
  void countsOnly() {
    Caller alice = perMinute(null, 6);
    alice.charged(Amounts.MAX - 5);
    assertCounts(Amounts.MAX - 5, 0, alice.limit());
    assertNull(alice.limit().remaining());
    ReservationId id = alice.hold(5);
    assertEquals(Reason.OVERFLOW, alice.refused(1).reason());
    assertEquals(new Outcome.SettleOverflow("tokens"), alice.settle(id, 6));
    alice.settled(id, 5);
    assertCounts(Amounts.MAX, 0, alice.limit());
  }

  @Test
  @DisplayName("More than the limit exceeds it; a limit of zero takes only what costs nothing")
  void exceeds() {
    Caller alice = perMinute(60L, 6);
    Outcome.Refused refused = alice.refused(61);
    assertEquals(List.of(new Refusal(Reason.EXCEEDS, 0, 0, 61, -1)), refused.refusals());
    assertEquals(-1, refused.retryAfterMillis());
    plan(alice, PlanLimit.sliding("rate", "tokens", 0L, MINUTE, 6));
    assertEquals(Reason.EXCEEDS, alice.refused(1).reason());
    alice.hold(0);
    assertEquals(-1, alice.limit().waitMillis());
  }

  @Test
  @DisplayName("A changed limit counts at once; what is used and held stays")
  void changedLimit() {
    Caller alice = perMinute(60L, 6);
    alice.charged(30);
    ReservationId id = alice.hold(20);
    plan(alice, PlanLimit.sliding("rate", "tokens", 10L, MINUTE, 6));
    assertCounts(30, 20, alice.limit());
    assertEquals(0, alice.limit().remaining());
    assertInstanceOf(Outcome.Refused.class, alice.reserve(1));
    alice.settled(id, 20);
    plan(alice, PlanLimit.sliding("rate", "tokens", 500L, MINUTE, 6));
    alice.hold(450);
    assertCounts(50, 450, alice.limit());
  }

  @Test
  @DisplayName("A longer window keeps what was spent, from the end of its bucket on")
  void longerWindow() {
    Caller alice = perMinute(60L, 6);
    alice.charged(30);
    pass(Duration.ofSeconds(5));
    plan(alice, PlanLimit.sliding("rate", "tokens", 60L, HOUR, 6));
    alice.charged(10);
    assertCounts(40, 0, alice.limit());
    pass(HOUR);
    assertCounts(40, 0, alice.limit());
    pass(Duration.ofMinutes(10));
    assertCounts(0, 0, alice.limit());
  }

  @Test
  @DisplayName("A shorter window forgets what is older, and a change back brings nothing back")
  void shorterWindow() {
    Caller alice = perMinute(60L, 6);
    alice.charged(30);
    pass(Duration.ofSeconds(30));
    alice.charged(20);
    plan(alice, PlanLimit.sliding("rate", "tokens", 60L, Duration.ofSeconds(10), 10));
    assertCounts(20, 0, alice.limit());
    plan(alice, PlanLimit.sliding("rate", "tokens", 60L, MINUTE, 6));
    assertCounts(50, 0, alice.limit());
    plan(alice, PlanLimit.sliding("rate", "tokens", 60L, Duration.ofSeconds(10), 10));
    alice.charged(1);
    plan(alice, PlanLimit.sliding("rate", "tokens", 60L, MINUTE, 6));
    assertCounts(21, 0, alice.limit());
  }

  @Test
  @DisplayName("What is held of a plan that is gone is settled and released")
  void planIsGone() {
    Caller alice = perMinute(60L, 6);
    ReservationId settled = alice.hold(20);
    ReservationId released = alice.hold(20);
    List<PlanLevel> planned = alice.levels;
    plan(alice);
    pass(SECOND);
    alice.settled(settled, 5);
    alice.release(released);
    alice.levels = planned;
    assertCounts(5, 0, alice.limit());
  }

  @Test
  @DisplayName("A limit that comes to another kind starts afresh, and settles what was held of it")
  void changedKind() {
    Caller alice = perMinute(60L, 6);
    ReservationId id = alice.hold(60);
    plan(alice, PlanLimit.every(DAY, "rate", "tokens", 60L));
    assertCounts(0, 0, alice.limit());
    alice.hold(60);
    alice.settled(id, 10);
    assertCounts(0, 60, alice.limit());
    plan(alice, PlanLimit.sliding("rate", "tokens", 60L, MINUTE, 6));
    assertCounts(10, 0, alice.limit());
  }
}
