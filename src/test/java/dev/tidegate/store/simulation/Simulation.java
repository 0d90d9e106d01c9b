package dev.tidegate.store.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.store.StoreUnderTest;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Many worlds, each with a seed of its own, several at a time. */
final class Simulation {

  /** Operations of the full run; system property {@code simulation.operations}. */
  static final int OPERATIONS = Integer.getInteger("simulation.operations", 200_000);

  private static final int OPERATIONS_PER_WORLD = 2000;
  private static final int AT_A_TIME = 4;
  private static final long FIRST_SEED = 1;

  /** Seeds that found a fault once; they run before the others. */
  private static final List<Long> REGRESSIONS = List.of(94L, 20_261_012L, 20_261_022L);

  /** What must have come up; one word of {@link World} each. */
  private static final List<String> REQUIRED =
      List.of(
          "StalePeriod",
          "StaleConfiguration",
          "StaleLevels",
          "KeyReused",
          "NotFound",
          "Held",
          "Fits",
          "Refused",
          "Settled",
          "AlreadySettled",
          "Unnamed",
          "SettleOverflow",
          "Closed",
          "NotExtendable",
          "Extended",
          "Charged",
          "Quota",
          "Periods",
          "Found",
          "reason DENIED",
          "reason TOO_MANY_HOLDS",
          "reason EXCEEDS",
          "reason OVERFLOW",
          "found HELD",
          "found SETTLED",
          "found RELEASED",
          "found LAPSED",
          "closed RELEASED",
          "closed SETTLED",
          "closed LAPSED",
          "not extendable SETTLED",
          "not extendable RELEASED",
          "not extendable LAPSED",
          "settled in time",
          "settled late",
          "extended capped",
          "replay: held",
          "replay: charged",
          "replay: settled in time",
          "replay: settled late",
          "replay: closed RELEASED",
          "replay: extended",
          "kind fixed",
          "kind session",
          "kind hour",
          "kind day",
          "kind cron",
          "kind token_bucket",
          "kind sliding",
          "conserved token_bucket",
          "conserved sliding",
          "no session",
          "lapse",
          "roll-over",
          "used lately",
          "used by category",
          "StaleAnchors",
          "topped up",
          "reset",
          "reset of nothing",
          "conflict",
          "TopUpCapReached",
          "RestartCapReached",
          "TopUpOverflow",
          "replay: topped up",
          "replay: reset",
          "granted PURCHASE",
          "granted EMERGENCY",
          "granted KEEP_ANCHOR",
          "granted RESTART",
          "disturbed");

  private Simulation() {}

  /**
   * Runs worlds until there were as many operations; with the system property {@code
   * simulation.seed} only the world of that seed.
   *
   * @param stores makes an empty store for each world
   * @throws AssertionError of the first world that fails; it names its seed
   */
  static Coverage run(Supplier<? extends StoreUnderTest> stores, int operations) {
    Coverage coverage = new Coverage();
    Long only = Long.getLong("simulation.seed");
    if (only != null) {
      runWorld(only, stores, coverage);
      return coverage;
    }
    // Mutiny sets itself up on first use, and not safely when several threads are the first.
    Uni.createFrom().item(0).map(n -> n + 1).await().indefinitely();
    List<Future<?>> worlds = new ArrayList<>();
    long started = System.nanoTime();
    int count = Math.max(1, operations / OPERATIONS_PER_WORLD);
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME)) {
      for (int n = 0; n < count; n++) {
        boolean again = n < REGRESSIONS.size();
        long seed = again ? REGRESSIONS.get(n) : FIRST_SEED + n - REGRESSIONS.size();
        worlds.add(threads.submit(() -> runWorld(seed, stores, coverage)));
      }
      try {
        for (Future<?> world : worlds) {
          world.get();
        }
      } catch (ExecutionException failed) {
        threads.shutdownNow();
        throw failed.getCause() instanceof AssertionError found
            ? found
            : new AssertionError(failed.getCause());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(interrupted);
      }
    }
    System.out.printf(
        "simulation: seeds %s and from %d to %d, %d operations in %d s, %s%n",
        REGRESSIONS,
        FIRST_SEED,
        FIRST_SEED + count - 1 - REGRESSIONS.size(),
        count * OPERATIONS_PER_WORLD,
        (System.nanoTime() - started) / 1_000_000_000,
        coverage);
    return coverage;
  }

  /** Runs the world of one seed. */
  static void runWorld(long seed, Supplier<? extends StoreUnderTest> stores, Coverage coverage) {
    try (StoreUnderTest store = stores.get()) {
      new World(seed, store, coverage).run(OPERATIONS_PER_WORLD);
    }
  }

  /** Fails unless everything that must come up did so often enough. */
  static void assertCovered(Coverage coverage, int times) {
    if (Long.getLong("simulation.seed") == null) {
      List<String> rare =
          REQUIRED.stream()
              .filter(what -> coverage.count(what) < times)
              .map(what -> what + " " + coverage.count(what))
              .toList();
      assertEquals(List.of(), rare, "came up less than " + times + " times");
    }
  }
}
