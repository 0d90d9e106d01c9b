package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.Outcome.Reason;
import dev.tidegate.store.Outcome.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** All kinds of limits in one call: all are charged, or none. */
abstract class MixedContract extends ContractFixture {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The limits of alice, in order: rpm, tpm, session, weekly; of her team: month. */
  private Caller alice() {
    return caller(
        PlanLevel.of(
            "alice",
            PlanLimit.bucket("rpm", "requests", 3, 3, MINUTE),
            PlanLimit.sliding("tpm", "tokens", 1000L, MINUTE, 6),
            PlanLimit.session(Duration.ofHours(5), "session", "tokens", 2000L),
            PlanLimit.every(Duration.ofDays(7), "weekly", "tokens", 5000L)),
        PlanLevel.of("team", PlanLimit.every(Duration.ofDays(30), "month", "tokens", 6000L)));
  }

  private static Amounts call(long tokens) {
    return Caller.amounts("requests", 1, "tokens", tokens);
  }

  /** {@code used/held} of every limit. */
  private static String counts(Caller caller) {
    return caller.read().levels().stream()
        .flatMap(level -> level.limits().stream())
        .map(limit -> limit.used() + "/" + limit.held())
        .collect(Collectors.joining(" "));
  }

  private static Outcome.Refused refused(Caller caller, Amounts amounts) {
    return assertInstanceOf(Outcome.Refused.class, caller.reserve(caller.newId(), amounts, null));
  }

  @Test
  @DisplayName("One call is taken from every limit of every kind")
  void taken() {
    Caller alice = alice();
    ReservationId id = alice.hold(call(400));
    assertEquals("1/0 0/400 0/400 0/400 0/400", counts(alice));
    alice.settle(id, call(300), null);
    assertEquals("1/0 300/0 300/0 300/0 300/0", counts(alice));
    alice.release(alice.hold(call(100)));
    assertEquals("1/0 300/0 300/0 300/0 300/0", counts(alice));
    alice.charge(call(100), null);
    assertEquals("2/0 400/0 400/0 400/0 400/0", counts(alice));
  }

  @Test
  @DisplayName("What one limit refuses is taken from none, and opens no session")
  void noneIsTaken() {
    Caller alice = alice();
    alice.hold(call(600));
    String before = counts(alice);
    assertEquals(
        List.of(new Refusal(Reason.DENIED, 0, 1, 401, 60_000)),
        refused(alice, call(401)).refusals());
    assertEquals(before, counts(alice));

    Caller bob =
        caller(
            PlanLevel.of(
                "bob",
                PlanLimit.bucket("rpm", "requests", 3, 3, MINUTE),
                PlanLimit.session(HOUR, "session", "tokens", 100L)),
            alice.levels.getLast());
    bob.ttl = HOUR;
    bob.charge(Caller.amounts("requests", 3, "tokens", 0), null);
    pass(HOUR.multipliedBy(2));
    bob.charge(Caller.amounts("requests", 3, "tokens", 0), null);
    pass(HOUR);
    bob.charge(Caller.amounts("requests", 3, "tokens", 0), null);
    pass(SECOND);
    assertEquals(19_000, refused(bob, call(1)).retryAfterMillis());
  }

  @Test
  @DisplayName("I7 of several limits that deny, the call waits for the one that frees last")
  void lastToFree() {
    Caller alice = alice();
    alice.charge(Caller.amounts("requests", 3, "tokens", 1000), null);
    pass(Duration.ofSeconds(10));
    Outcome.Refused refused = refused(alice, call(1));
    assertEquals(
        List.of(
            new Refusal(Reason.DENIED, 0, 0, 1, 10_000),
            new Refusal(Reason.DENIED, 0, 1, 1, 50_010)),
        refused.refusals());
    assertEquals(50_010, refused.retryAfterMillis());

    alice.settle(charged(alice), call(1000), null);
    refused = refused(alice, call(1));
    assertEquals(2, refused.refusals().size());
    assertEquals(Reason.DENIED, refused.reason());
    assertEquals(
        START.plus(Duration.ofHours(5)).toEpochMilli() - nowMillis, refused.retryAfterMillis());
  }

