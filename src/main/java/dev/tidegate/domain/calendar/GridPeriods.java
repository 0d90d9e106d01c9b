package dev.tidegate.domain.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.TreeSet;

/**
 * The periods between the points of a local grid, each point resolved to one instant: forward by
 * the length of a gap, to the earlier offset in an overlap (RFC 5545, 3.3.5).
 *
 * <p>Resolved points are not in the order of their numbers: 02:30 in a gap of an hour lies after
 * 03:00, and a skipped day spreads its points over the day that follows. Two may also be equal, and
 * are one boundary then. So the points around an instant are gathered in a window, and sorted.
 *
 * <p>The window is wide enough because offsets differ by {@link #OFFSET_SPREAD} at most: a point
 * that much before another in local time also lies before it on the time line.
 */
record GridPeriods(LocalGrid grid, ZoneId zone) {

  /** The distance between the lowest and the highest {@link java.time.ZoneOffset}. */
  private static final Duration OFFSET_SPREAD = Duration.ofHours(36);

  /** The period that contains {@code instant}; the one that starts at point 0 has ordinal 0. */
  Period periodAt(Instant instant) {
    Window window = windowAround(instant);
    return new Period(
        window.boundaryAtOrBefore(instant),
        window.boundaryAfter(instant),
        window.rankAt(instant) - anchorRank());
  }

  /** The rank of point 0, which is 1 unless a long gap folds or overtakes points. */
  private long anchorRank() {
    if (LongGaps.of(zone).isEmpty()) {
      return 1;
    }
    Instant anchor = resolve(grid.pointAt(0));
    return windowAround(anchor).rankAt(anchor);
  }

  private Window windowAround(Instant instant) {
    LocalDateTime local = LocalDateTime.ofInstant(instant, zone);
    LocalDateTime surelyPassed = grid.pointAt(indexAt(local.minus(OFFSET_SPREAD)));
    LocalDateTime surelyAhead = grid.pointAt(indexAt(local.plus(OFFSET_SPREAD)) + 1);
    long first = indexAt(surelyPassed.minus(OFFSET_SPREAD));
    while (isInGap(grid.pointAt(first))) {
      first--;
    }
    long last = indexAt(surelyAhead.plus(OFFSET_SPREAD));
    TreeSet<Instant> boundaries = new TreeSet<>();
    for (long index = first; index <= last; index++) {
      boundaries.add(resolve(grid.pointAt(index)));
    }
    long foldedPoints =
        LongGaps.of(zone).foldedPointsUntil(resolve(grid.pointAt(first)), grid.evenStepSeconds());
    return new Window(boundaries, first - foldedPoints);
  }

  private long indexAt(LocalDateTime local) {
    return grid.indexAtOrBefore(local);
  }

  private Instant resolve(LocalDateTime point) {
    return ZonedDateTime.ofLocal(point, zone, null).toInstant();
  }

  private boolean isInGap(LocalDateTime point) {
    ZoneRules rules = zone.getRules();
    ZoneOffsetTransition transition = rules.getTransition(point);
    return transition != null && transition.isGap();
  }

  /**
   * The boundaries around an instant.
   *
   * @param boundaries all that may be the neighbours of the instant
   * @param passed how many boundaries lie before those, counted from an origin that is the same for
   *     all windows of a grid and zone
   */
  private record Window(TreeSet<Instant> boundaries, long passed) {

    Instant boundaryAtOrBefore(Instant instant) {
      return boundaries.headSet(instant, true).last();
    }

    Instant boundaryAfter(Instant instant) {
      return boundaries.tailSet(instant, false).first();
    }

    long rankAt(Instant instant) {
      return passed + boundaries.headSet(instant, true).size();
    }
  }
}
