package dev.tidegate.store.simulation;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.Level;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Outcome.ReservationState;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import dev.tidegate.store.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a caller would write down of the answers it got. From it follows what every level must have
 * used and must hold: conservation.
 */
final class Ledger {

  /** One period of one limit of one level. */
  private record Account(
      String subject, long incarnation, String resource, String limit, long seq) {}

  private record Hold(Account account, String meter, long amount) {}

  /** One reservation, as its caller knows it. */
  static final class Taken {
    final ReservationId id;
    final Scope scope;
    final Amounts amounts;
    private final List<Hold> holds = new ArrayList<>();
    long expiresAtMillis;
    boolean settled;
    boolean released;

    private Taken(ReservationId id, Scope scope, Amounts amounts, long expiresAtMillis) {
      this.id = id;
      this.scope = scope;
      this.amounts = amounts;
      this.expiresAtMillis = expiresAtMillis;
    }

    boolean isLive(long nowMillis) {
      return !settled && !released && nowMillis < expiresAtMillis;
    }
  }

  private final Map<Account, Long> used = new HashMap<>();
  private final List<Taken> taken = new ArrayList<>();

  /** Every reservation, in the order they were taken. */
  List<Taken> taken() {
    return taken;
  }

  void held(Scope scope, ReservationId id, Outcome.Held held) {
    if (held.replayed()) {
      return;
    }
    Taken reservation = new Taken(id, scope, held.amounts(), held.expiresAt().toEpochMilli());
    for (int l = 0; l < scope.levels().size(); l++) {
      Level level = scope.levels().get(l);
      for (LimitState limit : held.state().levels().get(l).limits()) {
        long amount = held.amounts().byMeter().getOrDefault(limit.meter(), 0L);
        Account account = account(level, scope.resource(), limit);
        reservation.holds.add(new Hold(account, limit.meter(), amount));
      }
    }
    taken.add(reservation);
  }

  void charged(Scope scope, Outcome.Charged charged) {
    if (charged.replayed()) {
      return;
    }
    for (int l = 0; l < scope.levels().size(); l++) {
      Level level = scope.levels().get(l);
      for (LimitState limit : charged.state().levels().get(l).limits()) {
        long amount = charged.charged().byMeter().getOrDefault(limit.meter(), 0L);
        used.merge(account(level, scope.resource(), limit), amount, Long::sum);
      }
    }
  }

  void settled(Taken reservation, Outcome.Settled settled) {
    if (settled.replayed()) {
      return;
    }
    reservation.settled = true;
    for (Hold hold : reservation.holds) {
      long amount = settled.charged().byMeter().getOrDefault(hold.meter(), 0L);
      used.merge(hold.account(), amount, Long::sum);
    }
  }

  void closed(Taken reservation, Outcome.Closed closed) {
    if (!closed.replayed() && closed.state() == ReservationState.RELEASED) {
      reservation.released = true;
    }
  }

  void extended(Taken reservation, Outcome.Extended extended) {
    if (!extended.replayed()) {
      reservation.expiresAtMillis = extended.expiresAt().toEpochMilli();
    }
  }

  /** What contradicts the ledger in a read of the scope; null = nothing does. */
  @Nullable String contradiction(Scope scope, QuotaState state) {
    long now = state.now().toEpochMilli();
    for (int l = 0; l < scope.levels().size(); l++) {
      LevelState level = state.levels().get(l);
      for (LimitState limit : level.limits()) {
        if (limit.period() == null) {
          continue;
        }
        Account account = account(scope.levels().get(l), scope.resource(), limit);
        long expectedUsed = used.getOrDefault(account, 0L);
        long expectedHeld = heldOf(account, now);
        if (expectedUsed != limit.used() || expectedHeld != limit.held()) {
          return "%s should have used %d and hold %d, but is %s"
              .formatted(account, expectedUsed, expectedHeld, limit);
        }
      }
    }
    return null;
  }

  private long heldOf(Account account, long nowMillis) {
    long sum = 0;
    for (Taken reservation : taken) {
      if (reservation.isLive(nowMillis)) {
        for (Hold hold : reservation.holds) {
          if (hold.account().equals(account)) {
            sum += hold.amount();
          }
        }
      }
    }
    return sum;
  }

  private static Account account(Level level, String resource, LimitState limit) {
    return new Account(
        level.subject().value(), level.incarnation(), resource, limit.name(), limit.seq());
  }
}
