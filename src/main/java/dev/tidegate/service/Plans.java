package dev.tidegate.service;

import dev.tidegate.domain.Plan;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All plans as they were at one moment.
 *
 * @param generation a greater number after every change, of the store
 * @param takenFor the generation that calls are decided with: a greater one where the store has
 *     lost plans that state was written with
 * @param defaultPlan the name of the plan of subjects that name none; null = there is none
 */
record Plans(
    long generation, long takenFor, @Nullable String defaultPlan, Map<String, StoredPlan> byName) {

  static final Plans NONE = new Plans(-1, 0, null, Map.of());

  Plans {
    byName = Map.copyOf(byName);
  }

  /** The same, taken for those of {@code seen} where that is greater. */
  Plans takenFor(long seen) {
    return seen <= takenFor ? this : new Plans(generation, seen, defaultPlan, byName);
  }

  /**
   * The plan that applies to a subject that names {@code name}: that one, else the default plan,
   * else none.
   */
  @Nullable Plan applyingTo(@Nullable String name) {
    StoredPlan named = name == null ? null : byName.get(name);
    if (named != null) {
      return named.plan();
    }
    StoredPlan standard = defaultPlan == null ? null : byName.get(defaultPlan);
    return standard == null ? null : standard.plan();
  }
}
