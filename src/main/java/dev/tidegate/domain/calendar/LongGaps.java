package dev.tidegate.domain.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneOffsetTransitionRule;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The gaps of a zone that can swallow a whole step of a local grid: two hours (Troll every spring)
 * up to a day (Kwajalein 1993, Apia 2011).
 *
 * <p>A point in a gap moves forward by the length of the gap. Where that length is a multiple of
 * the grid's step it lands on a later point of the grid, so the two are one boundary: the point in
 * the gap is folded. Of each such gap exactly {@code length / step} points are.
 *
 * @param past the gaps that the zone's data lists one by one, in order
 * @param yearly the rules for gaps of every year after {@code listedUntil}
 * @param listedUntil the last transition that the zone's data lists
 */
record LongGaps(
    List<ZoneOffsetTransition> past, List<ZoneOffsetTransitionRule> yearly, Instant listedUntil) {

  /** The shortest step of a grid that is resolved point by point; grids of one hour are not. */
  private static final Duration SHORTEST = Duration.ofHours(2);

  private static final LongGaps NONE = new LongGaps(List.of(), List.of(), Instant.EPOCH);

  /** Reading a zone's list costs microseconds each time; there are at most as many as regions. */
  private static final Map<ZoneId, LongGaps> BY_REGION = new ConcurrentHashMap<>();

  static LongGaps of(ZoneId zone) {
    return zone.getRules().isFixedOffset()
        ? NONE
        : BY_REGION.computeIfAbsent(zone, region -> read(region.getRules()));
  }

  private static LongGaps read(ZoneRules rules) {
    List<ZoneOffsetTransition> listed = rules.getTransitions();
    return new LongGaps(
        listed.stream().filter(gap -> gap.getDuration().compareTo(SHORTEST) >= 0).toList(),
        rules.getTransitionRules().stream()
            .filter(rule -> lengthSeconds(rule) >= SHORTEST.toSeconds())
            .toList(),
        listed.isEmpty() ? Instant.EPOCH : listed.getLast().getInstant());
  }

  /** Whether the zone has no such gap, at any time. */
  boolean isEmpty() {
    return past.isEmpty() && yearly.isEmpty();
  }

  /**
   * How many points of a grid are folded by the gaps that start at or before {@code instant}; only
   * differences between two instants mean something.
   *
   * @param stepSeconds the step of the grid in seconds, or 0 for an uneven grid, which folds none
   */
  long foldedPointsUntil(Instant instant, long stepSeconds) {
    if (stepSeconds == 0) {
      return 0;
    }
    long folded = 0;
    for (ZoneOffsetTransition gap : past) {
      if (!gap.getInstant().isAfter(instant)) {
        folded += foldedBy(gap.getDuration().toSeconds(), stepSeconds);
      }
    }
    for (ZoneOffsetTransitionRule rule : yearly) {
      long gaps = Math.max(0, lastYear(rule, instant) - lastYear(rule, listedUntil));
      folded += gaps * foldedBy(lengthSeconds(rule), stepSeconds);
    }
    return folded;
  }

  private static long foldedBy(long lengthSeconds, long stepSeconds) {
    return lengthSeconds % stepSeconds == 0 ? lengthSeconds / stepSeconds : 0;
  }

  /** The last year whose transition by {@code rule} is at or before {@code instant}. */
  private static long lastYear(ZoneOffsetTransitionRule rule, Instant instant) {
    int year = instant.atOffset(rule.getOffsetBefore()).getYear();
    return rule.createTransition(year).getInstant().isAfter(instant) ? year - 1 : year;
  }

  private static int lengthSeconds(ZoneOffsetTransitionRule rule) {
    return rule.getOffsetAfter().getTotalSeconds() - rule.getOffsetBefore().getTotalSeconds();
  }
}
