package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.calendar.FixedSchedule;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.Outcome.Reason;
import dev.tidegate.store.QuotaState.LimitState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What time does to a quota. */
abstract class PeriodContract extends ContractFixture {

  private static final long TODAY = START.getEpochSecond() / 86_400;

  private static @Nullable Instant end(LimitState limit) {
    Period period = limit.period();
    return period == null ? null : period.end();
  }

  @Test
  @DisplayName("C1 a hold across the boundary settles into the period it was taken in")
  void straddles() {
    Caller alice = daily(1000L);
    pass(DAY.minusSeconds(2));
    ReservationId id = alice.hold(500);
    pass(Duration.ofSeconds(7));
    Outcome.Settled settled = alice.settled(id, 350);
    assertCounts(0, 0, settled.state().levels().getFirst().limits().getFirst());
    assertEquals(1000, alice.limit().remaining());
    ClosedPeriod closed = alice.closed().getFirst();
    assertCounts(350, 0, closed);
    assertEquals(TODAY, closed.seq());
    assertEquals(START, closed.period().start());
    assertEquals(START.plus(DAY), closed.period().end());
  }

  @Test
  @DisplayName("C4 C5 a closed period is corrected as long as the reservation is known")
  void correctedLongAfter() {
    Caller alice = daily(1000L);
    ReservationId id = alice.hold(500);
    alice.extend(id, DAY);
    pass(DAY.multipliedBy(2).minusMillis(1));
    alice.charged(1);
    assertTrue(alice.settled(id, 350).late());
    assertCounts(350, 0, alice.closed().getFirst());
    assertCounts(1, 0, alice.limit());
  }

  @Test
  @DisplayName(
      "C6 one millisecond before the reset belongs to the old period, the reset to the new")
  void boundary() {
    Caller alice = daily(10L);
    passMillis(DAY_MILLIS - 1);
    alice.charged(10);
    assertEquals(1, alice.refused(1).retryAfterMillis());
    assertEquals(TODAY, alice.limit().seq());
    passMillis(1);
    assertEquals(TODAY + 1, alice.limit().seq());
    alice.charged(10);
    assertCounts(10, 0, alice.closed().getFirst());
    assertEquals(START.plus(DAY.multipliedBy(2)), end(alice.limit()));
  }

  @Test
  @DisplayName("C8 at the reset the new period starts full and what is held stays in the old one")
  void resetWithHolds() {
    Caller alice = daily(100L);
    alice.charged(70);
    alice.ttl = DAY;
    ReservationId id = alice.hold(30);
    pass(DAY.minusMillis(1));
    assertCounts(70, 30, alice.limit());
    alice.extend(id, DAY);
    passMillis(1);
    assertCounts(0, 0, alice.limit());
    assertTrue(alice.settled(id, 30).late());
    assertCounts(100, 0, alice.closed().getFirst());
    alice.hold(100);
  }

  @Test
  @DisplayName("A live hold of a closed period is shown there and settles there in time")
  void liveInClosed() {
    Caller alice = daily(100L);
    pass(DAY.minusSeconds(10));
    ReservationId id = alice.hold(30);
    pass(Duration.ofSeconds(10));
    alice.hold(100);
    assertCounts(0, 30, alice.closed().getFirst());
    assertCounts(0, 100, alice.limit());
    assertEquals(false, alice.settled(id, 20).late());
    assertCounts(20, 0, alice.closed().getFirst());
    assertCounts(0, 100, alice.limit());
  }

  @Test
  @DisplayName("A hold of a closed period that lapses leaves that period")
  void lapsesInClosed() {
    Caller alice = daily(100L);
    pass(DAY.minusSeconds(10));
    ReservationId id = alice.hold(30);
    pass(Duration.ofSeconds(10));
    alice.charged(1);
    pass(Duration.ofSeconds(50));
    assertCounts(0, 0, alice.closed().getFirst());
    alice.charged(1);
    assertCounts(0, 0, alice.closed().getFirst());
    assertTrue(alice.settled(id, 30).late());
    assertCounts(30, 0, alice.closed().getFirst());
  }

  @Test
  @DisplayName("A closed period keeps the limit that was in force")
  void limitInForce() {
    Caller alice = daily(100L);
    alice.charged(70);
    alice.levels = daily(200L).levels;
    pass(DAY);
    alice.charged(1);
    assertEquals(100L, alice.closed().getFirst().amount());
  }

