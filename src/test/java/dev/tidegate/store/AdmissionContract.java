package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.Outcome.Reason;
import dev.tidegate.store.Outcome.Refusal;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who is let in, who is not, and what either leaves behind. */
abstract class AdmissionContract extends ContractFixture {

  private List<Outcome.Reserving> atOnce(Caller caller, int calls, long amount) {
    List<Uni<Outcome.Reserving>> unis = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      unis.add(
          under
              .store()
              .reserve(
                  caller.scope(), caller.newId(), Caller.tokens(amount), caller.ttl, false, null));
    }
    return Caller.await(Uni.join().all(unis).andCollectFailures());
  }

  private static <T> List<T> only(Class<T> type, List<? extends Outcome> outcomes) {
    return outcomes.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  @DisplayName("A1 of two concurrent reserves for the last units exactly one is granted")
  void oneOfTwo() {
    Caller alice = daily(100L);
    List<Outcome.Reserving> outcomes = atOnce(alice, 2, 60);
    assertEquals(1, only(Outcome.Held.class, outcomes).size());
    Outcome.Refused refused = only(Outcome.Refused.class, outcomes).getFirst();
    assertEquals(40, refused.state().levels().getFirst().limits().getFirst().remaining());
    assertCounts(0, 60, alice.limit());
  }

  @Test
  @DisplayName("A2 of 1000 concurrent reserves for 10 units exactly 10 are granted")
  void tenOfThousand() {
    Caller alice = daily(10L);
    List<Outcome.Reserving> outcomes = atOnce(alice, 1000, 1);
    assertEquals(10, only(Outcome.Held.class, outcomes).size());
    List<Outcome.Refused> refused = only(Outcome.Refused.class, outcomes);
    assertEquals(990, refused.size());
    assertEquals(
        1,
        refused.stream()
            .map(r -> r.state().levels().getFirst().limits().getFirst().period())
            .distinct()
            .count());
    assertCounts(0, 10, alice.limit());
  }

  @Test
  @DisplayName("A3 equality is granted, one more is denied")
  void equality() {
    Caller alice = daily(100L);
    alice.charged(60);
    alice.hold(40);
    assertEquals(0, alice.limit().remaining());
    assertEquals(Reason.DENIED, alice.refused(1).reason());
  }

  @Test
  @DisplayName("A5 more than the whole limit exceeds it, and drains nothing")
  void exceeds() {
    Caller alice = daily(100L);
    Outcome.Refused refused = alice.refused(101);
    assertEquals(Reason.EXCEEDS, refused.reason());
    assertEquals(-1, refused.retryAfterMillis());
    assertEquals(List.of(new Refusal(Reason.EXCEEDS, 0, 0, 101, -1)), refused.refusals());
    assertEquals(100, alice.limit().remaining());
  }

  @Test
  @DisplayName("A6 a thousand denials change nothing")
  void denialsChangeNothing() {
    Caller alice = daily(10L);
    alice.charged(9);
    QuotaState before = alice.read();
    for (int i = 0; i < 1000; i++) {
      assertEquals(DAY_MILLIS, alice.refused(5).retryAfterMillis());
    }
    assertEquals(before, alice.read());
  }

  @Test
  @DisplayName("A limit of zero exceeds at once and takes a call that costs nothing (E4, F2)")
  void zeroLimit() {
    Caller alice = daily(0L);
    assertEquals(Reason.EXCEEDS, alice.refused(1).reason());
    alice.hold(0);
    assertCounts(0, 0, alice.limit());
    assertEquals(-1, alice.limit().waitMillis());
  }

  @Test
  @DisplayName("F2 an amount of zero is granted when everything is used up")
  void zeroAmount() {
    Caller alice = daily(10L);
    alice.charged(10);
    alice.settled(alice.hold(0), 0);
    alice.charged(0);
    assertCounts(10, 0, alice.limit());
  }

  @Test
  @DisplayName("F3 a negative amount is no amount")
  void negative() {
    assertThrows(IllegalArgumentException.class, () -> Caller.tokens(-1));
  }

  @Test
  @DisplayName("F4 2^53 - 1 fits a limit of that size, 2^53 is no amount")
  void greatest() {
    Caller alice = daily(Amounts.MAX);
    alice.hold(Amounts.MAX);
    assertCounts(0, Amounts.MAX, alice.limit());
    assertThrows(IllegalArgumentException.class, () -> Caller.tokens(Amounts.MAX + 1));
  }

  @Test
  @DisplayName("F6 an amount of 1e14 comes back exactly")
  void large() {
    Caller alice = daily(Amounts.MAX);
    alice.charged(100_000_000_000_000L);
    assertEquals(100_000_000_000_000L, alice.limit().used());
  }

  @Test
  @DisplayName("F8 ten calls of 100000 exhaust 1000000 exactly, the eleventh is denied")
  void fractions() {
    Caller alice = daily(1_000_000L);
    for (int i = 0; i < 10; i++) {
      alice.charged(100_000);
    }
    assertEquals(0, alice.limit().remaining());
    assertInstanceOf(Outcome.Refused.class, alice.charge(100_000));
    assertInstanceOf(Outcome.Refused.class, alice.charge(1));
  }

  @Test
  @DisplayName("A limit without an amount counts and never denies, until a sum would be too large")
  void countsOnly() {
    Caller alice = daily(null);
    alice.charged(Amounts.MAX - 5);
    alice.hold(3);
    Outcome.Refused refused = alice.refused(3);
    assertEquals(Reason.OVERFLOW, refused.reason());
    assertEquals(-1, refused.retryAfterMillis());
    alice.hold(2);
    assertCounts(Amounts.MAX - 5, 5, alice.limit());
    assertNull(alice.limit().remaining());
  }

  @Test
  @DisplayName("Of three levels all are held")
  void allLevels() {
    Caller member = threeLevels(100L, 100L, 100L);
    member.hold(30);
    for (int level = 0; level < 3; level++) {
      assertCounts(0, 30, member.level(level).limits().getFirst());
    }
  }

  @Test
  @DisplayName("J8 what the topmost parent refuses changes no level and names that level")
  void noneOfTheLevels() {
    Caller member = threeLevels(100L, 100L, 20L);
    Outcome.Refused refused = member.refused(30);
    assertEquals(List.of(new Refusal(Reason.EXCEEDS, 2, 0, 30, -1)), refused.refusals());
    for (int level = 0; level < 3; level++) {
      assertCounts(0, 0, member.level(level).limits().getFirst());
      assertEquals(0, member.level(level).version());
    }
  }

  @Test
  @DisplayName("J9 a member that is exhausted is refused although its pool has room")
  void memberExhausted() {
    Caller member = threeLevels(10L, 100L, 100L);
    member.charged(10);
    assertEquals(0, member.refused(1).refusals().getFirst().level());
    assertCounts(10, 0, member.level(1).limits().getFirst());
  }

  private Caller threeLevels(long own, long team, long company) {
    return caller(
        PlanLevel.of("alice", PlanLimit.every(DAY, "daily", "tokens", own)),
        PlanLevel.of("team", PlanLimit.every(DAY, "daily", "tokens", team)),
        PlanLevel.of("company", PlanLimit.every(DAY, "daily", "tokens", company)));
  }

  @Test
  @DisplayName("Members share the pool of their parent")
  void pool() {
    PlanLevel team = PlanLevel.of("team", PlanLimit.every(DAY, "daily", "tokens", 100L));
    Caller alice = caller(PlanLevel.of("alice"), team);
    Caller bob = caller(PlanLevel.of("bob"), team);
    alice.hold(60);
    assertEquals(Reason.DENIED, bob.refused(60).reason());
    bob.hold(40);
    assertCounts(0, 100, alice.level(1).limits().getFirst());
  }

  @Test
  @DisplayName("Every limit that refuses is named in order, the worst reason is the call's")
  void precedence() {
    Caller alice =
        caller(
            PlanLevel.of(
                    "alice",
                    PlanLimit.every(DAY, "calls", "requests", 1L),
                    PlanLimit.every(DAY, "daily", "tokens", 10L),
                    PlanLimit.every(DAY, "count", "tokens", null))
                .withMaxHolds(1));
    alice.hold(Caller.amounts("requests", 1, "tokens", 5));
    Amounts all = Caller.amounts("requests", 1, "tokens", 20);
    Outcome.Refused refused =
        assertInstanceOf(Outcome.Refused.class, alice.reserve(alice.newId(), all, null));
    assertEquals(Reason.EXCEEDS, refused.reason());
    assertEquals(
        List.of(
            new Refusal(Reason.TOO_MANY_HOLDS, 0, -1, 0, 60_000),
            new Refusal(Reason.DENIED, 0, 0, 1, 60_000),
            new Refusal(Reason.EXCEEDS, 0, 1, 20, -1)),
        refused.refusals());
    Amounts huge = Caller.amounts("requests", 0, "tokens", Amounts.MAX);
    Outcome.Refused overflow =
        assertInstanceOf(Outcome.Refused.class, alice.reserve(alice.newId(), huge, null));
    assertEquals(Reason.OVERFLOW, overflow.reason());
  }

  @Test
  @DisplayName("Past the greatest number of live reservations it is too many holds, not a denial")
  void tooManyHolds() {
    Caller alice =
        caller(
            PlanLevel.of("alice", PlanLimit.every(DAY, "daily", "tokens", 100L)).withMaxHolds(2));
    alice.hold(1);
    passMillis(1000);
    alice.hold(1);
    Outcome.Refused refused = alice.refused(1);
    assertEquals(Reason.TOO_MANY_HOLDS, refused.reason());
    assertEquals(59_000, refused.retryAfterMillis());
    alice.charged(1);
    passMillis(59_000);
    alice.hold(1);
  }

  @Test
  @DisplayName("I8 what is blocked by holds alone is free when the lease ends, not at the reset")
  void blockedByHolds() {
    Caller alice = daily(100L);
    alice.hold(50);
    passMillis(20_000);
    alice.hold(50);
    assertEquals(40_000, alice.refused(50).retryAfterMillis());
    assertEquals(60_000, alice.refused(51).retryAfterMillis());
    assertEquals(40_000, alice.limit().waitMillis());
  }

  @Test
  @DisplayName("I7 of two limits that refuse the one that frees later decides")
  void laterDecides() {
    Caller alice =
        caller(
            PlanLevel.of(
                "alice",
                PlanLimit.every(HOUR, "hourly", "tokens", 10L),
                PlanLimit.every(DAY, "daily", "tokens", 10L)));
    alice.charged(10);
    Outcome.Refused refused = alice.refused(1);
    assertEquals(DAY_MILLIS, refused.retryAfterMillis());
    assertEquals(
        List.of(HOUR.toMillis(), DAY_MILLIS),
        refused.refusals().stream().map(Refusal::freesMillis).toList());
  }

  @Test
  @DisplayName("Up to 128 leases the advice is exact, beyond that it says when it is estimated")
  void manyLeases() {
    Caller alice = daily(200L);
    for (int i = 0; i < 128; i++) {
      alice.ttl = Duration.ofSeconds(60 + i);
      alice.hold(1);
    }
    Outcome.Refused exact = alice.refused(200);
    assertFalse(exact.estimated());
    assertEquals(187_000, exact.retryAfterMillis());
    alice.ttl = Duration.ofMinutes(10);
    alice.hold(1);
    Outcome.Refused beyond = alice.refused(200);
    assertTrue(beyond.estimated() || beyond.retryAfterMillis() == 600_000);
    assertTrue(beyond.retryAfterMillis() > 0);
    assertEquals(60_000, alice.refused(72).retryAfterMillis());
  }

  @Test
  @DisplayName("A dry run answers as the call would and leaves nothing")
  void dryRun() {
    Caller alice = daily(10L);
    Outcome.Fits fits = assertInstanceOf(Outcome.Fits.class, alice.dryRun(10, null));
    assertEquals(alice.read(), fits.state());
    assertEquals(0, alice.level(0).version());
    alice.hold(10);
    assertEquals(alice.refused(1), alice.dryRun(1, null));
    assertCounts(0, 10, alice.limit());
  }

  @Test
  @DisplayName("B21 a reservation says when its lease ends by the store's clock")
  void expiresAt() {
    Caller alice = daily(10L);
    alice.ttl = SECOND;
    Outcome.Held held = assertInstanceOf(Outcome.Held.class, alice.reserve(1));
    assertEquals(Instant.ofEpochMilli(nowMillis + 1000), held.expiresAt());
    assertEquals(Caller.tokens(1), held.amounts());
    assertFalse(held.replayed());
  }

  @Test
  @DisplayName("Another resource, another subject and another life of it have quotas of their own")
  void apart() {
    Caller alice = daily(10L);
    alice.charged(10);
    alice.resource = "gpt";
    alice.charged(10);
    alice.resource = "claude";
    alice.levels = List.of(alice.levels.getFirst().withIncarnation(1));
    alice.charged(10);
    caller(PlanLevel.of("bob", PlanLimit.every(DAY, "daily", "tokens", 10L))).charged(10);
    assertEquals(10, alice.limit().used());
  }

  @Test
  @DisplayName("F10 a read of nothing stores nothing and shows the full share under version 0")
  void readOfNothing() {
    Caller alice = daily(10L);
    QuotaState state = alice.read();
    assertEquals(0, state.levels().getFirst().version());
    assertEquals(10, state.levels().getFirst().limits().getFirst().remaining());
    assertEquals(List.of(), alice.closed());
    assertEquals(state, alice.read());
  }

  @Test
  @DisplayName("E1 a greater limit counts at once")
  void upgrade() {
    Caller alice = daily(100L);
    alice.charged(100);
    alice.levels = daily(500L).levels;
    assertEquals(400, alice.limit().remaining());
    alice.charged(400);
  }

  @Test
  @DisplayName("E2 a limit lowered below its use denies until the reset and settles what is held")
  void downgrade() {
    Caller alice = daily(500L);
    alice.charged(300);
    var id = alice.hold(50);
    alice.levels = daily(100L).levels;
    assertEquals(0, alice.limit().remaining());
    assertEquals(DAY_MILLIS, alice.refused(1).retryAfterMillis());
    alice.settled(id, 50);
    assertCounts(350, 0, alice.limit());
  }

  @Test
  @DisplayName("E5 a limit that was lifted went on counting")
  void lifted() {
    Caller alice = daily(100L);
    alice.charged(90);
    alice.levels = daily(null).levels;
    alice.charged(500);
    alice.levels = daily(100L).levels;
    assertEquals(590, alice.limit().used());
    assertEquals(Reason.DENIED, alice.refused(1).reason());
  }

  @Test
  @DisplayName("A call decided with another version of a subject's record is decided anew")
  void staleConfiguration() {
    Caller alice = daily(10L);
    under.setRecordVersion(alice.scope().root(), alice.scope().root(), 3);
    Instant now = Instant.ofEpochMilli(nowMillis);
    var stale = new Outcome.StaleConfiguration(now, 0);
    assertEquals(stale, alice.reserve(1));
    assertEquals(stale, alice.charge(1));
    assertEquals(stale, alice.reading());
    alice.levels = List.of(alice.levels.getFirst().withRecordVersion(3));
    alice.charged(1);
  }

  @Test
  @DisplayName("A call decided with older plans than its state was written with is decided anew")
  void stalePlans() {
    Caller alice = daily(10L);
    alice.plans = 5;
    alice.charged(1);
    ReservationId held = alice.hold(2);
    alice.plans = 4;
    var stale = new Outcome.StaleConfiguration(Instant.ofEpochMilli(nowMillis), 5);
    assertEquals(stale, alice.reserve(1));
    assertEquals(stale, alice.charge(1));
    assertEquals(stale, alice.reading());
    assertEquals(stale, alice.settle(held, 2));
    assertEquals(stale, alice.extend(held, Duration.ofMinutes(5)));
    alice.plans = 6;
    alice.charged(1);
    alice.plans = 5;
    assertEquals(6, ((Outcome.StaleConfiguration) alice.reserve(1)).plansSeen());
    alice.plans = Scope.ANY_PLANS;
    assertEquals(2, alice.limit().used());
    assertEquals(2, alice.limit().held());
  }
}
