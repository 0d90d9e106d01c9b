package dev.tidegate.store.simulation;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.store.redis.RedisUnderTest;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation is worth something only when it catches scripts that are wrong. */
class MutantTest {

  private static final int OPERATIONS = 40_000;

  static List<Mutant> mutants() {
    return Mutant.all();
  }

  @Test
  @DisplayName("There are mutants to catch")
  void enough() {
    assertTrue(mutants().size() >= 5);
  }

  @ParameterizedTest(name = "The simulation catches: {0}")
  @MethodSource("mutants")
  void caught(Mutant mutant) {
    AtomicInteger changed = new AtomicInteger();
    AssertionError found =
        assertThrows(
            AssertionError.class,
            () ->
                Simulation.run(
                    () ->
                        RedisUnderTest.open(
                            (script, source) -> {
                              String mutated = mutant.apply(script, source);
                              changed.addAndGet(mutated.equals(source) ? 0 : 1);
                              return mutated;
                            }),
                    OPERATIONS));
    assertTrue(changed.get() > 0, mutant + " fits no script");
    assertTrue(String.valueOf(found.getMessage()).contains("seed"), found.getMessage());
  }
}
