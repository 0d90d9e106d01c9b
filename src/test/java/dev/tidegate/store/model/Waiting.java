package dev.tidegate.store.model;

import java.util.Collection;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;

/**
 * How long one has to wait for something, found by trying every instant at which anything changes.
 */
final class Waiting {

  private Waiting() {}

  /**
   * Milliseconds from the levels' now until {@code holds} holds, if nobody acts; 0 = it does now,
   * -1 = it never will.
   *
   * @param amounts what is to fit each limit
   */
  static long until(
      Collection<LevelView> levels, ToLongFunction<LimitView> amounts, LongPredicate holds) {
    long now = levels.iterator().next().nowMillis();
    TreeSet<Long> instants = new TreeSet<>();
    instants.add(now);
    for (LevelView level : levels) {
      level.level().live(now).forEach(r -> instants.add(r.expiresAtMillis));
      level.limits().stream()
          .flatMapToLong(limit -> limit.openings(amounts.applyAsLong(limit)))
          .forEach(instants::add);
    }
    for (long instant : instants) {
      if (holds.test(instant)) {
        return instant - now;
      }
    }
    return -1;
  }
}
