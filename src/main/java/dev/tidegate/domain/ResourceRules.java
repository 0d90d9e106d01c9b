package dev.tidegate.domain;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a plan says of one resource.
 *
 * @param name the canonical name
 * @param aliases other names that callers may use for it
 * @param meters the meters it declares, in the order of the plan
 * @param usage how usage by category is billed
 * @param defaultEstimate what a reservation holds of a limited meter that it leaves out
 * @param hold how reservations are held
 * @param limits in the order of the plan
 */
public record ResourceRules(
    String name,
    Set<String> aliases,
    List<String> meters,
    UsageRules usage,
    Amounts defaultEstimate,
    HoldRules hold,
    List<Limit> limits) {

  public ResourceRules {
    aliases = Set.copyOf(aliases);
    meters = List.copyOf(meters);
    limits = List.copyOf(limits);
  }

  /** The limit of that name, or null. */
  public @Nullable Limit limit(String name) {
    for (Limit limit : limits) {
      if (limit.name().equals(name)) {
        return limit;
      }
    }
    return null;
  }

  /**
   * How reservations on a resource are held.
   *
   * @param ttlSeconds the lease of a reservation that names none, 1 to {@code maxTtlSeconds}
   * @param maxTtlSeconds the longest lease that may be asked for, 1 to 86,400
   * @param maxHolds the greatest number of live reservations per level, 1 to 1,000,000
   */
  public record HoldRules(int ttlSeconds, int maxTtlSeconds, int maxHolds) {

    /** Two minutes, at most a day, and at most 10,000 at a time. */
    public static final HoldRules DEFAULT = new HoldRules(120, 86_400, 10_000);
  }
}
