package dev.tidegate.domain.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The instants of a local pattern in a zone, found stretch by stretch: between two transitions the
 * offset is constant, and local time is as good as UTC.
 *
 * @param pattern the local times; between two members lie at most {@link #SEARCH_DAYS}
 * @param zone the zone whose clock is read
 * @param reading which readings of the clock count
 */
record WallClockBoundaries(LocalPattern pattern, ZoneId zone, Reading reading) {

  /** Which readings of the wall clock are boundaries. */
  enum Reading {
    /** Each local time once: forward by the length of a gap, the first pass of an overlap. */
    ONCE,
    /** Every instant at which the clock shows it: both passes of an overlap, nothing in a gap. */
    EVERY
  }

  /**
   * How far a boundary is looked for, in days: 17 years, since the dates of a pattern lie at most
   * eight years apart (29 February around 2100) and a zone can skip one of them altogether.
   */
  static final long SEARCH_DAYS = 17 * 366L;

  /** A member of a stretch lies at most this long after the end of it: the longest gap there is. */
  private static final Duration GAP_LIMIT = Duration.ofHours(36);

  /** The latest boundary at or before {@code instant}. */
  Instant latestAtOrBefore(Instant instant) {
    Instant end = instant.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    Instant horizon = end.minus(SEARCH_DAYS, ChronoUnit.DAYS);
    Instant latest = null;
    for (Stretch stretch = Stretch.at(instant, zone.getRules()); ; stretch = stretch.previous()) {
      Instant found = latestIn(stretch, horizon, end).orElse(null);
      if (found != null && (latest == null || found.isAfter(latest))) {
        latest = found;
      }
      Instant start = stretch.start();
      if (latest != null && !latest.isBefore(start.plus(GAP_LIMIT))) {
        return latest;
      }
      if (start.plus(GAP_LIMIT).isBefore(horizon)) {
        return found(latest, instant);
      }
    }
  }

  /** The earliest boundary after {@code instant}. */
  Instant earliestAfter(Instant instant) {
    Instant start = instant.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    Instant horizon = start.plus(SEARCH_DAYS, ChronoUnit.DAYS);
    Instant earliest = null;
    Stretch stretch = Stretch.at(start.minus(GAP_LIMIT), zone.getRules());
    for (; ; stretch = stretch.next()) {
      Instant found = earliestIn(stretch, start, horizon).orElse(null);
      if (found != null && (earliest == null || found.isBefore(earliest))) {
        earliest = found;
      }
      Instant end = stretch.end();
      if (earliest != null && !earliest.isAfter(end)) {
        return earliest;
      }
      if (end.isAfter(horizon)) {
        return found(earliest, instant);
      }
    }
  }

  private Optional<Instant> latestIn(Stretch stretch, Instant from, Instant to) {
    LocalDateTime localFrom = later(stretch.firstLocal(reading), stretch.localAt(from));
    LocalDateTime localTo = earlier(stretch.endLocal(reading), stretch.localAt(to));
    return localFrom.isBefore(localTo)
        ? pattern.latestIn(localFrom, localTo).map(stretch::instantOf)
        : Optional.empty();
  }

  private Optional<Instant> earliestIn(Stretch stretch, Instant from, Instant to) {
    LocalDateTime localFrom = later(stretch.firstLocal(reading), stretch.localAt(from));
    LocalDateTime localTo = earlier(stretch.endLocal(reading), stretch.localAt(to));
    return localFrom.isBefore(localTo)
        ? pattern.earliestIn(localFrom, localTo).map(stretch::instantOf)
        : Optional.empty();
  }

  private Instant found(@Nullable Instant boundary, Instant around) {
    if (boundary == null) {
      throw new IllegalStateException(
          "no boundary within " + SEARCH_DAYS + " days of " + around + " in " + zone);
    }
    return boundary;
  }

  private static LocalDateTime later(LocalDateTime one, LocalDateTime other) {
    return one.isAfter(other) ? one : other;
  }

  private static LocalDateTime earlier(LocalDateTime one, LocalDateTime other) {
    return one.isBefore(other) ? one : other;
  }

  /**
   * A stretch of constant offset {@code [opening, closing)}.
   *
   * @param opening the transition it starts with, null when it has no start
   * @param closing the transition that ends it, null when it has no end
   */
  private record Stretch(
      ZoneRules rules,
      ZoneOffset offset,
      @Nullable ZoneOffsetTransition opening,
      @Nullable ZoneOffsetTransition closing) {

    static Stretch at(Instant instant, ZoneRules rules) {
      return new Stretch(
          rules,
          rules.getOffset(instant),
          rules.previousTransition(instant.plusNanos(1)),
          rules.nextTransition(instant));
    }

    Stretch previous() {
      return at(start().minusNanos(1), rules);
    }

    Stretch next() {
      return at(end(), rules);
    }

    Instant start() {
      return opening == null ? Instant.MIN.plus(GAP_LIMIT) : opening.getInstant();
    }

    Instant end() {
      return closing == null ? Instant.MAX : closing.getInstant();
    }

    LocalDateTime localAt(Instant instant) {
      return LocalDateTime.ofInstant(instant, offset);
    }

    Instant instantOf(LocalDateTime local) {
      return local.toInstant(offset);
    }

    LocalDateTime firstLocal(Reading reading) {
      if (opening == null) {
        return LocalDateTime.MIN;
      }
      LocalDateTime shown = opening.getDateTimeAfter();
      return reading == Reading.EVERY ? shown : later(shown, opening.getDateTimeBefore());
    }

    LocalDateTime endLocal(Reading reading) {
      if (closing == null) {
        return LocalDateTime.MAX;
      }
      LocalDateTime shown = closing.getDateTimeBefore();
      return reading == Reading.EVERY ? shown : later(shown, closing.getDateTimeAfter());
    }
  }
}
