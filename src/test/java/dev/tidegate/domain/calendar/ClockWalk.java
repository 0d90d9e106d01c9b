package dev.tidegate.domain.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Boundaries found without any arithmetic on transitions: a walk along the time line, minute by
 * minute, that reads the local clock and nothing else.
 */
final class ClockWalk {

  private final List<Step> steps = new ArrayList<>();

  /** What the clock showed, when, and whether it showed it for the first time. */
  private record Step(Instant instant, LocalDateTime local, boolean shown, boolean first) {}

  /**
   * Walks from {@code from} to {@code to}.
   *
   * @param from a whole minute
   * @param strideSeconds 60, or less where the clock shows whole minutes at other seconds
   */
  ClockWalk(ZoneId zone, Instant from, Instant to, int strideSeconds) {
    Duration stride = Duration.ofSeconds(strideSeconds);
    LocalDateTime latest = LocalDateTime.ofInstant(from, zone).minus(stride);
    for (Instant now = from; now.isBefore(to); now = now.plus(stride)) {
      LocalDateTime local = LocalDateTime.ofInstant(now, zone);
      LocalDateTime expected = latest.plus(stride);
      for (LocalDateTime missed = expected; missed.isBefore(local); missed = missed.plus(stride)) {
        steps.add(new Step(now.plus(Duration.between(expected, missed)), missed, false, true));
      }
      steps.add(new Step(now, local, true, local.isAfter(latest)));
      latest = local.isAfter(latest) ? local : latest;
    }
  }

  /** Every instant at which the clock shows a local time of {@code pattern}. */
  NavigableSet<Instant> everyReading(Predicate<LocalDateTime> pattern) {
    NavigableSet<Instant> boundaries = new TreeSet<>();
    for (Step step : steps) {
      if (step.shown() && pattern.test(step.local())) {
        boundaries.add(step.instant());
      }
    }
    return boundaries;
  }

  /** The first reading of each local time of {@code pattern}, or its shifted time in a gap. */
  NavigableSet<Instant> eachOnce(Predicate<LocalDateTime> pattern) {
    NavigableSet<Instant> boundaries = new TreeSet<>();
    for (Step step : steps) {
      if (step.first() && pattern.test(step.local())) {
        boundaries.add(step.instant());
      }
    }
    return boundaries;
  }
}
