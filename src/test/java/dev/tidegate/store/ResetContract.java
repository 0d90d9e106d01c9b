package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.calendar.CalendarSchedule;
import dev.tidegate.domain.calendar.CalendarUnit;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.QuotaState.LimitState;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What resets and restarts do, and what they leave alone. */
abstract class ResetContract extends ContractFixture {

  private static final Duration FIVE_HOURS = Duration.ofHours(5);

  private static @Nullable Instant resetAt(LimitState limit) {
    Period period = limit.period();
    return period == null ? null : period.end();
  }

  private Caller dailyAndWeekly() {
    return caller(
        PlanLevel.of(
            "alice",
            PlanLimit.every(DAY, "daily", "tokens", 100L),
            PlanLimit.every(DAY.multipliedBy(7), "weekly", "tokens", 500L)));
  }

  /** Asks for an emergency top-up of the first limit, on the version that is shown. */
  private static Outcome.Granting click(Caller caller, int max, boolean perDay) {
    String limit = caller.levels.getFirst().limits().getFirst().name();
    return caller.emergency(limit, 10, max, perDay, caller.level(0).version());
  }

  @Test
  @DisplayName("Law 18, C9, C10: a reset with live holds is a new seq with the same end")
  void resetKeepsAnchor() {
    Caller alice = daily(100L);
    alice.charged(60);
    ReservationId id = alice.hold(20);
    alice.bought("daily", 7);
    pass(SECOND);
    LimitState before = alice.limit();
    Outcome.WasReset reset = alice.wasReset("daily");
    LimitState after = alice.limit();
    assertTrue(reset.changed());
    assertEquals(before.seq() + 1, after.seq());
    assertEquals(resetAt(before), resetAt(after));
    assertCounts(0, 0, after);
    assertEquals(0, after.topup());
    assertEquals(100L, after.remaining());
    ClosedPeriod previous = Objects.requireNonNull(reset.limits().getFirst().previous());
    assertCounts(60, 20, previous);
    assertEquals(7, previous.topup());
    assertEquals(Instant.ofEpochMilli(nowMillis), previous.period().end());
    alice.settled(id, 40);
    assertCounts(0, 0, alice.limit());
    assertEquals(List.of(100L), alice.closed().stream().map(ClosedPeriod::used).toList());
    pass(DAY);
    alice.charged(1);
    assertEquals(before.seq() + 2, alice.limit().seq(), "a boundary counts on");
  }

  @Test
  @DisplayName("Law 18: a hold that lapses after a reset gives nothing back to the new period")
  void lapseAfterReset() {
    Caller alice = daily(100L);
    alice.hold(20);
    alice.wasReset("daily");
    alice.hold(100);
    passMillis(60_000);
    assertCounts(0, 0, alice.limit());
    assertCounts(0, 0, alice.closed().getFirst());
  }

  @Test
  @DisplayName("Law 18: two resets at one instant are two seqs")
  void twoResetsAtOnce() {
    Caller alice = daily(100L);
    alice.charged(1);
    long seq = alice.limit().seq();
    alice.wasReset("daily");
    alice.wasReset("daily");
    assertEquals(seq + 2, alice.limit().seq());
    assertEquals(2, alice.closed().size());
  }

  @Test
  @DisplayName("Law 18: a session ends with the reset, and the next use opens a new one")
  void resetSession() {
    Caller alice = sessions(100);
    alice.charged(30);
    pass(HOUR);
    Outcome.WasReset reset = alice.wasReset("session");
    assertTrue(reset.changed());
    assertNull(alice.limit().period());
    pass(HOUR);
    assertFalse(alice.wasReset("session").changed(), "there is none to reset");
    long version = alice.level(0).version();
    alice.charged(1);
    assertEquals(START.plus(Duration.ofHours(7)), resetAt(alice.limit()));
    assertEquals(version, alice.level(0).version());
  }

  @Test
  @DisplayName("Law 18: emergency caps survive a reset, of a session until it would have ended")
  void capsSurviveReset() {
    Caller alice = daily(100L);
    alice.charged(1);
    click(alice, 1, false);
    alice.wasReset("daily");
    assertEquals(1, alice.limit().emergencies());
    assertInstanceOf(Outcome.TopUpCapReached.class, click(alice, 1, false));
    Caller bob =
        caller(PlanLevel.of("bob", PlanLimit.session(FIVE_HOURS, "session", "tokens", 100L)));
    bob.charged(1);
    click(bob, 1, false);
    pass(HOUR);
    bob.wasReset("session");
    assertEquals(1, bob.limit().emergencies());
    bob.charged(1);
    assertEquals(
        new Outcome.TopUpCapReached("session", START.plus(FIVE_HOURS), false),
        click(bob, 1, false));
    passTo(START.plus(FIVE_HOURS));
    assertEquals(0, bob.limit().emergencies());
    assertInstanceOf(Outcome.ToppedUp.class, click(bob, 1, false));
  }

