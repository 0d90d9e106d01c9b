package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.QuotaState.LimitState;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What purchases and emergency top-ups do. */
abstract class TopUpContract extends ContractFixture {

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
  @DisplayName("Law 16: a purchase adds exactly N above the plan and ends with the period")
  void purchase() {
    Caller alice = daily(100L);
    alice.charged(100);
    Instant resetAt = resetAt(alice.limit());
    Outcome.ToppedUp bought = alice.bought("daily", 50);
    assertEquals(Amounts.of("daily", 50), bought.granted());
    assertEquals(alice.read(), bought.state());
    assertEquals(50, alice.limit().topup());
    assertEquals(50L, alice.limit().remaining());
    assertEquals(resetAt, resetAt(alice.limit()));
    alice.charged(50);
    assertInstanceOf(Outcome.Refused.class, alice.charge(1));
    pass(DAY);
    assertEquals(0, alice.limit().topup());
    assertEquals(100L, alice.limit().remaining());
    alice.charged(1);
    assertEquals(50, alice.closed().getFirst().topup());
  }

  @Test
  @DisplayName("Law 16: a subject that never used the resource gets its full share and the top-up")
  void purchaseOfNobody() {
    Caller alice = daily(100L);
    Outcome.ToppedUp bought = alice.bought("daily", 50);
    assertEquals(150L, alice.limit().remaining());
    assertEquals(nowMillis + 1, bought.state().levels().getFirst().version(), "the first version");
  }

  @Test
  @DisplayName("Law 16: a pending roll-over is applied first, in the same write")
  void purchaseAfterTheEnd() {
    Caller alice = daily(100L);
    alice.charged(70);
    pass(DAY.multipliedBy(2));
    alice.bought("daily", 5);
    assertCounts(0, 0, alice.limit());
    assertEquals(5, alice.limit().topup());
    assertEquals(nowMillis + 1, alice.level(0).version(), "the boundary and the grant");
    assertEquals(List.of(70L), alice.closed().stream().map(ClosedPeriod::used).toList());
  }

  @Test
  @DisplayName("Law 16: a purchase opens a session that is not running")
  void purchaseOpensSession() {
    Caller alice = sessions(100);
    assertNull(alice.limit().period());
    alice.bought("session", 20);
    assertEquals(START.plus(FIVE_HOURS), resetAt(alice.limit()));
    assertEquals(120L, alice.limit().remaining());
    pass(HOUR);
    alice.bought("session", 20);
    assertEquals(START.plus(FIVE_HOURS), resetAt(alice.limit()), "it is not prolonged");
    pass(FIVE_HOURS);
    assertNull(alice.limit().period());
    alice.charged(1);
    assertEquals(0, alice.limit().topup());
  }

  @Test
  @DisplayName("Law 16: several limits in one call, all of them or none")
  void severalLimits() {
    Caller alice = dailyAndWeekly();
    Outcome.ToppedUp bought =
        assertInstanceOf(
            Outcome.ToppedUp.class, alice.purchase(Caller.amounts("daily", 1, "weekly", 2)));
    assertEquals(
        List.of(1L, 2L),
        bought.state().levels().getFirst().limits().stream().map(LimitState::topup).toList());
    QuotaState before = alice.read();
    Amounts tooMuch = Caller.amounts("daily", 1, "weekly", Amounts.MAX - 500);
    assertEquals(new Outcome.TopUpOverflow("weekly", false), alice.purchase(tooMuch));
    assertEquals(before, alice.read());
    assertEquals(1, alice.trail().size());
  }

  @Test
  @DisplayName("Laws 16 and 23: no sum of limit and top-ups passes 2^53 - 1")
  void overflow() {
    Caller alice = daily(100L);
    alice.bought("daily", Amounts.MAX - 100);
    assertEquals(Amounts.MAX, alice.limit().remaining());
    assertEquals(new Outcome.TopUpOverflow("daily", false), alice.purchase("daily", 1));
    Caller unlimited = caller(PlanLevel.of("bob", PlanLimit.every(DAY, "daily", "tokens", null)));
    unlimited.charged(5);
    assertEquals(
        new Outcome.TopUpOverflow("daily", false), unlimited.purchase("daily", Amounts.MAX - 4));
    unlimited.bought("daily", Amounts.MAX - 5);
  }

  @Test
  @DisplayName("Law 16: a purchase that names a version is made on that version alone")
  void purchaseOnVersion() {
    Caller alice = daily(100L);
    alice.ifVersion = 7L;
    assertEquals(new Outcome.VersionConflict(0, false), alice.purchase("daily", 1));
    alice.ifVersion = 0L;
    alice.bought("daily", 1);
  }

