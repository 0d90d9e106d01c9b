package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

  private static void assertWaitsOnlyWhenEmpty(LimitState limit) {
    Long remaining = limit.remaining();
    assertEquals(remaining != null && remaining == 0, limit.waitMillis() != 0);
  }
}