  @Test
  @DisplayName("Law 18: a subject that never used the resource is told that nothing was reset")
  void resetOfNobody() {
    Caller alice = daily(100L);
    Outcome.WasReset reset = alice.wasReset("daily");
    assertFalse(reset.changed());
    assertNull(reset.limits().getFirst().previous());
    assertEquals(0, alice.level(0).version());
    assertEquals(List.of(), alice.trail());
  }

  @Test
  @DisplayName("Laws 13 and 18: a reset of some limits leaves the others, and it names a version")
  void resetOfSome() {
    Caller alice = dailyAndWeekly();
    alice.charged(10);
    alice.ifVersion = 1L;
    assertInstanceOf(Outcome.VersionConflict.class, alice.reset("daily"));
    alice.ifVersion = alice.level(0).version();
    alice.wasReset("daily");
    assertEquals(List.of(0L, 10L), alice.level(0).limits().stream().map(LimitState::used).toList());
  }

  @Test
  @DisplayName(
      "Law 18: a restart lasts a whole period from now, and later periods follow from there")
  void restart() {
    Caller alice = daily(100L);
    alice.charged(60);
    pass(Duration.ofHours(7).plusMillis(1500));
    Instant anchor = Instant.ofEpochMilli(nowMillis - 500);
    long seq = alice.limit().seq();
    assertInstanceOf(Outcome.WasReset.class, alice.restart(0, "daily"));
    assertEquals(anchor.plus(DAY), resetAt(alice.limit()));
    assertEquals(100L, alice.limit().remaining());
    assertEquals(seq + 1, alice.limit().seq());
    passTo(anchor.plus(DAY).minusMillis(1));
    alice.charged(30);
    assertCounts(30, 0, alice.limit());
    passMillis(1);
    Outcome.StaleAnchors stale =
        assertInstanceOf(Outcome.StaleAnchors.class, alice.charge(Caller.tokens(1), null));
    assertEquals(List.of(new Outcome.Anchor(0, "daily", anchor)), stale.anchors());
    assertInstanceOf(Outcome.StaleAnchors.class, alice.reading());
    alice.anchors = Map.of("daily", anchor);
    alice.charged(1);
    assertEquals(anchor.plus(DAY.multipliedBy(2)), resetAt(alice.limit()));
    assertEquals(seq + 2, alice.limit().seq());
    alice.anchors = Map.of();
    alice.charged(1);
    assertCounts(2, 0, alice.limit());
    pass(DAY.multipliedBy(5));
    alice.anchors = Map.of("daily", anchor);
    assertEquals(anchor.plus(DAY.multipliedBy(7)), resetAt(alice.limit()));
    assertEquals(seq + 7, alice.limit().seq());
  }

