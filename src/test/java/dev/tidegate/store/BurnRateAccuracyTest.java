package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.RecentUse;
import dev.tidegate.store.redis.RedisUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rates are told within 5 % of the exact ones for load that comes in bursts. Its minutes differ as
 * much as those of the Azure LLM inference traces of 2023 do: the busiest has some 7 % of an hour.
 */
class BurnRateAccuracyTest extends ContractFixture {

  private static final double BOUND = 0.05;
  private static final int SLOT_MILLIS = 10_000;
  private static final double CALLS_PER_SLOT = 3.3;
  private static final double SIZE_SPREAD = 1.2;
  private static final double LOAD_SPREAD = 0.9;
  private static final int HOURS = 3;

  private record Call(long atMillis, long tokens) {}

  @Override
  StoreUnderTest newStore() {
    return RedisUnderTest.open();
  }

  private static List<Call> bursts(long seed) {
    Random random = new Random(seed);
    List<Call> calls = new ArrayList<>();
    long start = START.toEpochMilli() + 1234;
    for (int slot = 0; slot < HOURS * 3_600_000 / SLOT_MILLIS; slot++) {
      double load = CALLS_PER_SLOT * Math.exp(LOAD_SPREAD * random.nextGaussian());
      int count = (int) Math.round(load * random.nextDouble() * 2);
      long[] into = random.longs(count, 0, SLOT_MILLIS).sorted().toArray();
      for (long millis : into) {
        long tokens = Math.round(1500 * Math.exp(SIZE_SPREAD * random.nextGaussian()));
        calls.add(new Call(start + (long) slot * SLOT_MILLIS + millis, tokens));
      }
    }
    return calls;
  }

  /** The greatest error of the rate of an hour, as a share of the exact one. */
  @ParameterizedTest(name = "The rate over an hour is within 5 % of the exact one, seed {0}")
  @ValueSource(longs = {1, 2})
  @DisplayName("Burn rates under bursts")
  void within(long seed) {
    Caller alice = daily(null);
    List<Call> calls = bursts(seed);
    double worst = 0;
    for (int n = 0; n < calls.size(); n++) {
      Call call = calls.get(n);
      passTo(Instant.ofEpochMilli(call.atMillis()));
      alice.charged(call.tokens());
      if (n % 5 == 0) {
        worst = Math.max(worst, error(alice, calls.subList(0, n + 1), calls.getFirst().atMillis()));
      }
    }
    assertTrue(worst > 0, "minutes are not told exactly");
    assertTrue(worst <= BOUND, "off by " + worst);
  }

  private double error(Caller caller, List<Call> calls, long beganMillis) {
    RecentUse use = caller.insights().getFirst().byMeter().get("tokens");
    assertNotNull(use);
    RecentUse.Rate rate = use.overHour();
    if (rate == null) {
      return 0;
    }
    long window = Math.min(nowMillis - beganMillis, Duration.ofHours(1).toMillis());
    long exact =
        calls.stream()
            .filter(call -> call.atMillis() > nowMillis - Duration.ofHours(1).toMillis())
            .mapToLong(Call::tokens)
            .sum();
    double exactPerHour = exact * 3_600_000.0 / window;
    return Math.abs(rate.perHour().doubleValue() - exactPerHour) / exactPerHour;
  }
}
