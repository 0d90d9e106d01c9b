package dev.tidegate.store;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.SubjectId;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where quotas are metered. Every call is one atomic step over all levels of its scope; one that
 * fails has either been carried out whole or not at all. A failure of the {@code Uni} is a {@link
 * StoreException}.
 */
public interface MeteringStore {

  /**
   * Holds amounts at every limit, or at none. {@code amounts} names every meter that a limit
   * counts.
   */
  Uni<Outcome.Reserving> reserve(
      Scope scope,
      ReservationId id,
      Amounts amounts,
      Duration ttl,
      boolean dryRun,
      @Nullable IdempotencyKey key);

  /** Charges a bill, or what is held when it is null, once. */
  Uni<Outcome.Settling> settle(
      Scope scope, ReservationId id, @Nullable Bill bill, @Nullable IdempotencyKey key);

  /** Gives back what is held. The scope needs no limits. */
  Uni<Outcome.Releasing> release(Scope scope, ReservationId id, @Nullable IdempotencyKey key);

  /**
   * Moves the end of the lease to now + {@code ttl}, unless it is later already. The scope needs no
   * limits.
   */
  Uni<Outcome.Extending> extend(
      Scope scope, ReservationId id, Duration ttl, @Nullable IdempotencyKey key);

  /** Reads one reservation. The scope needs no limits. */
  Uni<Outcome.Finding> find(Scope scope, ReservationId id);

  /** Charges a bill at every limit, or at none; {@code kept} is how long the key is remembered. */
  Uni<Outcome.Charging> charge(Scope scope, Bill bill, Duration kept, @Nullable IdempotencyKey key);

  /** Reads every level. */
  Uni<Outcome.Reading> read(Scope scope);

  /**
   * Reads the current and the closed periods of the subject itself; parents in the scope are left
   * out.
   */
  Uni<Outcome.ReadingPeriods> readPeriods(Scope scope);

  /** The first answer to a keyed reservation, when the call itself can no longer be decided. */
  Uni<Outcome.Replaying> replay(
      SubjectId root, SubjectId subject, long incarnation, Operation operation, IdempotencyKey key);

  /** What a keyed call does; it tells how its first answer is to be read. */
  enum Operation {
    RESERVE,
    SETTLE,
    RELEASE,
    EXTEND,
    CHARGE
  }
}
