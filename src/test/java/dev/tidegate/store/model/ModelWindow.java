package dev.tidegate.store.model;

import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.Outcome.ReservationState;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What was spent of a sliding budget: every spend with its instant, for as long as it counts. */
final class ModelWindow implements Account {

  /** Less than 0 = taken back. */
  private record Spend(long atMillis, long amount) {}

  /** How often it was reset before. */
  final long era;

  private long window;
  private int buckets;
  private List<Spend> spends = new ArrayList<>();

  ModelWindow(long era, LimitTerms.Sliding terms) {
    this.era = era;
    this.window = terms.window().toMillis();
    this.buckets = terms.buckets();
  }

  ModelWindow copy(LimitTerms.Sliding terms) {
    ModelWindow copy = new ModelWindow(era, terms);
    copy.window = window;
    copy.buckets = buckets;
    copy.spends = new ArrayList<>(spends);
    return copy;
  }

  /** The bucket that an instant is in, counted from 1970. */
  private long bucketOf(long atMillis) {
    return Math.floorDiv(atMillis * buckets, window);
  }

  /** What was spent in each bucket that still counts. */
  private SortedMap<Long, BigInteger> sums(long nowMillis) {
    SortedMap<Long, BigInteger> sums = new TreeMap<>();
    for (Spend spend : spends) {
      sums.merge(bucketOf(spend.atMillis()), BigInteger.valueOf(spend.amount()), BigInteger::add);
    }
    sums.headMap(bucketOf(nowMillis) - buckets).clear();
    return sums;
  }

  /** What a bucket counts for: the oldest for the part of it that is still in the window. */
  private BigInteger counted(long bucket, BigInteger sum, long nowMillis) {
    long current = bucketOf(nowMillis);
    if (bucket > current - buckets) {
      return sum;
    }
    long passed = nowMillis * buckets - current * window;
    BigInteger left = BigInteger.valueOf(window - passed);
    return ModelBucket.ceiling(sum.multiply(left), BigInteger.valueOf(window));
  }

  /** The usage at an instant, if nothing more is spent until then. */
  long usedAt(long atMillis) {
    return sums(atMillis).entrySet().stream()
        .map(sum -> counted(sum.getKey(), sum.getValue(), atMillis))
        .reduce(BigInteger.ZERO, BigInteger::add)
        .longValueExact();
  }

  /**
   * Brings it to other terms: the spend of each bucket moves to the last instant of that bucket,
   * and of the oldest only what still counts.
   */
  ModelWindow adopt(LimitTerms.Sliding terms, long nowMillis) {
    long changedWindow = terms.window().toMillis();
    if (changedWindow != window || terms.buckets() != buckets) {
      List<Spend> moved = new ArrayList<>();
      sums(nowMillis)
          .forEach(
              (bucket, sum) -> {
                long last = -Math.floorDiv(-(bucket + 1) * window, buckets) - 1;
                long left = counted(bucket, sum, nowMillis).longValueExact();
                moved.add(new Spend(Math.min(last, nowMillis), left));
              });
      spends = moved;
      window = changedWindow;
      buckets = terms.buckets();
    }
    return this;
  }

  /** Forgives so much of the usage, the oldest spend first. */
  void forgive(long amount, long nowMillis) {
    BigInteger rest = BigInteger.valueOf(amount);
    long oldest = bucketOf(nowMillis) - buckets;
    for (Map.Entry<Long, BigInteger> sum : sums(nowMillis).entrySet()) {
      BigInteger counted = counted(sum.getKey(), sum.getValue(), nowMillis);
      BigInteger left = counted.subtract(rest.min(counted));
      rest = rest.subtract(counted.subtract(left));
      BigInteger kept =
          sum.getKey() == oldest && left.compareTo(counted) < 0 ? kept(left, nowMillis) : left;
      BigInteger taken = sum.getValue().subtract(left.equals(counted) ? sum.getValue() : kept);
      long at = -Math.floorDiv(-(sum.getKey() + 1) * window, buckets) - 1;
      spends.add(new Spend(at, -taken.longValueExact()));
    }
  }

  /** The greatest sum of the oldest bucket that counts for no more than {@code counted}. */
  private BigInteger kept(BigInteger counted, long nowMillis) {
    long passed = nowMillis * buckets - bucketOf(nowMillis) * window;
    return counted.multiply(BigInteger.valueOf(window)).divide(BigInteger.valueOf(window - passed));
  }

  /** Until when anything that was spent counts at most. */
  long millisWhenForgotten(long nowMillis) {
    return nowMillis + 2 * window;
  }

  private void spend(long amount, long nowMillis) {
    spends.removeIf(spend -> bucketOf(spend.atMillis()) < bucketOf(nowMillis) - buckets);
    spends.add(new Spend(nowMillis, amount));
  }

  /** Takes back from the bucket that something was charged in, if that is still kept. */
  private void takeBack(long amount, long chargedMillis, long nowMillis) {
    BigInteger sum = sums(nowMillis).getOrDefault(bucketOf(chargedMillis), BigInteger.ZERO);
    long back = sum.min(BigInteger.valueOf(amount)).longValueExact();
    spends.add(new Spend(chargedMillis, -back));
  }

  private static boolean isChargedWhenTaken(String meter) {
    return meter.equals("requests");
  }

  @Override
  public void take(String meter, long amount, long nowMillis) {
    if (isChargedWhenTaken(meter)) {
      spend(amount, nowMillis);
    }
  }

  @Override
  public void charge(long amount, long nowMillis) {
    spend(amount, nowMillis);
  }

  @Override
  public boolean isHeld(ModelReservation.Hold hold) {
    return !isChargedWhenTaken(hold.meter());
  }

  @Override
  public long due(ModelReservation.Hold hold, long amount, ReservationState before) {
    boolean charged =
        isChargedWhenTaken(hold.meter())
            && before != ReservationState.RELEASED
            && hold.account() == this;
    return charged ? amount - hold.amount() : amount;
  }

  @Override
  public void settle(long due, ModelReservation reservation, long nowMillis) {
    if (due >= 0) {
      spend(due, nowMillis);
    } else {
      takeBack(-due, reservation.takenAtMillis, nowMillis);
    }
  }

  @Override
  public void release(ModelReservation.Hold hold, ModelReservation reservation, long nowMillis) {
    if (isChargedWhenTaken(hold.meter()) && hold.account() == this) {
      takeBack(hold.amount(), reservation.takenAtMillis, nowMillis);
    }
  }

  @Override
  public long usedAt(@Nullable LimitTerms terms, long nowMillis) {
    return terms instanceof LimitTerms.Sliding sliding
        ? copy(sliding).adopt(sliding, nowMillis).usedAt(nowMillis)
        : usedAt(nowMillis);
  }
}