  @Test
  @DisplayName("Law 18: a restart on the 31st is a 31st after February, in the zone's local time")
  void restartOfMonths() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    CalendarSchedule monthly = CalendarSchedule.every(CalendarUnit.MONTH);
    Caller alice =
        caller(
            PlanLevel.of(
                "alice",
                new PlanLimit("monthly", "tokens", 9L, new PlanLimit.Periods(monthly), berlin)));
    passTo(Instant.parse("2027-01-31T09:30:00Z"));
    alice.charged(1);
    alice.restart(0, "monthly");
    assertEquals(Instant.parse("2027-02-28T09:30:00Z"), resetAt(alice.limit()));
    alice.anchors = Map.of("monthly", Instant.parse("2027-01-31T09:30:00Z"));
    passTo(Instant.parse("2027-02-28T09:30:00Z"));
    assertEquals(Instant.parse("2027-03-31T08:30:00Z"), resetAt(alice.limit()), "summer time");
  }

  @Test
  @DisplayName("Law 18: the anchor is forgotten when the plan's schedule changes")
  void restartThenOtherSchedule() {
    Caller alice = daily(100L);
    alice.charged(60);
    pass(HOUR);
    alice.restart(0, "daily");
    alice.levels = List.of(PlanLevel.of("alice", PlanLimit.every(HOUR, "daily", "tokens", 100L)));
    assertEquals(START.plus(HOUR).plus(DAY), resetAt(alice.limit()), "the period runs on");
    pass(DAY.plus(Duration.ofMinutes(30)));
    assertEquals(START.plus(DAY).plus(Duration.ofHours(2)), resetAt(alice.limit()));
  }

  @Test
  @DisplayName("Law 18: restarts are capped per limit, and the answer says until when")
  void restartCap() {
    Caller alice = dailyAndWeekly();
    assertFalse(
        assertInstanceOf(Outcome.WasReset.class, alice.restart(1, "daily")).changed(),
        "what was never used does not count");
    alice.charged(1);
    alice.restart(2, "daily");
    pass(HOUR);
    alice.restart(2, "daily");
    Outcome.Granting capped = alice.restart(2, "daily", "weekly");
    Instant first = START.plus(Duration.ofDays(30));
    assertEquals(new Outcome.RestartCapReached("daily", first, false), capped);
    assertInstanceOf(Outcome.WasReset.class, alice.restart(2, "weekly"));
    passTo(first.minusMillis(1));
    alice.anchors = Map.of("daily", START.plus(HOUR), "weekly", START.plus(HOUR));
    alice.charged(1);
    assertInstanceOf(Outcome.RestartCapReached.class, alice.restart(2, "daily"));
    passMillis(1);
    assertInstanceOf(Outcome.WasReset.class, alice.restart(2, "daily"));
  }

  @Test
  @DisplayName("Law 18: a restart that comes two seconds late is decided anew")
  void staleRestart() {
    Caller alice = daily(100L);
    alice.charged(1);
    Instant idea = Instant.ofEpochMilli(nowMillis);
    passMillis(1999);
    alice.ideaOfNow = idea;
    assertInstanceOf(Outcome.WasReset.class, alice.restart(0, "daily"));
    passMillis(1);
    assertInstanceOf(Outcome.StalePeriod.class, alice.restart(0, "daily"));
    alice.ideaOfNow = idea.plusSeconds(3);
    assertInstanceOf(Outcome.StalePeriod.class, alice.restart(0, "daily"));
  }

  @Test
  @DisplayName("Law 19: a grant leaves parents, members and other resources alone")
  void leavesOthersAlone() {
    PlanLevel team = PlanLevel.of("team", PlanLimit.every(DAY, "daily", "tokens", 1000L));
    PlanLevel own = PlanLevel.of("alice", PlanLimit.every(DAY, "daily", "tokens", 100L));
    Caller alice = caller(own, team);
    alice.charged(40);
    alice.bought("daily", 5);
    alice.wasReset("daily");
    assertCounts(40, 0, alice.level(1).limits().getFirst());
    assertEquals(0, alice.level(1).limits().getFirst().topup());
    alice.resource = "gpt";
    assertEquals(0, alice.level(0).version());
    assertEquals(List.of(), alice.trail());
  }

  @Test
  @DisplayName("A grant that was decided with another record of the subject is decided anew")
  void staleConfiguration() {
    Caller alice = daily(100L);
    under.setRecordVersion(alice.scope().root(), alice.scope().root(), 3);
    Outcome stale = new Outcome.StaleConfiguration(START, 0);
    assertEquals(stale, alice.purchase("daily", 1));
    assertEquals(stale, alice.reset("daily"));
    assertEquals(stale, alice.restart(0, "daily"));
    assertEquals(stale, alice.emergency("daily", 1, 1, false, 0));
  }

  @Test
  @DisplayName(
      "Laws 18, 22: a restart in the millisecond of a change that waits has it and keeps it")
  void restartWithAChange() {
    Caller alice = daily(100L);
    alice.charged(10);
    pass(SECOND.multipliedBy(5));
    PlanLimit changed =
        alice.levels.getFirst().limits().getFirst().withAmountLater(500L, START.plusSeconds(5));
    alice.levels = List.of(alice.levels.getFirst().withLimits(List.of(changed)));
    alice.restart(0, "daily");
    assertEquals(500L, alice.limit().amount());
    passMillis(1);
    assertEquals(500L, alice.limit().amount());
    alice.charged(500);
    passTo(START.plusSeconds(5).plus(DAY));
    alice.anchors = Map.of("daily", START.plusSeconds(5));
    assertEquals(500L, alice.limit().amount());
  }

  @Test
  @DisplayName("Laws 18, 22: a restart before a change in one millisecond has it at its end")
  void restartBeforeAChange() {
    Caller alice = daily(100L);
    alice.charged(10);
    pass(SECOND.multipliedBy(5));
    alice.restart(0, "daily");
    PlanLimit changed =
        alice.levels.getFirst().limits().getFirst().withAmountLater(500L, START.plusSeconds(5));
    alice.levels = List.of(alice.levels.getFirst().withLimits(List.of(changed)));
    alice.charged(10);
    assertEquals(100L, alice.limit().amount());
    passMillis(1);
    assertEquals(100L, alice.limit().amount());
    passTo(START.plusSeconds(5).plus(DAY));
    alice.anchors = Map.of("daily", START.plusSeconds(5));
    assertEquals(500L, alice.limit().amount());
  }

  @Test
  @DisplayName("Law 18: what a reset of a bucket has given back is not given back again")
  void holdsOfAResetBucket() {
    PlanLimit limit = PlanLimit.bucket("rate", "tokens", 1000, 1, DAY);
    Caller alice = caller(PlanLevel.of("alice", limit));
    ReservationId released = alice.hold(400);
    ReservationId settled = alice.hold(300);
    ReservationId exceeded = alice.hold(300);
    alice.wasReset("rate");
    assertEquals(1, alice.limit().seq());
    alice.charged(1000);
    alice.release(released);
    alice.settled(settled, 100);
    assertEquals(0L, alice.limit().remaining());
    alice.settled(exceeded, 310);
    assertEquals(1010, alice.limit().used());
    ReservationId later = alice.hold(0);
    alice.settled(later, 0);
    assertEquals(1010, alice.limit().used());
  }
}
