package dev.tidegate.service;

import dev.tidegate.domain.Plan;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All plans as they were at one moment.
 *
 * @param generation another number after every change
 * @param defaultPlan the name of the plan of subjects that name none; null = there is none
 */
record Plans(long generation, @Nullable String defaultPlan, Map<String, StoredPlan> byName) {

  static final Plans NONE = new Plans(-1, null, Map.of());

  Plans {
    byName = Map.copyOf(byName);
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
