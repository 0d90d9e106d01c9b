package dev.tidegate.store;

import dev.tidegate.domain.SubjectId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A subject, or a parent, with its limits on the resource of a call.
 *
 * @param recordVersion the version of its record; 0 = unregistered
 */
public record PlanLevel(
    SubjectId subject, long recordVersion, long incarnation, int maxHolds, List<PlanLimit> limits) {

  public PlanLevel {
    limits = List.copyOf(limits);
  }

  /** An unregistered subject that may have 10,000 live reservations. */
  public static PlanLevel of(String subject, PlanLimit... limits) {
    return new PlanLevel(new SubjectId(subject), 0, 0, 10_000, List.of(limits));
  }

  /** The same level with other limits. */
  public PlanLevel withLimits(List<PlanLimit> changed) {
    return new PlanLevel(subject, recordVersion, incarnation, maxHolds, changed);
  }

  /** The same level with another number of live reservations. */
  public PlanLevel withMaxHolds(int changed) {
    return new PlanLevel(subject, recordVersion, incarnation, changed, limits);
  }

  /** The same level in another life of the subject. */
  public PlanLevel withIncarnation(long changed) {
    return new PlanLevel(subject, recordVersion, changed, maxHolds, limits);
  }

  /** The same level decided with another version of the subject's record. */
  public PlanLevel withRecordVersion(long changed) {
    return new PlanLevel(subject, changed, incarnation, maxHolds, limits);
  }

  /** The level for a call at about {@code now}. */
  public Level at(Instant now) {
    return at(now, Map.of());
  }

  /**
   * The level for a call at about {@code now}.
   *
   * @param anchors the restarts that limits are taken to be counted from, by limit
   */
  public Level at(Instant now, Map<String, Instant> anchors) {
    List<LimitTerms> terms =
        limits.stream().map(limit -> limit.termsAt(now, anchors.get(limit.name()))).toList();
    return new Level(subject, recordVersion, incarnation, maxHolds, terms);
  }

  /** The scope of a call by the first of the levels, whose root is the last. */
  public static Scope scope(List<PlanLevel> levels, String resource, long plans, Instant now) {
    return scope(levels, resource, plans, now, level -> Map.of());
  }

  /**
   * The scope of a call by the first of the levels, whose root is the last.
   *
   * @param plans the generation of the plans that the call is decided with
   * @param anchors the restarts that the limits of a level are taken to be counted from, by limit
   */
  public static Scope scope(
      List<PlanLevel> levels,
      String resource,
      long plans,
      Instant now,
      Function<PlanLevel, Map<String, Instant>> anchors) {
    List<Level> called = levels.stream().map(level -> level.at(now, anchors.apply(level))).toList();
    return new Scope(levels.getLast().subject(), called, resource, plans);
  }
}
