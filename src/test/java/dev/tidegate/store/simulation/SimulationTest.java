package dev.tidegate.store.simulation;

import dev.tidegate.store.model.ModelUnderTest;
import dev.tidegate.store.redis.RedisUnderTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Random operations on the store and on the model, which must agree on everything. */
class SimulationTest {

  @Test
  @DisplayName("The model agrees with itself and sees all that a simulation must see")
  void modelAgainstModel() {
    Coverage coverage = Simulation.run(ModelUnderTest::new, 40_000);
    Simulation.assertCovered(coverage, 10);
  }

  @Test
  @DisplayName("The store in Redis agrees with the model on 200,000 operations")
  void redisAgainstModel() {
    Coverage coverage = Simulation.run(RedisUnderTest::open, Simulation.OPERATIONS);
    Simulation.assertCovered(coverage, 100);
  }

  @Test
  @DisplayName("Two versions of the scripts that take turns agree with the model as one does")
  void rollingUpdateAgainstModel() {
    Coverage coverage =
        Simulation.run(
            () ->
                RedisUnderTest.rolling(
                    (script, source) -> "-- " + script + " of the next version.\n" + source),
            10_000);
    Simulation.assertCovered(coverage, 1);
  }
}
