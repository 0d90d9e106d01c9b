package dev.tidegate.store.model;

import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.ClosedPeriod;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.Outcome.ReservationState;
import dev.tidegate.store.ScheduleLabel;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One period of one limit and what was used in it; what is held follows from the reservations. */
final class ModelPeriod implements Account {

  final String limit;
  final ScheduleLabel label;
  final long seq;

  /** From where it counts to where it ends, with its place in its schedule. */
  Period period;

  /** The limit in force; null = none. */
  @Nullable Long amount;

  long used;
  long topup;

  /** Its own number, or that of the first since the last boundary when a reset came in between. */
  long group;

  /** The restart that its schedule is counted from; null = as the plan says. */
  @Nullable Instant anchor;

  /** Whether a reset has ended it. */
  boolean cut;

  /** Whether its end has moved the version on while no session followed it. */
  boolean endCounted;

  /** The full length in milliseconds of a period that a changed schedule made shorter; else 0. */
  final long nominalMillis;

  ModelPeriod(
      String limit,
      ScheduleLabel label,
      long seq,
      Period period,
      long nominalMillis,
      @Nullable Long amount) {
    this.limit = limit;
    this.nominalMillis = nominalMillis;
    this.label = label;
    this.seq = seq;
    this.group = seq;
    this.period = period;
    this.amount = amount;
  }

  @Override
  public void take(String meter, long taken, long nowMillis) {}

  @Override
  public void charge(long charged, long nowMillis) {
    used += charged;
  }

  @Override
  public boolean isHeld(ModelReservation.Hold hold) {
    return true;
  }

  @Override
  public long due(ModelReservation.Hold hold, long charged, ReservationState before) {
    return charged;
  }

  @Override
  public void settle(long due, ModelReservation reservation, long nowMillis) {
    used += due;
  }

  @Override
  public void release(ModelReservation.Hold hold, ModelReservation reservation, long nowMillis) {}

  @Override
  public long usedAt(@Nullable LimitTerms terms, long nowMillis) {
    return used;
  }

  boolean hasEnded(long nowMillis) {
    return cut || nowMillis >= period.end().toEpochMilli();
  }

  /** Ends it now, after a millisecond at least. */
  void cutAt(long nowMillis) {
    long end = Math.max(nowMillis, period.start().toEpochMilli() + 1);
    period = new Period(period.start(), Instant.ofEpochMilli(end), period.ordinal());
    cut = true;
  }

  /** What of the plan's limit this period has: all of it, or the share of its length. */
  @Nullable Long amountOf(@Nullable Long planned) {
    return nominalMillis == 0 || planned == null
        ? planned
        : (Long) share(planned, period.start(), period.end(), nominalMillis);
  }

  /** {@code amount} by the length from start to end, of a nominal one, rounded down. */
  static long share(long amount, Instant start, Instant end, long nominalMillis) {
    return BigInteger.valueOf(amount)
        .multiply(BigInteger.valueOf(Duration.between(start, end).toMillis()))
        .divide(BigInteger.valueOf(nominalMillis))
        .longValueExact();
  }

  /**
   * The period as the store answers with it: of its place in the schedule only {@code seq} is told.
   */
  Period shown() {
    return new Period(period.start(), period.end(), seq);
  }

  ClosedPeriod closed(long held) {
    return new ClosedPeriod(limit, label, seq, shown(), amount, topup, used, held, anchor);
  }
}