  /** A reservation that costs the session everything it has left when it is settled. */
  private ReservationId charged(Caller alice) {
    pass(Duration.ofMinutes(2));
    return alice.hold(call(1));
  }

  @Test
  @DisplayName("Waiting does not help when any limit can never take it")
  void neverFits() {
    Caller alice = alice();
    alice.charge(Caller.amounts("requests", 3, "tokens", 0), null);
    Outcome.Refused refused = refused(alice, call(1001));
    assertEquals(Reason.EXCEEDS, refused.reason());
    assertEquals(-1, refused.retryAfterMillis());
    assertEquals(
        List.of(
            new Refusal(Reason.DENIED, 0, 0, 1, 20_000),
            new Refusal(Reason.EXCEEDS, 0, 1, 1001, -1)),
        refused.refusals());
  }

  @Test
  @DisplayName("A call waits for a period that comes before, too, and is too small for it")
  void shortenedPeriodAhead() {
    PlanLimit hourly = PlanLimit.every(HOUR, "quota", "tokens", 240L);
    PlanLimit drip = PlanLimit.bucket("drip", "tokens", 100, 100, HOUR.multipliedBy(2));
    Caller alice = caller(PlanLevel.of("alice", hourly, drip));
    pass(HOUR.multipliedBy(6));
    alice.charged(100);
    PlanLimit everyEight = PlanLimit.every(HOUR.multipliedBy(8), "quota", "tokens", 240L);
    alice.levels = List.of(alice.levels.getFirst().withLimits(List.of(everyEight, drip)));
    pass(Duration.ofMinutes(30));
    Outcome.Refused refused = alice.refused(60);
    assertEquals(
        List.of(new Refusal(Reason.DENIED, 0, 1, 60, Duration.ofMinutes(42).toMillis())),
        refused.refusals());
    assertEquals(Duration.ofMinutes(90).toMillis(), refused.retryAfterMillis());
    pass(Duration.ofMinutes(90).minusMillis(1));
    assertInstanceOf(Outcome.Refused.class, alice.dryRun(60, null));
    passMillis(1);
    assertInstanceOf(Outcome.Fits.class, alice.dryRun(60, null));
  }

  @Test
  @DisplayName("A rate of a parent counts all of its members")
  void sharedRate() {
    PlanLevel team = PlanLevel.of("team", PlanLimit.bucket("rpm", "tokens", 10, 10, MINUTE));
    Caller alice = caller(PlanLevel.of("alice"), team);
    Caller bob = caller(PlanLevel.of("bob"), team);
    ReservationId id = alice.hold(6);
    assertEquals(List.of(new Refusal(Reason.DENIED, 1, 0, 5, 6000)), bob.refused(5).refusals());
    alice.release(id);
    bob.hold(10);
  }

  @Test
  @DisplayName("A lapse frees the quotas, and not what was debited or charged when taken")
  void lapse() {
    Caller alice =
        caller(
            PlanLevel.of(
                "alice",
                PlanLimit.bucket("bucket", "requests", 10, 1, Duration.ofDays(1)),
                PlanLimit.sliding("rpm", "requests", 10L, Duration.ofDays(1), 1),
                PlanLimit.sliding("tpm", "tokens", 100L, Duration.ofDays(1), 1),
                PlanLimit.every(DAY, "daily", "requests", 10L)));
    alice.hold(call(50));
    assertEquals("1/0 1/0 0/50 0/1", counts(alice));
    pass(alice.ttl);
    assertEquals("1/0 1/0 0/0 0/0", counts(alice));
    alice.hold(call(50));
    assertEquals("2/0 2/0 0/50 0/1", counts(alice));
  }
}