  @Test
  @DisplayName("A read shows the roll-over that it does not carry out, with its version")
  void projection() {
    Caller alice = daily(100L);
    alice.charged(70);
    long version = alice.level(0).version();
    assertEquals(START.toEpochMilli(), version);
    pass(DAY.multipliedBy(3));
    QuotaState projected = alice.read();
    assertEquals(projected, alice.read());
    assertEquals(nowMillis, projected.levels().getFirst().version(), "the last boundary");
    assertEquals(TODAY + 3, alice.limit().seq());
    alice.charged(0);
    assertEquals(nowMillis, alice.level(0).version());
    assertCounts(70, 0, alice.closed().getFirst());
    alice.charged(5);
    assertEquals(nowMillis, alice.level(0).version());
  }

  @Test
  @DisplayName("C22 a session is anchored once")
  void sessionAnchored() {
    Caller alice = sessions(100);
    pass(Duration.ofMinutes(377));
    alice.charged(1);
    Instant reset = Instant.ofEpochMilli(nowMillis).plus(Duration.ofHours(5));
    pass(Duration.ofMinutes(217));
    for (int i = 0; i < 18; i++) {
      alice.charged(1);
      assertEquals(reset, end(alice.limit()));
      pass(Duration.ofMinutes(1));
    }
    assertEquals(1, alice.limit().seq());
  }

  @Test
  @DisplayName("C23 neither a read nor a denial nor a dry run opens a session, a granted use does")
  void sessionStart() {
    Caller alice = sessions(100);
    assertNull(alice.limit().period());
    assertEquals(Reason.EXCEEDS, alice.refused(101).reason());
    assertInstanceOf(Outcome.Fits.class, alice.dryRun(100, null));
    assertNull(alice.limit().period());
    ReservationId id = alice.hold(10);
    Period opened = Objects.requireNonNull(alice.limit().period());
    assertEquals(START, opened.start());
    assertEquals(START.plus(Duration.ofHours(5)), opened.end());
    alice.release(id);
    assertEquals(opened, alice.limit().period());
    assertCounts(0, 0, alice.limit());
  }

  @Test
  @DisplayName("C24 a hold across the end of a session settles into it and opens none")
  void acrossSessions() {
    Caller alice = sessions(100);
    alice.charged(1);
    pass(Duration.ofHours(5).minusMinutes(1));
    alice.ttl = Duration.ofMinutes(10);
    ReservationId id = alice.hold(50);
    pass(Duration.ofMinutes(4));
    assertNull(alice.limit().period());
    alice.settled(id, 40);
    assertNull(alice.limit().period());
    assertCounts(41, 0, alice.closed().getFirst());
    assertEquals(1, alice.limit().seq());
    alice.charged(100);
    assertEquals(2, alice.limit().seq());
    assertCounts(100, 0, alice.limit());
    assertEquals(Instant.ofEpochMilli(nowMillis).plus(Duration.ofHours(5)), end(alice.limit()));
  }

  @Test
  @DisplayName("C24 a hold that lapses after the end of its session was settled into leaves it")
  void lapsesAfterSession() {
    Caller alice = sessions(100);
    pass(Duration.ofHours(5).minusMinutes(1));
    alice.charged(1);
    pass(Duration.ofHours(5).minusMinutes(1));
    alice.ttl = Duration.ofMinutes(10);
    ReservationId settled = alice.hold(20);
    ReservationId lapsed = alice.hold(30);
    pass(Duration.ofMinutes(2));
    alice.settled(settled, 20);
    assertCounts(21, 30, alice.closed().getFirst());
    pass(Duration.ofMinutes(9));
    assertCounts(21, 0, alice.closed().getFirst());
    assertEquals(Reason.EXCEEDS, alice.refused(101).reason());
    assertCounts(0, 0, alice.limit());
    assertTrue(alice.settled(lapsed, 5).late());
    assertCounts(26, 0, alice.closed().getFirst());
    assertNull(alice.limit().period());
  }

  @Test
  @DisplayName("A schedule that follows a session counts from its end, whoever noticed that end")
  void afterSession() {
    Caller alice = caller(PlanLevel.of("alice", PlanLimit.session(HOUR, "daily", "tokens", 100L)));
    pass(HOUR);
    alice.ttl = HOUR.multipliedBy(2);
    ReservationId id = alice.hold(10);
    Instant ended = START.plus(HOUR.multipliedBy(2));
    passTo(ended.plusSeconds(60));
    alice.settled(id, 10);
    alice.levels = daily(100L).levels;
    Period period = Objects.requireNonNull(alice.limit().period());
    assertEquals(ended, period.start());
    assertEquals(START.plus(DAY), period.end());
    alice.charged(1);
    assertEquals(2, alice.limit().seq());
    assertEquals(ended, Objects.requireNonNull(alice.limit().period()).start());
  }

