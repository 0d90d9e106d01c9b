package dev.tidegate.domain;

import java.time.ZoneId;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is configured of a registered subject.
 *
 * @param plan the plan it names; null is the default plan
 * @param zone its own zone; null is the configured one
 * @param parent who shares its limits with it; null makes it a root
 * @param overrides by resource and limit, what differs from the plan
 * @param disabled whether every resource is refused
 * @param disabledResources canonical names of the resources that are refused
 * @param fromNextPeriod whether changed limits count from the end of their current periods
 */
public record Subject(
    @Nullable String plan,
    @Nullable ZoneId zone,
    @Nullable SubjectId parent,
    Map<String, Map<String, LimitOverride>> overrides,
    boolean disabled,
    Set<String> disabledResources,
    boolean fromNextPeriod) {

  /** The greatest number of levels from a subject to its root, both counted. */
  public static final int MAX_LEVELS = 3;

  /** A subject that nobody registered. */
  public static final Subject UNREGISTERED =
      new Subject(null, null, null, Map.of(), false, Set.of(), false);

  public Subject {
    overrides = Map.copyOf(overrides);
    disabledResources = Set.copyOf(disabledResources);
  }
}
