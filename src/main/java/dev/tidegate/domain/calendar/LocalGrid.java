package dev.tidegate.domain.calendar;

import java.time.LocalDateTime;
import java.util.Optional;

/**
 * Local times numbered from an anchor, strictly growing with their number; point 0 is the anchor.
 *
 * <p>A point is computed from the anchor and its number alone, never from its neighbour.
 */
sealed interface LocalGrid extends LocalPattern permits EvenGrid, MonthGrid {

  /** The point numbered {@code index}, which may be negative. */
  LocalDateTime pointAt(long index);

  /** The number of the latest point at or before {@code local}. */
  long indexAtOrBefore(LocalDateTime local);

  /** The distance between all neighbours, in seconds, or 0 where distances differ. */
  long evenStepSeconds();

  @Override
  default Optional<LocalDateTime> latestIn(LocalDateTime from, LocalDateTime to) {
    LocalDateTime point = pointAt(indexAtOrBefore(to.minusSeconds(1)));
    return point.isBefore(from) ? Optional.empty() : Optional.of(point);
  }

  @Override
  default Optional<LocalDateTime> earliestIn(LocalDateTime from, LocalDateTime to) {
    LocalDateTime point = pointAt(indexAtOrBefore(from.minusSeconds(1)) + 1);
    return point.isBefore(to) ? Optional.of(point) : Optional.empty();
  }
}
