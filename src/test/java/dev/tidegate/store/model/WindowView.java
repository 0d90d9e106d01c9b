package dev.tidegate.store.model;

import dev.tidegate.domain.Amounts;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.QuotaState.LimitState;
import java.time.Instant;
import java.util.Objects;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A sliding budget as it is at one instant, before anything is written.
 *
 * @param stored what is stored; null = nothing
 * @param window as it is now, a copy
 */
record WindowView(
    ModelLevel level,
    LimitTerms.Sliding terms,
    long nowMillis,
    @Nullable ModelWindow stored,
    ModelWindow window)
    implements LimitView {

  static WindowView of(ModelLevel level, LimitTerms.Sliding terms, long nowMillis) {
    ModelWindow stored = level.window(terms.name());
    ModelWindow now =
        stored == null ? new ModelWindow(0, terms) : stored.copy(terms).adopt(terms, nowMillis);
    return new WindowView(level, terms, nowMillis, stored, now);
  }

  @Override
  public long growth() {
    return 0;
  }

  private long heldAt(long atMillis) {
    return stored == null ? 0 : level.held(stored, atMillis);
  }

  @Override
  public boolean fitsAt(long atMillis, long amount) {
    long taken = window.usedAt(atMillis) + heldAt(atMillis);
    Long limit = terms.amount();
    if (limit == null) {
      return taken + amount <= Amounts.MAX;
    }
    return amount == 0 || amount <= Math.max(0, limit - taken);
  }

  @Override
  public boolean canEverFit(long amount) {
    Long limit = terms.amount();
    return limit == null || amount <= limit;
  }

  /** Only less counts as time goes on, so that the first instant can be searched for. */
  @Override
  public LongStream openings(long amount) {
    return LongStream.of(firstWith(at -> fitsAt(at, amount)));
  }

  private long firstWith(LongPredicate holds) {
    long before = nowMillis - 1;
    long from = Math.max(window.millisWhenForgotten(nowMillis), level.lastLeaseEnd(nowMillis));
    while (from - before > 1) {
      long middle = before + (from - before) / 2;
      if (holds.test(middle)) {
        from = middle;
      } else {
        before = middle;
      }
    }
    return from;
  }

  @Override
  public LimitState state(long waitMillis) {
    return new LimitState(
        "sliding",
        terms.name(),
        terms.meter(),
        terms.amount(),
        terms.label(),
        window.era,
        null,
        Instant.ofEpochMilli(firstWith(at -> window.usedAt(at) == 0)),
        window.usedAt(nowMillis),
        heldAt(nowMillis),
        0,
        0,
        0,
        false,
        waitMillis);
  }

  @Override
  public Account opened() {
    if (stored == null) {
      level.add(terms.name(), window);
      return window;
    }
    return stored.adopt(terms, nowMillis);
  }

  /** A refused call changes no window; what is held follows from the reservations. */
  @Override
  public void storeLapse(ModelReservation lapsed) {}

  @Override
  public long grantable(long amount) {
    return Math.min(amount, window.usedAt(nowMillis));
  }

  @Override
  public void topUp(long granted) {
    Objects.requireNonNull(level.window(terms.name())).forgive(granted, nowMillis);
  }

  @Override
  public @Nullable ModelPeriod reset() {
    level.add(terms.name(), new ModelWindow(window.era + 1, terms));
    return null;
  }

  @Override
  public void rolledOver() {
    opened();
  }
}
