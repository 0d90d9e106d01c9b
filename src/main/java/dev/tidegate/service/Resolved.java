package dev.tidegate.service;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Limit;
import dev.tidegate.domain.PeriodQuota;
import dev.tidegate.domain.ResourceRules;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.UsageRules;
import dev.tidegate.store.LimitTerms;
import java.time.ZoneId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * What applies to a subject on a resource, now.
 *
 * @param root the topmost parent
 * @param resource the canonical name
 * @param levels the subject first, then those parents whose plans have the resource
 * @param plansGeneration of the plans that say so
 */
public record Resolved(
    SubjectId root, String resource, List<ResolvedLevel> levels, long plansGeneration) {

  public Resolved {
    levels = List.copyOf(levels);
  }

  /**
   * A subject or one of its parents.
   *
   * @param plan the name of the plan that applies
   * @param version of its record
   * @param zone in which schedules without a zone of their own are read
   * @param rules of its plan, with its overrides in place
   * @param deferrals by limit, its changes that wait for the end of a period
   * @param disabled whether calls on the resource are refused
   */
  public record ResolvedLevel(
      SubjectId subject,
      String plan,
      long version,
      long incarnation,
      ZoneId zone,
      ResourceRules rules,
      Map<String, List<LimitTerms.Deferral>> deferrals,
      boolean disabled) {

    /** The limit of that name, or null. */
    public @Nullable Limit limit(String name) {
      return rules.limit(name);
    }

    /** The period quota of that name, or null. */
    public @Nullable PeriodQuota quota(String name) {
      return rules.limit(name) instanceof PeriodQuota quota ? quota : null;
    }
  }

  /** The subject itself. */
  public ResolvedLevel subject() {
    return levels.getFirst();
  }

  /** The level of that subject, or null when it is none of these. */
  public @Nullable ResolvedLevel levelOf(SubjectId subject) {
    for (ResolvedLevel level : levels) {
      if (level.subject().equals(subject)) {
        return level;
      }
    }
    return null;
  }

  /** The first level that refuses calls, or null. */
  public @Nullable ResolvedLevel disabledLevel() {
    for (ResolvedLevel level : levels) {
      if (level.disabled()) {
        return level;
      }
    }
    return null;
  }

  /** Whether there are limits, and all of them let calls through when the store does not answer. */
  boolean isOpenOnStoreFailure() {
    List<Limit> limits = levels.stream().flatMap(level -> level.rules().limits().stream()).toList();
    return !limits.isEmpty()
        && limits.stream().allMatch(limit -> limit.options().allowOnStoreFailure());
  }

  /** The meters that any level declares. */
  SequencedSet<String> meters() {
    SequencedSet<String> meters = new LinkedHashSet<>();
    levels.forEach(level -> meters.addAll(level.rules().meters()));
    return meters;
  }

  /** The meters that a limit of any level counts. */
  SequencedSet<String> limitedMeters() {
    SequencedSet<String> meters = new LinkedHashSet<>();
    levels.forEach(level -> level.rules().limits().forEach(limit -> meters.add(limit.meter())));
    return meters;
  }

  /** How usage is billed, by the nearest level that has categories; else there are none. */
  public UsageRules usageRules() {
    return levels.stream()
        .map(level -> level.rules().usage())
        .filter(usage -> !usage.weights().isEmpty())
        .findFirst()
        .orElse(UsageRules.NONE);
  }

  /**
   * What a reservation holds of a meter that it leaves out, by the nearest level that says so; null
   * = nobody does.
   */
  @Nullable Long defaultEstimate(String meter) {
    for (ResolvedLevel level : levels) {
      Amounts estimate = level.rules().defaultEstimate();
      Long amount = estimate.byMeter().get(meter);
      if (amount != null) {
        return amount;
      }
    }
    return null;
  }
}
