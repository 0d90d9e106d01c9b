package dev.tidegate.bench.rates;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.RecentUse;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.PlanLevel;
import dev.tidegate.store.Scope;
import dev.tidegate.store.StoreUnderTest;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Charges calls and compares the rates that are told with those that follow from the calls. */
final class Comparison {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  /** The rates are read at every so many calls. */
  private static final int READ_EACH = 10;

  private final StoreUnderTest under;
  private final List<PlanLevel> levels;
  private final List<Call> calls = new ArrayList<>();
  private final Errors ofHour = new Errors();
  private final Errors ofDay = new Errors();
  private int hourFrom;
  private int dayFrom;

  Comparison(StoreUnderTest under, List<PlanLevel> levels) {
    this.under = under;
    this.levels = levels;
  }

  void charge(Call call) {
    under.setClock(call.atMillis());
    Bill bill = Bill.of(Amounts.of("tokens", call.tokens()));
    Outcome charged = await(under.store().charge(scope(call), bill, DAY, null));
    if (!(charged instanceof Outcome.Charged)) {
      throw new IllegalStateException("not charged: " + charged);
    }
    calls.add(call);
    if (calls.size() % READ_EACH == 0) {
      compare(call);
    }
  }

  private Scope scope(Call call) {
    return PlanLevel.scope(levels, "trace", 1, Instant.ofEpochMilli(call.atMillis()));
  }

  private void compare(Call call) {
    if (await(under.store().read(scope(call))) instanceof Outcome.Quota quota) {
      RecentUse use = quota.insights().getFirst().byMeter().get("tokens");
      if (use != null) {
        hourFrom = from(hourFrom, call.atMillis() - HOUR.toMillis());
        dayFrom = from(dayFrom, call.atMillis() - DAY.toMillis());
        ofHour.add(use.overHour(), exact(hourFrom, HOUR));
        ofDay.add(use.overDay(), exact(dayFrom, DAY));
      }
    }
  }

  /** The first call, from {@code index} on, after an instant. */
  private int from(int index, long afterMillis) {
    int first = index;
    while (calls.get(first).atMillis() <= afterMillis) {
      first++;
    }
    return first;
  }

  private double exact(int from, Duration window) {
    long tokens = calls.subList(from, calls.size()).stream().mapToLong(Call::tokens).sum();
    long age = calls.getLast().atMillis() - calls.getFirst().atMillis();
    return tokens * (double) HOUR.toMillis() / Math.min(age, window.toMillis());
  }

  /** The greatest error, as a share of the exact rate. */
  double worst() {
    return Math.max(ofHour.greatest, ofDay.greatest);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d calls; the rate of 1 h is off by at most %s, that of 24 h by %s",
        calls.size(),
        ofHour,
        ofDay);
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(PATIENCE);
  }

  private static final class Errors {

    private double greatest;
    private double sum;
    private int count;

    private void add(RecentUse.@Nullable Rate rate, double exact) {
      if (rate != null) {
        double error = Math.abs(rate.perHour().doubleValue() - exact) / exact;
        greatest = Math.max(greatest, error);
        sum += error;
        count++;
      }
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%.2f %% (%.3f %% on average)", 100 * greatest, 100 * sum / count);
    }
  }
}
