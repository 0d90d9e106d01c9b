package dev.tidegate.store.model;

import dev.tidegate.store.AuditEvent;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.Outcome.Reason;
import dev.tidegate.store.QuotaState.LimitState;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** One limit as it is at one instant, before anything is written. */
sealed interface LimitView permits PeriodView, BucketView, WindowView {

  /** The limit at {@code nowMillis}; null when the terms do not reach it. */
  static @Nullable LimitView of(ModelLevel level, LimitTerms terms, long nowMillis) {
    return switch (terms) {
      case LimitTerms.Periodic periodic -> PeriodView.of(level, periodic, nowMillis);
      case LimitTerms.Session session -> PeriodView.of(level, session, nowMillis);
      case LimitTerms.Bucket bucket -> BucketView.of(level, bucket, nowMillis);
      case LimitTerms.Sliding sliding -> WindowView.of(level, sliding, nowMillis);
    };
  }

  LimitTerms terms();

  long nowMillis();

  /** What the limit counts, in no period. */
  default ModelUsage.Counted counted() {
    return new ModelUsage.Counted(terms().name(), terms().meter(), null);
  }

  /** By how much the boundaries that were passed move the version on. */
  long growth();

  /** The last boundary that was passed, where {@code growth} is more than 0. */
  default long boundaryMillis() {
    return 0;
  }

  /** Whether {@code amount} fits at {@code atMillis}, now or later, if nobody acts until then. */
  boolean fitsAt(long atMillis, long amount);

  /** Whether {@code amount}, refused now, can fit after every lapse or in a fresh period. */
  boolean canEverFit(long amount);

  /**
   * The first instant from {@code atMillis} on at which the limit has not become too small for
   * {@code amount} for a while.
   */
  default long tooSmallUntil(long atMillis, long amount) {
    return atMillis;
  }

  /** Why {@code amount} is refused now; null when it is not. */
  default @Nullable Reason refusal(long amount) {
    if (fitsAt(nowMillis(), amount)) {
      return null;
    }
    if (state(0).amount() == null) {
      return Reason.OVERFLOW;
    }
    return canEverFit(amount) ? Reason.DENIED : Reason.EXCEEDS;
  }

  /** The instant from which {@code amount} never fits again. */
  default long fitsUntil(long amount) {
    return Long.MAX_VALUE;
  }

  /** Instants, besides the ends of leases, from which {@code amount} may fit. */
  LongStream openings(long amount);

  LimitState state(long waitMillis);

  /** Stores a granted use of the limit, and gives where it is counted. */
  Account opened();

  /** Stores the limit in force when something held of what is counted now has lapsed. */
  void storeLapse(ModelReservation lapsed);

  /** Units that a top-up of {@code amount} adds. */
  long grantable(long amount);

  /** Adds units, after what time has done is stored. */
  void topUp(long granted);

  /** Whether a top-up brings a sum above the greatest. */
  default boolean overflowsWith(long amount) {
    return false;
  }

  /** Whether there is anything to reset. */
  default boolean isResettable() {
    return true;
  }

  /**
   * Starts the limit anew with its boundary where it is, after what time has done is stored; gives
   * the period that ends with it, null = there is none.
   */
  @Nullable ModelPeriod reset();

  /** The limit as the audit trail tells it. */
  default AuditEvent.Quota quota() {
    LimitState state = state(0);
    return new AuditEvent.Quota(
        state.seq(), state.amount(), state.topup(), state.used(), state.held(), state.resetAt());
  }

  /** Stores what time has done. */
  void rolledOver();
}
