package dev.tidegate.store;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.QuotaState.LimitState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the store answers to a call. */
public sealed interface Outcome {

  /**
   * A call was decided with something that has changed since; nothing was written, and it is to be
   * decided anew.
   */
  sealed interface Stale
      extends Reserving,
          Settling,
          Releasing,
          Extending,
          Charging,
          Reading,
          ReadingPeriods,
          Granting {}

  /** To a reservation. */
  sealed interface Reserving extends Outcome {}

  /** To a settlement. */
  sealed interface Settling extends Outcome {}

  /** To a release. */
  sealed interface Releasing extends Outcome {}

  /** To an extension. */
  sealed interface Extending extends Outcome {}

  /** To a charge. */
  sealed interface Charging extends Outcome {}

  /** To a read of the quota. */
  sealed interface Reading extends Outcome {}

  /** To a read of the periods. */
  sealed interface ReadingPeriods extends Outcome {}

  /** To a top-up or a reset. */
  sealed interface Granting extends Outcome {}

  /** To a read of one reservation. */
  sealed interface Finding extends Outcome {}

  /**
   * To the look-up of a keyed call that cannot be decided any more; the first answer to the call.
   */
  sealed interface Replaying extends Outcome {}

  /** Neither of the periods handed over contains the store's {@code now}. */
  record StalePeriod(Instant now) implements Stale {}

  /** Periods were computed by other anchors than those that the limits were restarted at. */
  record StaleAnchors(Instant now, List<Anchor> anchors) implements Stale {

    public StaleAnchors {
      anchors = List.copyOf(anchors);
    }
  }

  /**
   * Where the schedule of a limit counts from.
   *
   * @param level index of the level, from 0
   * @param anchor the instant of its restart; null = as the plan says
   */
  record Anchor(int level, String limit, @Nullable Instant anchor) {}

  /**
   * A subject's record is another by now, or its state was written with newer plans.
   *
   * @param plansSeen the newest generation of plans that it was written with
   */
  record StaleConfiguration(Instant now, long plansSeen) implements Stale {}

  /**
   * The reservation was taken by other levels than those handed over.
   *
   * @param levels {@code incarnation:length:subject}, comma between
   */
  record StaleLevels(Instant now, String levels) implements Stale {}

  /** The idempotency key was used for another call. */
  record KeyReused()
      implements Reserving, Settling, Releasing, Extending, Charging, Replaying, Granting {}

  /** Nothing is known by that id. */
  record NotFound() implements Settling, Releasing, Extending, Finding, Replaying, Granting {}

  /**
   * Amounts are held.
   *
   * @param expiresAt the end of the lease, exclusive
   * @param replayed whether this is the answer to an earlier call with the same key
   */
  record Held(
      ReservationId id, Instant expiresAt, Amounts amounts, QuotaState state, boolean replayed)
      implements Reserving, Replaying {}

  /** A dry run: the amounts would be held. */
  record Fits(QuotaState state) implements Reserving {}

  /**
   * Refused, and nothing was taken.
   *
   * @param retryAfterMillis until everything fits, if nobody else acts; -1 = waiting does not help
   * @param estimated whether there were too many leases to look through for an exact time
   * @param refusals every limit that refuses, at least one
   */
  record Refused(
      Reason reason,
      long retryAfterMillis,
      boolean estimated,
      List<Refusal> refusals,
      QuotaState state)
      implements Reserving, Charging {

    public Refused {
      refusals = List.copyOf(refusals);
    }

    /** The limit that frees last among those that refuse for the reason given. */
    public Refusal named() {
      return refusals.stream()
          .filter(refusal -> refusal.reason() == reason)
          .max(Comparator.comparingLong(Refusal::freesMillis))
          .orElseThrow();
    }

    /** The limit that a refusal is about; null = the level's number of live reservations. */
    public @Nullable LimitState limit(Refusal refusal) {
      List<LimitState> limits = state.levels().get(refusal.level()).limits();
      return refusal.limit() < 0 ? null : limits.get(refusal.limit());
    }
  }

  /** Why a call is refused; the later ones win. */
  enum Reason {
    /** The quota is exhausted. */
    DENIED,
    /** The level has as many live reservations as it may. */
    TOO_MANY_HOLDS,
    /** The amount fits neither after every lapse nor in a fresh period. */
    EXCEEDS,
    /** A sum would pass {@link Amounts#MAX}. */
    OVERFLOW
  }

  /**
   * One limit that refuses.
   *
   * @param level index of the level, from 0
   * @param limit index of the limit in the level, from 0; -1 = the level's number of live
   *     reservations
   * @param requested the amount that was asked for
   * @param freesMillis until this limit lets the amount through; -1 = never by waiting
   */
  record Refusal(Reason reason, int level, int limit, long requested, long freesMillis) {}

