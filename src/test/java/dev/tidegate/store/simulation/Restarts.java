package dev.tidegate.store.simulation;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.Level;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.PlanLevel;
import dev.tidegate.store.Scope;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** The restarts that limits are counted from, as far as answers have named them. */
final class Restarts {

  private record LevelOf(SubjectId subject, long incarnation, String resource) {}

  private final Map<LevelOf, Map<String, Instant>> anchors = new HashMap<>();

  /** Those of a level, by limit. */
  Map<String, Instant> of(PlanLevel level, String resource) {
    return anchors.getOrDefault(
        new LevelOf(level.subject(), level.incarnation(), resource), Map.of());
  }

  /** Takes note of an answer to a call on that scope. */
  void learn(Scope scope, Outcome outcome) {
    if (outcome instanceof Outcome.StaleAnchors stale) {
      stale.anchors().forEach(anchor -> learn(scope, anchor));
    }
  }

  private void learn(Scope scope, Outcome.Anchor anchor) {
    Level level = scope.levels().get(anchor.level());
    Map<String, Instant> known =
        anchors.computeIfAbsent(
            new LevelOf(level.subject(), level.incarnation(), scope.resource()),
            of -> new HashMap<>());
    Instant instant = anchor.anchor();
    if (instant == null) {
      known.remove(anchor.limit());
    } else {
      known.put(anchor.limit(), instant);
    }
  }
}
