package dev.tidegate.service;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.Outcome.Anchor;
import dev.tidegate.store.Scope;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The instants that restarted limits are counted from, as far as the store has named them.
 *
 * @param byLimit those that it named
 */
record Anchors(Map<LimitOf, Instant> byLimit) {

  /** Every limit is counted as its plan says. */
  static final Anchors NONE = new Anchors(Map.of());

  /** A limit of one level. */
  record LimitOf(SubjectId subject, String limit) {}

  Anchors {
    byLimit = Map.copyOf(byLimit);
  }

  /** The anchor of a limit; null = as the plan says. */
  @Nullable Instant of(SubjectId subject, String limit) {
    return byLimit.get(new LimitOf(subject, limit));
  }

  /** These, with what the store has named for a call on {@code scope}. */
  Anchors with(List<Anchor> named, Scope scope) {
    Map<LimitOf, Instant> all = new HashMap<>(byLimit);
    for (Anchor anchor : named) {
      LimitOf limit = new LimitOf(scope.levels().get(anchor.level()).subject(), anchor.limit());
      Instant instant = anchor.anchor();
      if (instant == null) {
        all.remove(limit);
      } else {
        all.put(limit, instant);
      }
    }
    return new Anchors(all);
  }
}
