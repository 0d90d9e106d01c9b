package dev.tidegate.store.model;

import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.QuotaState.LimitState;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket as it is at one instant, before anything is written.
 *
 * @param bucket as it is now, a copy
 */
record BucketView(ModelLevel level, LimitTerms.Bucket terms, long nowMillis, ModelBucket bucket)
    implements LimitView {

  static BucketView of(ModelLevel level, LimitTerms.Bucket terms, long nowMillis) {
    ModelBucket stored = level.bucket(terms.name());
    ModelBucket now =
        stored == null
            ? ModelBucket.full(terms, nowMillis, 0)
            : stored.copy().adopt(terms, nowMillis);
    return new BucketView(level, terms, nowMillis, now);
  }

  @Override
  public long growth() {
    return 0;
  }

  @Override
  public boolean fitsAt(long atMillis, long amount) {
    return amount == 0 || (canEverFit(amount) && atMillis >= bucket.millisWith(amount));
  }

  @Override
  public boolean canEverFit(long amount) {
    return amount <= terms.capacity();
  }

  @Override
  public LongStream openings(long amount) {
    return LongStream.of(bucket.millisWith(amount));
  }

  @Override
  public LimitState state(long waitMillis) {
    return new LimitState(
        "token_bucket",
        terms.name(),
        terms.meter(),
        terms.capacity(),
        terms.label(),
        bucket.era,
        null,
        Instant.ofEpochMilli(bucket.millisWhenFull()),
        bucket.used(),
        0,
        0,
        0,
        0,
        false,
        waitMillis);
  }

  @Override
  public Account opened() {
    ModelBucket stored = level.bucket(terms.name());
    if (stored == null) {
      level.add(terms.name(), bucket);
      return bucket;
    }
    return stored.adopt(terms, nowMillis);
  }

  /** What lapses was taken for good. */
  @Override
  public void storeLapse(ModelReservation lapsed) {}

  @Override
  public long grantable(long amount) {
    return Math.min(amount, bucket.used());
  }

  @Override
  public void topUp(long granted) {
    Objects.requireNonNull(level.bucket(terms.name())).topUp(granted);
  }

  @Override
  public @Nullable ModelPeriod reset() {
    level.add(terms.name(), ModelBucket.full(terms, nowMillis, bucket.era + 1));
    return null;
  }

  @Override
  public void rolledOver() {
    opened();
  }
}
