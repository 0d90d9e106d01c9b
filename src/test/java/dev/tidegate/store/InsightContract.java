package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.Breakdown;
import dev.tidegate.domain.CategoryUse;
import dev.tidegate.domain.PeriodUse;
import dev.tidegate.domain.RecentUse;
import dev.tidegate.domain.ReservationId;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is told of how a quota is used. */
abstract class InsightContract extends ContractFixture {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static Bill bill(long tokens, long hit, long missed) {
    TreeMap<String, CategoryUse> uses = new TreeMap<>();
    uses.put("cache_hit_input", new CategoryUse(hit, BigDecimal.valueOf(hit, 1)));
    uses.put("cache_miss_input", new CategoryUse(missed, BigDecimal.valueOf(missed)));
    return new Bill(Caller.tokens(tokens), new Breakdown(new TreeMap<>(Map.of("tokens", uses))));
  }

  private static RecentUse tokens(Caller caller, int level) {
    RecentUse use = caller.insights().get(level).byMeter().get("tokens");
    assertNotNull(use);
    return use;
  }

  private static RecentUse tokens(Caller caller) {
    return tokens(caller, 0);
  }

  private static PeriodUse period(Caller caller, String limit) {
    return caller.insights().getFirst().byLimit().getOrDefault(limit, PeriodUse.NONE);
  }

  private static void assertUnits(long hit, long missed, PeriodUse use) {
    assertEquals(
        Map.of(
            "cache_hit_input", new CategoryUse(hit, BigDecimal.valueOf(hit, 1)),
            "cache_miss_input", new CategoryUse(missed, BigDecimal.valueOf(missed))),
        use.byCategory());
  }

  private static void assertUsed(long lastHour, long lastDay, RecentUse use) {
    assertEquals(
        new RecentUse(use.age(), BigDecimal.valueOf(lastHour), BigDecimal.valueOf(lastDay)), use);
  }

  private static void assertBetween(long least, long most, BigDecimal used) {
    assertTrue(used.compareTo(BigDecimal.valueOf(least)) >= 0, used::toString);
    assertTrue(used.compareTo(BigDecimal.valueOf(most)) <= 0, used::toString);
  }

  @Test
  @DisplayName("J1 of what was never used there is no rate and no breakdown")
  void neverUsed() {
    Caller alice = daily(100L);
    assertEquals(Insight.NONE, alice.insights().getFirst());
    alice.hold(10);
    alice.refused(1000);
    assertEquals(Insight.NONE, alice.insights().getFirst());
  }

  @Test
  @DisplayName("What is charged and settled counts at that instant, what is held does not")
  void counted() {
    Caller alice = daily(1000L);
    alice.charged(100);
    ReservationId id = alice.hold(500);
    alice.release(alice.hold(50));
    pass(MINUTE);
    alice.settled(id, 20);
    pass(Duration.ofMinutes(29));
    alice.charged(3);
    assertUsed(123, 123, tokens(alice));
    assertEquals(Duration.ofMinutes(30), tokens(alice).age());
  }

  @Test
  @DisplayName("A record younger than five minutes tells no rate, then its age divides")
  void young() {
    Caller alice = daily(1000L);
    alice.charged(100);
    pass(Duration.ofMinutes(5).minusMillis(1));
    assertNull(tokens(alice).overHour());
    passMillis(1);
    RecentUse.Rate rate = tokens(alice).overHour();
    assertNotNull(rate);
    assertEquals(0, rate.perHour().compareTo(BigDecimal.valueOf(1200)));
  }

  @Test
  @DisplayName("A settlement of nothing begins the record")
  void nothing() {
    Caller alice = daily(1000L);
    alice.settled(alice.hold(5), 0);
    pass(MINUTE);
    assertUsed(0, 0, tokens(alice));
    assertEquals(MINUTE, tokens(alice).age());
  }

  @Test
  @DisplayName("After an hour use leaves the hour, within the minute that it was in")
  void leavesTheHour() {
    Caller alice = daily(10_000L);
    alice.charged(60);
    pass(HOUR.minus(MINUTE));
    alice.charged(1000);
    pass(MINUTE);
    assertBetween(1000, 1060, tokens(alice).lastHour());
    passMillis(1);
    assertBetween(1000, 1060, tokens(alice).lastHour());
    pass(MINUTE);
    assertUsed(1000, 1060, tokens(alice));
    assertEquals(HOUR.plus(MINUTE).plusMillis(1), tokens(alice).age());
  }

  @Test
  @DisplayName("Minute after minute the hour has what was used in it, within two minutes")
  void everyMinute() {
    Caller alice = daily(100_000_000L);
    for (int n = 0; n < 200; n++) {
      alice.charged(n % 7 == 0 ? 1000 : n);
      passMillis(47_000);
      long exact = 0;
      long before = 0;
      for (int m = 0; m <= n; m++) {
        long age = (n + 1 - m) * 47_000L;
        long amount = m % 7 == 0 ? 1000 : m;
        exact += age <= 3_540_000 ? amount : 0;
        before += age <= 3_660_000 ? amount : 0;
      }
      assertBetween(exact, before, tokens(alice).lastHour());
    }
  }

  @Test
  @DisplayName("After a day use leaves the 24 hours, within the hour that it was in")
  void leavesTheDay() {
    Caller alice = caller(PlanLevel.of("alice", PlanLimit.every(DAY, "d", "tokens", 1000L)));
    alice.charged(24);
    pass(DAY.minus(HOUR));
    alice.charged(100);
    pass(HOUR);
    assertBetween(100, 124, tokens(alice).lastDay());
    pass(HOUR.minusMillis(1));
    assertBetween(100, 124, tokens(alice).lastDay());
    passMillis(1);
    assertEquals(0, tokens(alice).lastDay().compareTo(BigDecimal.valueOf(100)));
    pass(DAY.plus(DAY));
    assertUsed(0, 0, tokens(alice));
    assertEquals(Duration.ofHours(73), tokens(alice).age());
  }

