package dev.tidegate.store.model;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Outcome.ReservationState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One reservation, from the instant it is taken. */
final class ModelReservation {

  /**
   * How long it is remembered after its lease, and the longest life of a lease, in milliseconds.
   */
  static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

  /**
   * What it holds of one limit.
   *
   * @param account where it was taken
   */
  record Hold(ModelLevel level, String limit, Account account, String meter, long amount) {}

  final SubjectId subject;
  final String resource;

  /** Its levels, as {@link Outcome.StaleLevels} names them. */
  final String chain;

  final long takenAtMillis;
  final Amounts amounts;
  final List<Hold> holds = new ArrayList<>();
  long expiresAtMillis;

  /** What a caller made of it, settled or released; null = nothing yet. */
  @Nullable ReservationState closedAs;

  /** The first result of its settlement; null = not settled. */
  Outcome.@Nullable Settled settled;

  ModelReservation(
      SubjectId subject,
      String resource,
      String chain,
      long takenAtMillis,
      long expiresAtMillis,
      Amounts amounts) {
    this.subject = subject;
    this.resource = resource;
    this.chain = chain;
    this.takenAtMillis = takenAtMillis;
    this.expiresAtMillis = expiresAtMillis;
    this.amounts = amounts;
  }

  ReservationState state(long nowMillis) {
    if (closedAs != null) {
      return closedAs;
    }
    return nowMillis < expiresAtMillis ? ReservationState.HELD : ReservationState.LAPSED;
  }

  boolean isLive(long nowMillis) {
    return state(nowMillis) == ReservationState.HELD;
  }

  boolean isForgotten(long nowMillis) {
    return expiresAtMillis + DAY_MILLIS <= nowMillis;
  }
}
