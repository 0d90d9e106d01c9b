package dev.tidegate.store.model;

import dev.tidegate.store.ClosedPeriod;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.Outcome.ReservationState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All that is remembered of one subject on one resource. */
final class ModelLevel {

  private final Map<String, TreeMap<Long, ModelPeriod>> periods = new TreeMap<>();
  private final Map<String, ModelBucket> buckets = new TreeMap<>();
  private final Map<String, ModelWindow> windows = new TreeMap<>();
  private List<ModelReservation> reservations = new ArrayList<>();

  final ModelUsage usage = new ModelUsage();

  /** The last instant that was stored; the level's time never goes back behind it. */
  long lastMillis;

  /** The newest generation of plans that it was written with. */
  long plansSeen;

  /** Every emergency top-up of any limit. */
  final List<ModelEmergency> emergencies = new ArrayList<>();

  /** When each limit was restarted under a cap, in order. */
  final Map<String, List<Long>> restarts = new TreeMap<>();

  /** 0 = nothing is stored. */
  long version;

  /** The newest period of a limit, which may have ended; null = it was never used. */
  @Nullable ModelPeriod latest(String limit) {
    TreeMap<Long, ModelPeriod> all = periods.get(limit);
    return all == null ? null : all.lastEntry().getValue();
  }

  void add(ModelPeriod period) {
    periods.computeIfAbsent(period.limit, limit -> new TreeMap<>()).put(period.seq, period);
  }

  void add(ModelReservation reservation) {
    reservations.add(reservation);
  }

  @Nullable ModelBucket bucket(String limit) {
    return buckets.get(limit);
  }

  void add(String limit, ModelBucket bucket) {
    buckets.put(limit, bucket);
  }

  @Nullable ModelWindow window(String limit) {
    return windows.get(limit);
  }

  void add(String limit, ModelWindow window) {
    windows.put(limit, window);
  }

  /** Where a hold is settled: a rate that was reset since has another in its place. */
  Account accountOf(ModelReservation.Hold hold) {
    return switch (hold.account()) {
      case ModelPeriod period -> period;
      case ModelBucket bucket -> buckets.getOrDefault(hold.limit(), bucket);
      case ModelWindow window -> windows.getOrDefault(hold.limit(), window);
    };
  }

  List<ModelReservation> live(long nowMillis) {
    return reservations.stream().filter(r -> r.isLive(nowMillis)).toList();
  }

  /** When the last of the live leases ends. */
  long lastLeaseEnd(long nowMillis) {
    return live(nowMillis).stream().mapToLong(r -> r.expiresAtMillis).max().orElse(nowMillis);
  }

  /** Until when each of the emergency top-ups counts that the cap of a limit does, in order. */
  List<Long> emergenciesUntil(LimitTerms terms, long nowMillis) {
    return emergencies.stream()
        .filter(e -> e.limit.equals(terms.name()))
        .map(e -> e.countedUntilMillis(terms.emergencies(), nowMillis))
        .filter(until -> until > nowMillis)
        .sorted()
        .toList();
  }

  /** The sum of what live reservations hold of one account. */
  long held(Account account, long nowMillis) {
    long sum = 0;
    for (ModelReservation reservation : live(nowMillis)) {
      for (ModelReservation.Hold hold : reservation.holds) {
        if (hold.account() == account && account.isHeld(hold)) {
          sum += hold.amount();
        }
      }
    }
    return sum;
  }

  /** Forgets the reservations that lapsed since the last time, and gives them. */
  List<ModelReservation> sweep(long nowMillis) {
    List<ModelReservation> lapsed =
        reservations.stream().filter(r -> r.state(nowMillis) == ReservationState.LAPSED).toList();
    reservations = new ArrayList<>(live(nowMillis));
    return lapsed;
  }

  /**
   * Every period that has ended, in the order of limits and sequence numbers; but of a limit that
   * the plan lacks by now not the last one, which no call has closed.
   *
   * @param planned the limits of the plan that have periods
   */
  List<ClosedPeriod> closed(long nowMillis, Set<String> planned) {
    List<ClosedPeriod> ended = new ArrayList<>();
    for (TreeMap<Long, ModelPeriod> all : periods.values()) {
      for (ModelPeriod period : all.values()) {
        boolean current = period == latest(period.limit);
        boolean told = !current || period.endCounted || planned.contains(period.limit);
        if (period.hasEnded(nowMillis) && told) {
          ended.add(period.closed(held(period, nowMillis)));
        }
      }
    }
    return ended;
  }
}
