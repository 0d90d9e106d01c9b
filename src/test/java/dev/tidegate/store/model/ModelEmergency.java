package dev.tidegate.store.model;

import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.LimitTerms;
import java.time.Instant;

/** One emergency top-up, for as long as a cap counts it. */
final class ModelEmergency {

  final String limit;
  private final Instant at;
  private final boolean ofDay;

  /** Whether it is counted with the current period, whose end moves with a restart. */
  boolean ofPeriod;

  /** The end of the period or of the natural day that it was made in. */
  long untilMillis;

  /**
   * @param ofDay whether it is counted by the day, and not by the period
   */
  ModelEmergency(String limit, Instant at, boolean ofDay, long untilMillis) {
    this.limit = limit;
    this.at = at;
    this.ofDay = ofDay;
    this.ofPeriod = !ofDay;
    this.untilMillis = untilMillis;
  }

  /** Until when it counts by terms of {@code nowMillis}: today's natural day may be another one. */
  long countedUntilMillis(LimitTerms.Emergencies cap, long nowMillis) {
    long until = untilMillis;
    for (Period day : cap.days()) {
      if (ofDay && day.contains(Instant.ofEpochMilli(nowMillis)) && day.contains(at)) {
        until = Math.max(until, day.end().toEpochMilli());
      }
    }
    return until;
  }
}
