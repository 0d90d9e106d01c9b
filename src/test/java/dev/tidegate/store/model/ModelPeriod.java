package dev.tidegate.store.model;

import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.ClosedPeriod;
import dev.tidegate.store.ScheduleLabel;
import org.jspecify.annotations.Nullable;

/** One period of one limit and what was used in it; what is held follows from the reservations. */
final class ModelPeriod {

  final String limit;
  final ScheduleLabel label;
  final long seq;

  /** From where it counts to where it ends, with its place in its schedule. */
  final Period period;

  /** The limit in force; null = none. */
  @Nullable Long amount;

  long used;

  /** Whether its end has moved the version on while no session followed it. */
  boolean endCounted;

  ModelPeriod(String limit, ScheduleLabel label, long seq, Period period, @Nullable Long amount) {
    this.limit = limit;
    this.label = label;
    this.seq = seq;
    this.period = period;
    this.amount = amount;
  }

  boolean hasEnded(long nowMillis) {
    return nowMillis >= period.end().toEpochMilli();
  }

  /**
   * The period as the store answers with it: of its place in the schedule only {@code seq} is told.
   */
  Period shown() {
    return new Period(period.start(), period.end(), seq);
  }

  ClosedPeriod closed(long held) {
    return new ClosedPeriod(limit, label, seq, shown(), amount, 0, used, held);
  }
}
