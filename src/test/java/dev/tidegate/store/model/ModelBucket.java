package dev.tidegate.store.model;

import dev.tidegate.domain.Amounts;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.Outcome.ReservationState;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket, in parts of a token: one token has as many parts as its interval has
 * milliseconds, so that in each millisecond {@code refill} parts drip in and nothing is rounded.
 */
final class ModelBucket implements Account {

  /** Nothing later is told: the end of the year 9999. */
  static final long LAST_MILLIS = 253_402_300_799_999L;

  private long capacity;
  private long refill;
  private long interval;
  private BigInteger parts;
  private long stampMillis;

  /** How often it was reset. */
  final long era;

  private ModelBucket(
      long capacity, long refill, long interval, BigInteger parts, long stampMillis, long era) {
    this.era = era;
    this.capacity = capacity;
    this.refill = refill;
    this.interval = interval;
    this.parts = parts;
    this.stampMillis = stampMillis;
  }

  /** A full bucket. */
  static ModelBucket full(LimitTerms.Bucket terms, long nowMillis, long era) {
    long interval = terms.interval().toMillis();
    return new ModelBucket(
        terms.capacity(),
        terms.refill(),
        interval,
        product(terms.capacity(), interval),
        nowMillis,
        era);
  }

  ModelBucket copy() {
    return new ModelBucket(capacity, refill, interval, parts, stampMillis, era);
  }

  /** Brings it to an instant, by other terms also for the time since the last one. */
  ModelBucket adopt(LimitTerms.Bucket terms, long nowMillis) {
    long changed = terms.interval().toMillis();
    if (changed != interval) {
      BigInteger[] tokens = divided(parts, interval);
      BigInteger fraction = tokens[1].multiply(big(changed)).divide(big(interval));
      parts = tokens[0].multiply(big(changed)).add(fraction);
    }
    interval = changed;
    refill = terms.refill();
    capacity = terms.capacity();
    cap();
    forgive();
    advance(nowMillis);
    return this;
  }

  /** No debt is greater than what would bring the use above the greatest amount. */
  private void forgive() {
    BigInteger[] tokens = divided(parts, interval);
    BigInteger least = big(capacity - Amounts.MAX);
    parts = tokens[0].max(least).multiply(big(interval)).add(tokens[1]);
  }

  private void advance(long nowMillis) {
    parts = parts.add(product(refill, Math.max(0, nowMillis - stampMillis)));
    stampMillis = Math.max(stampMillis, nowMillis);
    cap();
  }

  private void cap() {
    parts = parts.min(product(capacity, interval));
  }

  private void add(long tokens) {
    parts = parts.add(product(tokens, interval));
    cap();
  }

  /** Fills in tokens, of which there is room for all. */
  void topUp(long tokens) {
    add(tokens);
  }

  /** Whole tokens, less than 0 = debt. */
  long tokens() {
    return divided(parts, interval)[0].longValueExact();
  }

  long used() {
    return capacity - tokens();
  }

  /** The first instant, now or later, at which there are so many tokens if nobody acts. */
  long millisWith(long tokens) {
    BigInteger missing = product(tokens, interval).subtract(parts);
    if (missing.signum() <= 0) {
      return stampMillis;
    }
    BigInteger elapsed = ceiling(missing, big(refill));
    return elapsed.add(big(stampMillis)).min(big(LAST_MILLIS)).longValueExact();
  }

  long millisWhenFull() {
    return millisWith(capacity);
  }

  @Override
  public void take(String meter, long amount, long nowMillis) {
    add(-amount);
  }

  @Override
  public void charge(long amount, long nowMillis) {
    add(-amount);
  }

  @Override
  public boolean isHeld(ModelReservation.Hold hold) {
    return false;
  }

  @Override
  public long due(ModelReservation.Hold hold, long amount, ReservationState before) {
    long more = amount - hold.amount();
    return before == ReservationState.RELEASED
        ? amount
        : isOfToday(hold) ? more : Math.max(0, more);
  }

  /** Whether it has not been reset since. */
  private boolean isOfToday(ModelReservation.Hold hold) {
    return hold.account() == this;
  }

  @Override
  public void settle(long due, ModelReservation reservation, long nowMillis) {
    advance(nowMillis);
    add(-due);
  }

  @Override
  public void release(ModelReservation.Hold hold, ModelReservation reservation, long nowMillis) {
    advance(nowMillis);
    add(isOfToday(hold) ? hold.amount() : 0);
  }

  @Override
  public long usedAt(@Nullable LimitTerms terms, long nowMillis) {
    ModelBucket now = copy();
    if (terms instanceof LimitTerms.Bucket bucket) {
      now.adopt(bucket, nowMillis);
    } else {
      now.advance(nowMillis);
    }
    return now.used();
  }

  private static BigInteger[] divided(BigInteger parts, long interval) {
    BigInteger fraction = parts.mod(big(interval));
    return new BigInteger[] {parts.subtract(fraction).divide(big(interval)), fraction};
  }

  private static BigInteger product(long a, long b) {
    return big(a).multiply(big(b));
  }

  /** The quotient, rounded up. */
  static BigInteger ceiling(BigInteger a, BigInteger b) {
    return new BigDecimal(a).divide(new BigDecimal(b), 0, RoundingMode.CEILING).toBigInteger();
  }

  private static BigInteger big(long number) {
    return BigInteger.valueOf(number);
  }
}