  @Test
  @DisplayName("A session runs one millisecond before its end and not at its end")
  void sessionEnd() {
    Caller alice = sessions(100);
    alice.charged(100);
    passMillis(Duration.ofHours(5).toMillis() - 1);
    assertEquals(1, alice.refused(1).retryAfterMillis());
    passMillis(1);
    assertNull(alice.limit().period());
    assertEquals(0, alice.limit().waitMillis());
    alice.charged(100);
  }

  @Test
  @DisplayName("Law 2: after a burst of grants each end of a period still moves the version on")
  void versionsOfCloseEnds() {
    Caller alice =
        caller(
            PlanLevel.of(
                "alice",
                PlanLimit.every(SECOND, "one", "tokens", 100L),
                PlanLimit.every(SECOND.multipliedBy(3), "three", "tokens", 100L)));
    alice.charged(1);
    for (int n = 0; n < 2100; n++) {
      alice.bought("one", 1);
    }
    long shown = alice.level(0).version();
    for (int n = 0; n < 3; n++) {
      pass(SECOND);
      long moved = alice.level(0).version();
      assertTrue(moved > shown, () -> moved + " at " + nowMillis);
      shown = moved;
    }
  }

  @Test
  @DisplayName("The end of a session moves the version on, its opening does not")
  void sessionVersion() {
    Caller alice = sessions(100);
    alice.charged(1);
    long version = alice.level(0).version();
    assertEquals(START.toEpochMilli(), version);
    pass(Duration.ofHours(6));
    assertEquals(version + HOUR.toMillis() * 5, alice.level(0).version());
    alice.charged(1);
    assertEquals(version + HOUR.toMillis() * 5, alice.level(0).version());
  }

  @Test
  @DisplayName("E3 another schedule counts from the end of the period that runs")
  void otherSchedule() {
    Caller alice = daily(100L);
    alice.charged(70);
    Instant shifted = START.minus(Duration.ofHours(6));
    PlanLimit weekly =
        PlanLimit.every(DAY, "daily", "tokens", 100L)
            .withSchedule(new FixedSchedule(DAY.multipliedBy(7), shifted));
    alice.levels = List.of(PlanLevel.of("alice", weekly));
    assertCounts(70, 0, alice.limit());
    assertEquals(START.plus(DAY), end(alice.limit()));
    pass(DAY);
    LimitState after = alice.limit();
    assertEquals(TODAY + 1, after.seq());
    assertEquals(weekly.termsAt(START).label(), after.label());
    Period period = Objects.requireNonNull(after.period());
    assertEquals(START.plus(DAY), period.start());
    assertEquals(shifted.plus(DAY.multipliedBy(7)), period.end());
  }

  @Test
  @DisplayName("A schedule that was changed back before the boundary changes nothing")
  void changedBack() {
    Caller alice = daily(100L);
    alice.charged(70);
    List<PlanLevel> before = alice.levels;
    alice.levels = sessions(100).levels;
    alice.levels = List.of(PlanLevel.of("alice", PlanLimit.session(HOUR, "daily", "tokens", 100L)));
    alice.charged(10);
    assertEquals(START.plus(DAY), end(alice.limit()));
    alice.levels = before;
    assertCounts(80, 0, alice.limit());
    pass(DAY);
    assertEquals(TODAY + 1, alice.limit().seq());
  }

  @Test
  @DisplayName("H3 when the clock steps back a lapse stays lapsed and a new period is not undone")
  void clockStepsBack() {
    Caller alice = daily(100L);
    pass(DAY.minusSeconds(60));
    ReservationId id = alice.hold(50);
    pass(Duration.ofMinutes(1));
    alice.charged(1);
    QuotaState before = alice.read();
    passMillis(-2000);
    alice.ideaOfNow = START.plus(DAY);
    assertEquals(before, alice.read());
    assertEquals(before.now(), alice.read().now());
    assertCounts(1, 0, alice.limit());
    assertTrue(alice.settled(id, 10).late());
    assertCounts(10, 0, alice.closed().getFirst());
    assertEquals(DAY_MILLIS, alice.refused(100).retryAfterMillis());
  }

  @Test
  @DisplayName("H1 a caller whose clock is fast or slow charges the period of the store's clock")
  void skewedCaller() {
    Caller alice = daily(100L);
    pass(DAY.minusSeconds(60));
    alice.ideaOfNow = START;
    alice.charged(1);
    assertEquals(TODAY, alice.limit().seq());
    pass(Duration.ofMinutes(1));
    alice.charged(2);
    assertEquals(TODAY + 1, alice.limit().seq());
    assertCounts(2, 0, alice.limit());
  }

