package dev.tidegate.domain.calendar;

import java.time.LocalDateTime;
import java.util.Optional;

/** A set of local times in whole seconds, free of zones, that can be searched from both sides. */
interface LocalPattern {

  /** The latest member of {@code [from, to)}; both are whole seconds. */
  Optional<LocalDateTime> latestIn(LocalDateTime from, LocalDateTime to);

  /** The earliest member of {@code [from, to)}; both are whole seconds. */
  Optional<LocalDateTime> earliestIn(LocalDateTime from, LocalDateTime to);
}
