package dev.tidegate.store.model;

import dev.tidegate.domain.Amounts;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.Outcome.ReservationState;
import org.jspecify.annotations.Nullable;

/** Where what is taken of one limit is counted. */
sealed interface Account permits ModelPeriod, ModelBucket, ModelWindow {

  /** A reservation takes an amount; what it only holds follows from the reservations. */
  void take(String meter, long amount, long nowMillis);

  /** Spends an amount at once. */
  void charge(long amount, long nowMillis);

  /** Whether a live reservation counts until it is settled, without having been charged. */
  boolean isHeld(ModelReservation.Hold hold);

  /**
   * What a settlement of {@code amount} charges, less than 0 = gives back.
   *
   * @param before the state of the reservation until now
   */
  long due(ModelReservation.Hold hold, long amount, ReservationState before);

  /** Charges what is due, or gives it back into where the reservation took it from. */
  void settle(long due, ModelReservation reservation, long nowMillis);

  /** Gives back what a live reservation took. */
  void release(ModelReservation.Hold hold, ModelReservation reservation, long nowMillis);

  /**
   * What is used at an instant.
   *
   * @param terms of the limit now; null = the plan has it no more, or of another kind
   */
  long usedAt(@Nullable LimitTerms terms, long nowMillis);

  /** Whether what is due would bring the sum above the greatest. */
  default boolean overflows(long due, @Nullable LimitTerms terms, long nowMillis) {
    return due > 0 && usedAt(terms, nowMillis) > Amounts.MAX - due;
  }
}
