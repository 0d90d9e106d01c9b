package dev.tidegate.store.model;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.CategoryUse;
import dev.tidegate.domain.PeriodUse;
import dev.tidegate.domain.RecentUse;
import dev.tidegate.store.Insight;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Everything that was settled or charged at a level, one entry each. */
final class ModelUsage {

  private static final BigDecimal MAX = BigDecimal.valueOf(Amounts.MAX);

  /**
   * A limit that something is spent of.
   *
   * @param group of the period, its number when no reset came in between; null = not of a period
   */
  record Counted(String limit, String meter, @Nullable Long group) {}

  private record Spent(long atMillis, String meter, long amount) {}

  private record Used(String limit, long group, String category, CategoryUse use) {}

  private final List<Spent> spent = new ArrayList<>();
  private final List<Used> used = new ArrayList<>();

  /** Notes what is settled or charged. */
  void spend(long nowMillis, List<Counted> limits, Bill bill) {
    limits.stream()
        .map(Counted::meter)
        .distinct()
        .map(meter -> new Spent(nowMillis, meter, CallView.amountOf(meter, bill.amounts())))
        .forEach(spent::add);
    for (Counted counted : limits) {
      Long group = counted.group();
      if (group != null) {
        bill.breakdown()
            .of(counted.meter())
            .forEach((category, use) -> used.add(new Used(counted.limit(), group, category, use)));
      }
    }
  }

  /** What was settled or charged of a meter from an instant on, inclusive; at most the greatest. */
  BigDecimal since(String meter, long fromMillis) {
    return spent.stream()
        .filter(event -> event.meter().equals(meter) && event.atMillis() >= fromMillis)
        .map(event -> BigDecimal.valueOf(event.amount()))
        .reduce(BigDecimal.ZERO, BigDecimal::add)
        .min(MAX);
  }

  /** The usage of limits as it is now; a group is null where no period is running. */
  Insight insight(List<Counted> limits, long nowMillis) {
    Map<String, RecentUse> byMeter = new HashMap<>();
    Map<String, PeriodUse> byLimit = new HashMap<>();
    for (Counted counted : limits) {
      RecentUse recent = recent(counted.meter(), nowMillis);
      if (recent != null) {
        byMeter.put(counted.meter(), recent);
      }
      SortedMap<String, CategoryUse> uses = uses(counted);
      if (!uses.isEmpty()) {
        byLimit.put(counted.limit(), new PeriodUse(uses));
      }
    }
    return new Insight(byMeter, byLimit);
  }

  private @Nullable RecentUse recent(String meter, long nowMillis) {
    return spent.stream()
        .filter(event -> event.meter().equals(meter))
        .findFirst()
        .map(
            first ->
                new RecentUse(
                    Duration.ofMillis(nowMillis - first.atMillis()),
                    since(meter, nowMillis - Duration.ofHours(1).toMillis()),
                    since(meter, nowMillis - Duration.ofDays(1).toMillis())))
        .orElse(null);
  }

  private SortedMap<String, CategoryUse> uses(Counted counted) {
    TreeMap<String, CategoryUse> sums = new TreeMap<>();
    for (Used event : used) {
      Long group = counted.group();
      if (group != null && event.limit().equals(counted.limit()) && event.group() == group) {
        sums.merge(event.category(), event.use(), ModelUsage::plus);
      }
    }
    return sums;
  }

  /** Sums stop at the greatest amount. */
  private static CategoryUse plus(CategoryUse a, CategoryUse b) {
    BigDecimal weighted = a.weighted().add(b.weighted());
    BigInteger whole = weighted.toBigInteger();
    BigDecimal fraction = weighted.subtract(new BigDecimal(whole));
    return new CategoryUse(
        Math.min(a.units() + b.units(), Amounts.MAX), new BigDecimal(whole).min(MAX).add(fraction));
  }
}