  @Test
  @DisplayName("A settlement that is repeated counts once")
  void once() {
    Caller alice = daily(1000L);
    ReservationId id = alice.hold(50);
    assertInstanceOf(Outcome.Settled.class, alice.settleBill(id, bill(20, 100, 10)));
    assertInstanceOf(Outcome.Settled.class, alice.settleBill(id, bill(20, 100, 10)));
    assertInstanceOf(Outcome.AlreadySettled.class, alice.settleBill(id, bill(21, 100, 11)));
    assertUsed(20, 20, tokens(alice));
    assertUnits(100, 10, period(alice, "daily"));
  }

  @Test
  @DisplayName("The breakdown sums up the running period, and the next one starts with none")
  void breakdown() {
    Caller alice = daily(1000L);
    alice.chargedBill(bill(20, 100, 10));
    alice.charged(5);
    assertInstanceOf(Outcome.Settled.class, alice.settleBill(alice.hold(9), bill(4, 7, 3)));
    assertUnits(107, 13, period(alice, "daily"));
    pass(DAY.minusMillis(1));
    assertUnits(107, 13, period(alice, "daily"));
    passMillis(1);
    assertEquals(PeriodUse.NONE, period(alice, "daily"));
    alice.chargedBill(bill(1, 1, 1));
    assertUnits(1, 1, period(alice, "daily"));
  }

  @Test
  @DisplayName("A late settlement counts now, and by category in the period it was taken in")
  void late() {
    Caller alice = daily(1000L);
    ReservationId id = alice.hold(50);
    pass(DAY);
    assertInstanceOf(Outcome.Settled.class, alice.settleBill(id, bill(20, 100, 10)));
    assertUsed(20, 20, tokens(alice));
    assertEquals(PeriodUse.NONE, period(alice, "daily"));
  }

  @Test
  @DisplayName("Each period has its own breakdown, a session one while it runs")
  void sessions() {
    Caller alice =
        caller(
            PlanLevel.of(
                "alice",
                PlanLimit.session(HOUR, "session", "tokens", 1000L),
                PlanLimit.every(DAY, "daily", "tokens", 1000L),
                PlanLimit.every(DAY, "calls", "requests", 1000L)));
    alice.chargedBill(
        new Bill(Caller.amounts("requests", 1, "tokens", 20), bill(20, 100, 10).breakdown()));
    assertUnits(100, 10, period(alice, "session"));
    assertUnits(100, 10, period(alice, "daily"));
    assertEquals(PeriodUse.NONE, period(alice, "calls"));
    pass(HOUR);
    assertEquals(PeriodUse.NONE, period(alice, "session"));
    assertUnits(100, 10, period(alice, "daily"));
  }

  @Test
  @DisplayName("A parent sums up what all its members use, a member only its own")
  void parents() {
    PlanLevel team = PlanLevel.of("team", PlanLimit.every(DAY, "daily", "tokens", 1000L));
    PlanLimit own = PlanLimit.every(DAY, "daily", "tokens", 100L);
    Caller alice = caller(PlanLevel.of("alice", own), team);
    Caller bob = caller(PlanLevel.of("bob", own), team);
    alice.chargedBill(bill(20, 100, 10));
    pass(MINUTE);
    bob.chargedBill(bill(3, 1, 2));
    assertUsed(20, 20, tokens(alice, 0));
    assertUsed(23, 23, tokens(alice, 1));
    assertUsed(3, 3, tokens(bob, 0));
    assertEquals(Duration.ZERO, tokens(bob, 0).age());
    assertEquals(MINUTE, tokens(bob, 1).age());
    assertUnits(1, 2, period(bob, "daily"));
    assertUnits(101, 12, bob.insights().get(1).byLimit().getOrDefault("daily", PeriodUse.NONE));
  }

  @Test
  @DisplayName("Sums stop at the greatest amount and refuse nothing")
  void greatest() {
    Caller alice = caller(PlanLevel.of("alice", PlanLimit.every(MINUTE, "m", "tokens", null)));
    for (int n = 0; n < 3; n++) {
      alice.chargedBill(bill(Amounts.MAX, Amounts.MAX, 0));
      pass(MINUTE);
    }
    assertUsed(Amounts.MAX, Amounts.MAX, tokens(alice));
    alice.levels = List.of(PlanLevel.of("alice", PlanLimit.every(DAY, "d", "tokens", null)));
    Bill free =
        new Bill(
            Caller.tokens(0),
            new Breakdown(
                new TreeMap<>(
                    Map.of(
                        "tokens",
                        new TreeMap<>(
                            Map.of(
                                "free", new CategoryUse(Amounts.MAX, new BigDecimal("0.6"))))))));
    alice.chargedBill(free);
    alice.chargedBill(free);
    assertEquals(
        Map.of("free", new CategoryUse(Amounts.MAX, new BigDecimal("1.2"))),
        period(alice, "d").byCategory());
  }

  @Test
  @DisplayName("Another life of a subject starts with no record")
  void anotherLife() {
    Caller alice = daily(1000L);
    alice.chargedBill(bill(20, 100, 10));
    alice.levels = List.of(alice.levels.getFirst().withIncarnation(1));
    assertEquals(Insight.NONE, alice.insights().getFirst());
    assertNull(alice.insights().getFirst().byMeter().get("tokens"));
  }
}
