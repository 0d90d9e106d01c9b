package dev.tidegate.store;

import dev.tidegate.domain.SubjectId;
import java.util.List;

/**
 * A subject of a call, or one of its parents, with what its plan says of the resource.
 *
 * @param subject who
 * @param recordVersion the version of the subject's record that the call was decided with; 0 or
 *     less = unregistered, {@link #ANY_VERSION} = it does not matter
 * @param incarnation which life of the subject this is, from 0
 * @param maxHolds the greatest number of live reservations on the resource
 * @param limits in the order of the plan
 */
public record Level(
    SubjectId subject,
    long recordVersion,
    long incarnation,
    int maxHolds,
    List<LimitTerms> limits) {

  /** For a level that is only settled into, whatever its record says by now. */
  public static final long ANY_VERSION = Long.MIN_VALUE;

  public Level {
    limits = List.copyOf(limits);
  }
}
