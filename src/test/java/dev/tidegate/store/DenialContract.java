package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.QuotaState.LimitState;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a denial says is what the next call finds, in random states. */
abstract class DenialContract extends ContractFixture {

  @ParameterizedTest(name = "Denied one millisecond before the advice, allowed at it, seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void adviceComesTrue(long seed) {
    Random random = new Random(seed);
    Caller alice =
        caller(
            PlanLevel.of(
                    "alice",
                    PlanLimit.every(Duration.ofMinutes(7), "short", "tokens", 60L),
                    PlanLimit.session(HOUR, "session", "tokens", 200L))
                .withMaxHolds(4),
            PlanLevel.of("team", PlanLimit.every(HOUR, "hourly", "tokens", 300L)));
    int denied = 0;
    for (int i = 0; i < 60; i++) {
      passMillis(random.nextInt(90_000));
      alice.ttl = Duration.ofMillis(1000L + random.nextInt(600_000));
      long amount = 1L + random.nextInt(60);
      Outcome.Reserving outcome = alice.reserve(amount);
      if (outcome instanceof Outcome.Refused refused) {
        denied++;
        assertTrue(refused.retryAfterMillis() > 0);
        passMillis(refused.retryAfterMillis() - 1);
        assertInstanceOf(Outcome.Refused.class, alice.dryRun(amount, null));
        passMillis(1);
        assertInstanceOf(Outcome.Fits.class, alice.dryRun(amount, null));
      }
      alice.read().levels().stream()
          .flatMap(level -> level.limits().stream())
          .forEach(DenialContract::assertWaitsOnlyWhenEmpty);
    }
    assertTrue(denied > 5, "only " + denied + " denials");
  }

  @ParameterizedTest(name = "All kinds mixed: denied a millisecond before, allowed at it, seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void adviceOfAllKindsComesTrue(long seed) {
    Random random = new Random(seed);
    Caller alice = someone(random);
    int denied = 0;
    for (int i = 0; i < 60; i++) {
      passMillis(random.nextInt(40_000));
      alice.ttl = Duration.ofMillis(1000L + random.nextInt(300_000));
      Amounts amounts =
          Caller.amounts("requests", 1L + random.nextInt(3), "tokens", random.nextInt(60));
      ReservationId id = alice.newId();
      switch (alice.reserve(id, amounts, null)) {
        case Outcome.Refused refused -> {
          denied++;
          assertFitsFrom(refused.retryAfterMillis(), alice, amounts);
        }
        default -> end(random, alice, id);
      }
      alice.read().levels().stream()
          .flatMap(level -> level.limits().stream())
          .forEach(DenialContract::assertWaitsOnlyWhenEmpty);
    }
    assertTrue(denied > 5, "only " + denied + " denials");
  }

  /** A subject and its team, with a limit of each kind and numbers that fit nowhere. */
  private Caller someone(Random random) {
    Duration minute = Duration.ofMinutes(1);
    int buckets = 1 + random.nextInt(60);
    return caller(
        PlanLevel.of(
                "alice",
                PlanLimit.bucket("rpm", "requests", 10, 1 + random.nextInt(9), minute),
                PlanLimit.sliding("tpm", "tokens", 150L, minute, buckets),
                PlanLimit.sliding("calls", "requests", 30L, minute.multipliedBy(7), buckets),
                PlanLimit.session(HOUR, "session", "tokens", 500L))
            .withMaxHolds(6),
        PlanLevel.of(
            "team",
            PlanLimit.bucket("drip", "tokens", 200, 7_777_777, Duration.ofDays(30)),
            PlanLimit.every(HOUR, "hourly", "tokens", 700L)));
  }

  private void assertFitsFrom(long retryAfterMillis, Caller caller, Amounts amounts) {
    assertTrue(retryAfterMillis > 0);
    passMillis(retryAfterMillis - 1);
    assertInstanceOf(Outcome.Refused.class, caller.dryRun(amounts));
    passMillis(1);
    assertInstanceOf(Outcome.Fits.class, caller.dryRun(amounts));
  }

  private static void end(Random random, Caller caller, ReservationId id) {
    switch (random.nextInt(4)) {
      case 0 -> caller.release(id);
      case 1, 2 ->
          caller.settle(
              id,
              Caller.amounts("requests", random.nextInt(4), "tokens", random.nextInt(120)),
              null);
      default -> {}
    }
  }

  private static void assertWaitsOnlyWhenEmpty(LimitState limit) {
    Long remaining = limit.remaining();
    assertEquals(remaining != null && remaining == 0, limit.waitMillis() != 0);
  }
}
