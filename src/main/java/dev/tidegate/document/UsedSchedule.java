package dev.tidegate.document;

import dev.tidegate.domain.LimitOverride.Timing;
import java.time.Instant;
import java.util.List;

/**
 * A schedule, and when a quota on it was used.
 *
 * @param uses granted uses, ascending; of a session schedule, none of any other
 */
public record UsedSchedule(Timing timing, List<Instant> uses) {

  public UsedSchedule {
    uses = List.copyOf(uses);
  }
}
