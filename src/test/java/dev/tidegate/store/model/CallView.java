package dev.tidegate.store.model;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.store.Insight;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Outcome.Reason;
import dev.tidegate.store.Outcome.Refusal;
import dev.tidegate.store.QuotaState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** All levels of one call as they are at one instant, before anything is written. */
record CallView(long nowMillis, List<LevelView> levels) {

  Instant now() {
    return Instant.ofEpochMilli(nowMillis);
  }

  QuotaState state() {
    return new QuotaState(now(), levels.stream().map(LevelView::state).toList());
  }

  /** How every level uses its quota. */
  List<Insight> insights() {
    return levels.stream()
        .map(level -> level.level().usage.insight(level.counted(), nowMillis))
        .toList();
  }

  /** Notes what is charged. */
  void spend(Bill bill) {
    levels.forEach(level -> level.level().usage.spend(nowMillis, level.counted(), bill));
  }

  /**
   * What the call is refused with; null when it is granted.
   *
   * @param holding whether the amounts are to be held, so that reservations are counted
   */
  Outcome.@Nullable Refused refusal(Amounts amounts, boolean holding) {
    List<Refusal> refusals = new ArrayList<>();
    for (int l = 0; l < levels.size(); l++) {
      LevelView level = levels.get(l);
      if (holding && !level.mayHoldAt(nowMillis)) {
        long frees = Waiting.until(List.of(level), any -> 0, level::mayHoldAt);
        refusals.add(new Refusal(Reason.TOO_MANY_HOLDS, l, -1, 0, frees));
      }
      for (int i = 0; i < level.limits().size(); i++) {
        LimitView limit = level.limits().get(i);
        long amount = amountOf(limit.terms().meter(), amounts);
        Reason reason = limit.refusal(amount);
        if (reason != null) {
          long frees =
              reason == Reason.DENIED
                  ? Waiting.until(List.of(level), any -> amount, at -> limit.fitsAt(at, amount))
                  : -1;
          boolean hopeless = reason == Reason.DENIED && frees < 0;
          refusals.add(new Refusal(hopeless ? Reason.EXCEEDS : reason, l, i, amount, frees));
        }
      }
    }
    if (refusals.isEmpty()) {
      return null;
    }
    long latest = latest(amounts, refusals);
    refusals.replaceAll(refusal -> inTime(refusal, latest));
    refusals.addAll(tooLate(amounts, latest));
    Reason worst =
        refusals.stream().map(Refusal::reason).max(Comparator.naturalOrder()).orElseThrow();
    boolean waits = worst == Reason.DENIED || worst == Reason.TOO_MANY_HOLDS;
    long retryAfter =
        waits
            ? Waiting.until(
                levels,
                limit -> amountOf(limit.terms().meter(), amounts),
                at -> fitAt(at, amounts, holding))
            : -1;
    return new Outcome.Refused(worst, retryAfter, false, refusals, state());
  }

  /**
   * In how many milliseconds all that refuse are free, and no limit has become too small for a
   * while.
   */
  private long latest(Amounts amounts, List<Refusal> refusals) {
    long latest = refusals.stream().mapToLong(Refusal::freesMillis).max().orElseThrow();
    for (long before = -1; before != latest; ) {
      before = latest;
      for (LevelView level : levels) {
        for (LimitView limit : level.limits()) {
          long amount = amountOf(limit.terms().meter(), amounts);
          latest = limit.tooSmallUntil(nowMillis + latest, amount) - nowMillis;
        }
      }
    }
    return latest;
  }

  /** Limits that let the amounts through now, but never again by the time that others do. */
  private List<Refusal> tooLate(Amounts amounts, long latest) {
    List<Refusal> late = new ArrayList<>();
    for (int l = 0; l < levels.size(); l++) {
      for (int i = 0; i < levels.get(l).limits().size(); i++) {
        LimitView limit = levels.get(l).limits().get(i);
        long amount = amountOf(limit.terms().meter(), amounts);
        if (limit.refusal(amount) == null && nowMillis + latest >= limit.fitsUntil(amount)) {
          late.add(new Refusal(Reason.EXCEEDS, l, i, amount, -1));
        }
      }
    }
    return late;
  }

  /** What only fits before something else does never fits. */
  private Refusal inTime(Refusal refusal, long latest) {
    if (refusal.reason() != Reason.DENIED) {
      return refusal;
    }
    LimitView limit = levels.get(refusal.level()).limits().get(refusal.limit());
    boolean tooLate = nowMillis + latest >= limit.fitsUntil(refusal.requested());
    return tooLate
        ? new Refusal(
            Reason.EXCEEDS,
            refusal.level(),
            refusal.limit(),
            refusal.requested(),
            refusal.freesMillis())
        : refusal;
  }

  private boolean fitAt(long atMillis, Amounts amounts, boolean holding) {
    for (LevelView level : levels) {
      if (holding && !level.mayHoldAt(atMillis)) {
        return false;
      }
      for (LimitView limit : level.limits()) {
        if (!limit.fitsAt(atMillis, amountOf(limit.terms().meter(), amounts))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Keeps the instant at every level where something has lapsed since the last time. */
  void storeLapses() {
    levels.forEach(LevelView::storeLapses);
  }

  static long amountOf(String meter, Amounts amounts) {
    Map<String, Long> byMeter = amounts.byMeter();
    return Objects.requireNonNull(byMeter.get(meter), () -> "no amount of " + meter);
  }
}
