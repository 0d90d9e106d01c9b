package dev.tidegate.store.model;

import dev.tidegate.store.Level;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One level as it is at one instant, before anything is written.
 *
 * @param plans the generation of the plans that the call was decided with
 */
record LevelView(
    Level terms, long plans, ModelLevel level, long nowMillis, List<LimitView> limits) {

  /** The level at {@code nowMillis}; null when a period of a limit is missing. */
  static @Nullable LevelView of(Level terms, long plans, ModelLevel level, long nowMillis) {
    List<LimitView> limits = new ArrayList<>();
    for (LimitTerms limit : terms.limits()) {
      LimitView view = LimitView.of(level, limit, nowMillis);
      if (view == null) {
        return null;
      }
      limits.add(view);
    }
    return new LevelView(terms, plans, level, nowMillis, limits);
  }

  /** Whether one more reservation may be live at {@code atMillis}, if nobody acts until then. */
  boolean mayHoldAt(long atMillis) {
    return level.live(atMillis).size() < terms.maxHolds();
  }

  /** The stored version, moved on by boundaries: to the instant of the last one at least. */
  long version() {
    if (level.version == 0) {
      return 0;
    }
    long growth = limits.stream().mapToLong(LimitView::growth).sum();
    long boundary =
        limits.stream()
            .filter(limit -> limit.growth() > 0)
            .mapToLong(LimitView::boundaryMillis)
            .max()
            .orElse(0);
    return Math.max(level.version + growth, boundary);
  }

  /** The restarts that current periods are counted from, by limit. */
  Map<String, Instant> anchors() {
    Map<String, Instant> anchors = new HashMap<>();
    for (LimitView limit : limits) {
      if (limit instanceof PeriodView view
          && view.period() != null
          && view.period().anchor != null) {
        anchors.put(limit.terms().name(), view.period().anchor);
      }
    }
    return anchors;
  }

  LevelState state() {
    List<LimitState> states = new ArrayList<>();
    for (LimitView limit : limits) {
      boolean bounded = limit.state(0).amount() != null;
      states.add(
          limit.state(
              bounded ? Waiting.until(List.of(this), any -> 1, at -> limit.fitsAt(at, 1)) : 0));
    }
    return new LevelState(terms.subject(), version(), states);
  }

  /** What the limits count, each in the period that is running. */
  List<ModelUsage.Counted> counted() {
    return limits.stream().map(LimitView::counted).toList();
  }

  /** Stores a granted use of every limit, and gives where each is counted. */
  List<Account> storeUse() {
    level.version = level.version == 0 ? nowMillis : version();
    List<Account> accounts = limits.stream().map(LimitView::opened).toList();
    storeNow();
    return accounts;
  }

  /** Stores a grant, which opens these limits and lets the others roll over. */
  void storeGrant(Set<String> opened) {
    level.version = Math.max(version(), nowMillis) + 1;
    for (LimitView limit : limits) {
      if (opened.contains(limit.terms().name())) {
        limit.opened();
      } else {
        limit.rolledOver();
      }
    }
    storeNow();
  }

  /** Stores what time has done to the limits. */
  void storeRollOver() {
    level.version = version();
    limits.forEach(LimitView::rolledOver);
    storeNow();
  }

  /** Keeps the instant, and the limits in force where something has lapsed, if anything has. */
  void storeLapses() {
    for (ModelReservation lapsed : level.sweep(nowMillis)) {
      level.lastMillis = nowMillis;
      limits.forEach(limit -> limit.storeLapse(lapsed));
    }
  }

  private void storeNow() {
    level.sweep(nowMillis);
    level.lastMillis = nowMillis;
    if (terms.recordVersion() != Level.ANY_VERSION) {
      level.plansSeen = Math.max(level.plansSeen, plans);
    }
  }
}