  @Test
  @DisplayName("Law 17: an emergency top-up is granted on the version that a read shows")
  void emergency() {
    Caller alice = daily(100L);
    alice.charged(100);
    Instant resetAt = resetAt(alice.limit());
    long version = alice.level(0).version();
    assertInstanceOf(Outcome.ToppedUp.class, alice.emergency("daily", 10, 2, false, version));
    assertEquals(10L, alice.limit().remaining());
    assertEquals(1, alice.limit().emergencies());
    assertEquals(resetAt, resetAt(alice.limit()), "the anchor stays");
    QuotaState before = alice.read();
    long moved = alice.level(0).version();
    assertNotEquals(version, moved);
    assertEquals(
        new Outcome.VersionConflict(moved, false), alice.emergency("daily", 10, 2, false, version));
    assertEquals(before, alice.read());
  }

  @Test
  @DisplayName(
      "Laws 17 and 31: version 0 where nothing is stored, and the projected one after an end")
  void emergencyOnProjectedVersion() {
    Caller alice = daily(100L);
    assertInstanceOf(Outcome.ToppedUp.class, alice.emergency("daily", 10, 9, false, 0));
    pass(DAY.multipliedBy(3));
    long shown = alice.level(0).version();
    assertInstanceOf(Outcome.ToppedUp.class, alice.emergency("daily", 10, 9, false, shown));
    assertEquals(shown + 1, alice.level(0).version());
  }

  /** Grants until the version has passed {@code shown}; none on the way may be that one. */
  private void assertComesNoMore(long shown, Caller caller) {
    for (int n = 0; n < 20; n++) {
      caller.bought("daily", 1);
      assertTrue(caller.level(0).version() > shown, () -> caller.level(0).version() + ", " + shown);
    }
    assertInstanceOf(
        Outcome.VersionConflict.class, caller.emergency("daily", 10, 99, false, shown));
  }

  @Test
  @DisplayName("Laws 2 and 17: a version that was shown under other terms comes no second time")
  void versionsUnderOtherTerms() {
    PlanLimit daily = PlanLimit.every(DAY, "daily", "tokens", 100L);
    PlanLimit hourly = PlanLimit.every(HOUR, "hourly", "tokens", 100L);
    Caller alice = caller(PlanLevel.of("alice", daily, hourly));
    alice.charged(1);
    pass(HOUR.multipliedBy(5));
    long ofBoth = alice.level(0).version();
    alice.levels = List.of(PlanLevel.of("alice", daily));
    assertComesNoMore(ofBoth, alice);
    alice.levels = List.of(PlanLevel.of("alice", PlanLimit.every(HOUR, "daily", "tokens", 100L)));
    pass(DAY.plus(HOUR.multipliedBy(3)));
    long ofHours = alice.level(0).version();
    alice.levels = List.of(PlanLevel.of("alice", daily));
    assertComesNoMore(ofHours, alice);
  }

  @Test
  @DisplayName("Law 17: a version of an earlier life is none of the next")
  void versionsOfLives() {
    Caller alice = daily(100L);
    for (int n = 0; n < 20; n++) {
      alice.bought("daily", 1);
    }
    long earlier = alice.level(0).version();
    alice.levels = List.of(alice.levels.getFirst().withIncarnation(1));
    passMillis(20);
    assertComesNoMore(earlier, alice);
  }

  @Test
  @DisplayName("Law 17: of N clicks on one version exactly one succeeds")
  void oneOfManyClicks() {
    Caller alice = daily(100L);
    alice.charged(1);
    alice.cap("daily", new PlanLimit.Cap(100, null));
    alice.ifVersion = alice.level(0).version();
    Scope scope = alice.scope();
    List<Uni<Outcome.Granting>> clicks = new ArrayList<>();
    for (int n = 0; n < 50; n++) {
      clicks.add(under.grants().topUpInEmergency(scope, "daily", 10, alice.grant()));
    }
    List<Outcome.Granting> outcomes = Caller.await(Uni.join().all(clicks).andCollectFailures());
    assertEquals(1, outcomes.stream().filter(Outcome.ToppedUp.class::isInstance).count());
    assertEquals(49, outcomes.stream().filter(Outcome.VersionConflict.class::isInstance).count());
    assertEquals(10, alice.limit().topup());
    assertEquals(1, alice.trail().size());
  }

  @Test
  @DisplayName("Law 17: a cap per period lets the next one through at the boundary")
  void capPerPeriod() {
    Caller alice = dailyAndWeekly();
    alice.charged(1);
    click(alice, 2, false);
    click(alice, 2, false);
    assertEquals(
        new Outcome.TopUpCapReached("daily", START.plus(DAY), false), click(alice, 2, false));
    assertEquals(2, alice.limit().emergencies());
    pass(DAY.minusMillis(1));
    assertInstanceOf(Outcome.TopUpCapReached.class, click(alice, 2, false));
    passMillis(1);
    assertEquals(0, alice.limit().emergencies());
    assertInstanceOf(Outcome.ToppedUp.class, click(alice, 2, false));
  }