  @Test
  @DisplayName("H4 a call whose periods have run out is told so and changes nothing")
  void stalePeriod() {
    Caller alice = daily(100L);
    alice.charged(1);
    alice.ideaOfNow = START;
    pass(DAY.multipliedBy(2));
    var stale = new Outcome.StalePeriod(Instant.ofEpochMilli(nowMillis));
    assertEquals(stale, alice.reserve(1));
    assertEquals(stale, alice.charge(1));
    assertEquals(stale, alice.reading());
    alice.ideaOfNow = null;
    assertCounts(0, 0, alice.limit());
    assertEquals(TODAY + 2, alice.limit().seq());
  }

  @Test
  @DisplayName("H4 a call ahead of the store is told so, unless the stored period still runs")
  void periodAhead() {
    Caller alice = daily(100L);
    alice.ideaOfNow = START.plus(DAY);
    assertInstanceOf(Outcome.StalePeriod.class, alice.charge(1));
    alice.ideaOfNow = null;
    alice.charged(1);
    alice.ideaOfNow = START.plus(DAY);
    alice.charged(1);
    assertCounts(2, 0, alice.limit());
  }

  /** Those who call by the same schedule, but with other time-zone data. */
  private Caller withOtherZoneData(Duration later) {
    PlanLimit limit = PlanLimit.every(DAY, "daily", "tokens", 100L);
    FixedSchedule days = new FixedSchedule(DAY, Instant.EPOCH);
    return caller(PlanLevel.of("alice", limit.withPace(new PlanLimit.MovedPeriods(days, later))));
  }

  @Test
  @DisplayName("While the zone data of processes differs, the end of a stored period wins")
  void storedEndWins() {
    Caller early = withOtherZoneData(HOUR.negated());
    Caller alice = daily(100L);
    Caller late = withOtherZoneData(HOUR);
    pass(HOUR);
    alice.charged(50);
    pass(DAY.minus(HOUR).minusMillis(1));
    for (Caller caller : List.of(early, alice, late)) {
      assertCounts(50, 0, caller.limit());
      assertEquals(START.plus(DAY), end(caller.limit()));
      assertEquals(1, caller.refused(51).retryAfterMillis());
    }
    early.charged(30);
    late.charged(20);
    assertCounts(100, 0, alice.limit());

    passMillis(1);
    late.charged(40);
    Instant end = Objects.requireNonNull(end(late.limit()));
    for (Caller caller : List.of(early, alice, late)) {
      assertCounts(40, 0, caller.limit());
      assertEquals(end, end(caller.limit()));
      caller.charged(0);
    }
    assertCounts(100, 0, alice.closed().getFirst());
    assertTrue(end.isAfter(START.plus(DAY)));
    passTo(end.minusMillis(1));
    early.charged(60);
    assertEquals(1, alice.refused(1).retryAfterMillis());
    passMillis(1);
    assertCounts(0, 0, alice.limit());
    assertCounts(0, 0, late.limit());
  }

  @Test
  @DisplayName("Sequence numbers grow by the boundaries passed, closed periods are in them once")
  void sequence() {
    Caller alice = daily(100L);
    for (int day : List.of(0, 1, 4)) {
      passTo(START.plus(DAY.multipliedBy(day)));
      alice.charged(day + 1);
    }
    pass(DAY);
    List<ClosedPeriod> closed = alice.closed();
    assertEquals(
        List.of(TODAY, TODAY + 1, TODAY + 4),
        closed.stream().map(ClosedPeriod::seq).filter(s -> usedIn(closed, s) > 0).toList());
    assertEquals(1, usedIn(closed, TODAY));
    assertEquals(2, usedIn(closed, TODAY + 1));
    assertEquals(5, usedIn(closed, TODAY + 4));
  }

  private static long usedIn(List<ClosedPeriod> closed, long seq) {
    return closed.stream().filter(p -> p.seq() == seq).mapToLong(ClosedPeriod::used).sum();
  }

  @Test
  @DisplayName("A limit that is new in the plan starts full and leaves the version alone")
  void addedLimit() {
    Caller alice = daily(100L);
    alice.charged(70);
    pass(HOUR);
    alice.levels =
        List.of(
            alice
                .levels
                .getFirst()
                .withLimits(
                    List.of(
                        alice.levels.getFirst().limits().getFirst(),
                        PlanLimit.every(HOUR, "hourly", "tokens", 20L))));
    long version = alice.level(0).version();
    alice.charged(20);
    assertEquals(version, alice.level(0).version());
    assertEquals(HOUR.toMillis(), alice.refused(1).retryAfterMillis());
    assertCounts(90, 0, alice.limit());
  }
}