  /**
   * Charged what it cost.
   *
   * @param late whether the lease had lapsed or been released
   * @param above what of it is above what was reserved, of the meters that have any; told once
   * @param replayed whether this is the answer to an earlier call
   */
  record Settled(boolean late, Amounts charged, Amounts above, QuotaState state, boolean replayed)
      implements Settling, Replaying {

    /** The answer to the same call when it comes again. */
    public Settled again() {
      return new Settled(late, charged, Amounts.NONE, state, true);
    }
  }

  /** Settled before, with other amounts; {@code first} is the result of that. */
  record AlreadySettled(Settled first) implements Settling {}

  /** The reservation holds a meter that the settlement does not name. */
  record Unnamed(String meter) implements Settling {}

  /** A sum of this meter would pass {@link Amounts#MAX}. */
  record SettleOverflow(String meter) implements Settling {}

  /**
   * A release was carried out, or was not needed.
   *
   * @param state what the reservation is now
   * @param changed whether it was held until this call
   */
  record Closed(ReservationState state, boolean changed, boolean replayed)
      implements Releasing, Replaying {

    /** The answer to the same call when it comes again. */
    public Closed again() {
      return new Closed(state, false, true);
    }
  }

  /** An extension came too late. */
  record NotExtendable(ReservationState state) implements Extending {}

  /**
   * The lease ends later.
   *
   * @param capped whether its longest life cut it short
   */
  record Extended(Instant expiresAt, boolean capped, boolean replayed)
      implements Extending, Replaying {}

  /** Charged in one step. */
  record Charged(Amounts charged, QuotaState state, boolean replayed)
      implements Charging, Replaying {}

  /**
   * The quota as it is now.
   *
   * @param insights of the levels of {@code state}, in their order
   */
  record Quota(QuotaState state, List<Insight> insights) implements Reading {

    public Quota {
      insights = List.copyOf(insights);
    }
  }

  /**
   * The current periods and those that have ended, in no order.
   *
   * @param anchors of the current periods whose limits were restarted, by limit
   */
  record Periods(QuotaState state, List<ClosedPeriod> closed, Map<String, Instant> anchors)
      implements ReadingPeriods {

    public Periods {
      closed = List.copyOf(closed);
      anchors = Map.copyOf(anchors);
    }
  }

  /**
   * One reservation.
   *
   * @param amounts as they were reserved
   * @param charged as they were settled; none unless settled
   */
  record Found(
      ReservationState state, Instant takenAt, Instant expiresAt, Amounts amounts, Amounts charged)
      implements Finding {}

  /**
   * Topped up; nothing was added where every limit was full already.
   *
   * @param granted by the name of the limit, what was really added
   * @param state of the subject itself
   */
  record ToppedUp(Amounts granted, QuotaState state, boolean replayed) implements Granting {}

  /**
   * Reset.
   *
   * @param limits those that were asked for, in the order of the plan
   * @param state of the subject itself
   * @param changed false when there was nothing to reset
   */
  record WasReset(List<LimitReset> limits, QuotaState state, boolean changed, boolean replayed)
      implements Granting {

    public WasReset {
      limits = List.copyOf(limits);
    }
  }

  /**
   * One limit that was reset.
   *
   * @param previous the period that ended with it; null = there was none
   */
  record LimitReset(String limit, @Nullable ClosedPeriod previous) {}

  /**
   * The version is another than the one that the grant named; nothing was granted.
   *
   * @param version as it is
   */
  record VersionConflict(long version, boolean replayed) implements Granting {}

  /** As many emergency top-ups were granted as there may be. */
  record TopUpCapReached(String limit, Instant nextAvailableAt, boolean replayed)
      implements Granting {}

  /** The limit was restarted as often as it may be. */
  record RestartCapReached(String limit, Instant nextAvailableAt, boolean replayed)
      implements Granting {}

  /** With the top-up a sum would pass {@link Amounts#MAX}. */
  record TopUpOverflow(String limit, boolean replayed) implements Granting {}

  /** What the plan does not let a limit be granted; the store is not asked. */
  sealed interface Unsupported extends Granting {

    /** The first limit that lacks it. */
    String limit();
  }

  /** The limit has no emergency top-ups. */
  record TopUpUnsupported(String limit) implements Unsupported {}

  /** The limit cannot be restarted. */
  record RestartUnsupported(String limit) implements Unsupported {}

  /** The state of a reservation. */
  enum ReservationState {
    HELD,
    SETTLED,
    RELEASED,
    LAPSED
  }
}