  @Test
  @DisplayName("Law 17: a cap per day lets the next one through at midnight, and a read shows it")
  void capPerDay() {
    Caller alice = caller(PlanLevel.of("alice", PlanLimit.every(HOUR, "hourly", "tokens", 100L)));
    passTo(START.plus(Duration.ofHours(20)));
    click(alice, 2, true);
    pass(HOUR);
    assertEquals(1, alice.limit().emergencies(), "it outlives the period");
    click(alice, 2, true);
    pass(HOUR);
    assertEquals(
        new Outcome.TopUpCapReached("hourly", START.plus(DAY), false), click(alice, 2, true));
    passTo(START.plus(DAY));
    assertEquals(0, alice.limit().emergencies());
    assertInstanceOf(Outcome.ToppedUp.class, click(alice, 2, true));
    assertEquals(1, alice.limit().emergencies());
  }

  @Test
  @DisplayName("Law 17: a day that is over for the store is computed anew")
  void staleDay() {
    Caller alice = sessions(100);
    alice.charged(1);
    pass(DAY.multipliedBy(2));
    alice.ideaOfNow = START;
    assertEquals(
        new Outcome.StalePeriod(Instant.ofEpochMilli(nowMillis)),
        alice.emergency("session", 10, 2, true, alice.level(0).version()));
    assertEquals(List.of(), alice.trail());
  }

  @Test
  @DisplayName("A top-up lets a reservation through that was too large for the plan's share")
  void topUpAdmits() {
    Caller alice = daily(100L);
    assertEquals(Outcome.Reason.EXCEEDS, alice.refused(120).reason());
    alice.bought("daily", 20);
    alice.hold(120);
    assertEquals(0L, alice.limit().remaining());
    alice.settled(alice.hold(0), 0);
  }

  @Test
  @DisplayName("Law 23: a limit raised after a purchase is with it no more than there can be")
  void raisedAfterAPurchase() {
    Caller alice = daily(10L);
    alice.bought("daily", Amounts.MAX - 10);
    alice.levels = daily(Amounts.MAX).levels;
    assertEquals(Amounts.MAX, alice.limit().remaining());
    alice.charged(Amounts.MAX - 5);
    assertEquals(5L, alice.limit().remaining());
    assertEquals(DAY_MILLIS, alice.refused(6).retryAfterMillis());
    alice.charged(5);
    alice.refused(1);
    assertCounts(Amounts.MAX, 0, alice.limit());
  }

  @Test
  @DisplayName("Laws 17 and 22: whoever hops zones gets no more emergency top-ups a day")
  void capPerDayOfHops() {
    for (Duration since : List.of(Duration.ofMinutes(59), Duration.ofMinutes(61))) {
      passTo(
          START.plus(DAY.multipliedBy(since.toMinutes())).plus(HOUR.multipliedBy(9)).plus(since));
      Caller alice = daily(100L);
      alice.resource = "hops-" + since.toMinutes();
      int granted = 0;
      for (int hour = 0; hour < 24; hour++) {
        ZoneId zone = ZoneOffset.ofHours(14 - hour);
        PlanLimit.Cap cap = new PlanLimit.Cap(1, zone);
        Outcome.Granting outcome = alice.emergency("daily", 10, cap, alice.level(0).version());
        granted += outcome instanceof Outcome.ToppedUp ? 1 : 0;
        pass(HOUR);
      }
      assertEquals(1, granted);
    }
  }

  @Test
  @DisplayName("Law 17: in another zone the next emergency top-up comes when the answer says")
  void nextAfterAHop() {
    passTo(START.plus(HOUR.multipliedBy(20)));
    Caller alice = daily(100L);
    click(alice, 1, true);
    PlanLimit.Cap tokyo = new PlanLimit.Cap(1, ZoneOffset.ofHours(9));
    pass(HOUR);
    Instant next = START.plus(DAY).plus(HOUR.multipliedBy(15));
    assertEquals(
        new Outcome.TopUpCapReached("daily", next, false),
        alice.emergency("daily", 10, tokyo, alice.level(0).version()));
    passTo(next.minusMillis(1));
    assertEquals(1, alice.limit().emergencies());
    assertInstanceOf(
        Outcome.TopUpCapReached.class,
        alice.emergency("daily", 10, tokyo, alice.level(0).version()));
    passMillis(1);
    assertEquals(0, alice.limit().emergencies());
    assertInstanceOf(
        Outcome.ToppedUp.class, alice.emergency("daily", 10, tokyo, alice.level(0).version()));
  }

  @Test
  @DisplayName("Law 17: a call whose days do not reach the present one is decided anew")
  void staleDays() {
    Caller alice = daily(100L);
    alice.cap("daily", new PlanLimit.Cap(1, ZoneOffset.UTC));
    alice.ideaOfNow = START.minus(DAY.multipliedBy(2));
    alice.levels =
        List.of(
            alice
                .levels
                .getFirst()
                .withLimits(
                    List.of(
                        PlanLimit.session(DAY, "daily", "tokens", 100L)
                            .withCap(new PlanLimit.Cap(1, ZoneOffset.UTC)))));
    assertEquals(new Outcome.StalePeriod(START), alice.reading());
    alice.ideaOfNow = START.minus(DAY);
    assertEquals(1, alice.limit().emergenciesAllowed());
  }
}
