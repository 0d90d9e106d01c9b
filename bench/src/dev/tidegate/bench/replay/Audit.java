package dev.tidegate.bench.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What came out when the service's count was held against what the callers settled.
 *
 * @param periods how many periods were compared
 * @param differences the periods in which the two differ, in order
 */
record Audit(int periods, List<Difference> differences) {

  /**
   * A period in which the service counted something else than was settled.
   *
   * @param period which one
   * @param settled what the callers settled for reservations taken in it
   * @param used what the service says was used, or null when it does not know the period
   */
  record Difference(PeriodKey period, long settled, @Nullable Long used) {}

  /**
   * Compares every period that either side knows.
   *
   * @param settled what was settled, by the period in which it was reserved
   * @param used what the service says was used; a period without use may be missing
   */
  static Audit compare(Map<PeriodKey, Long> settled, Map<PeriodKey, Long> used) {
    Set<PeriodKey> periods = new TreeSet<>(settled.keySet());
    periods.addAll(used.keySet());
    List<Difference> differences = new ArrayList<>();
    for (PeriodKey period : periods) {
      long expected = settled.getOrDefault(period, 0L);
      Long counted = used.get(period);
      if (counted == null || counted != expected) {
        differences.add(new Difference(period, expected, counted));
      }
    }
    return new Audit(periods.size(), differences);
  }

  /** Whether the two agree everywhere, to the unit. */
  boolean isExact() {
    return differences.isEmpty();
  }
}
