package dev.tidegate.domain;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was used of a period, by category, as far as usage was named.
 *
 * @param byCategory sorted by category
 */
public record PeriodUse(SortedMap<String, CategoryUse> byCategory) {

  /** Nothing. */
  public static final PeriodUse NONE = new PeriodUse(new TreeMap<>());

  private static final String HIT = "cache_hit_input";
  private static final String MISSED = "cache_miss_input";
  private static final int DECIMALS = 3;

  public PeriodUse {
    byCategory = Collections.unmodifiableSortedMap(new TreeMap<>(byCategory));
  }

  private long units(String category) {
    return byCategory.getOrDefault(category, CategoryUse.NONE).units();
  }

  /** The share of the input that a cache had, to three decimals; null = there was no input. */
  public @Nullable BigDecimal cacheHitRate() {
    BigDecimal hit = BigDecimal.valueOf(units(HIT));
    BigDecimal input = hit.add(BigDecimal.valueOf(units(MISSED)));
    return input.signum() == 0 ? null : hit.divide(input, DECIMALS, RoundingMode.HALF_UP);
  }

  /** The category that weighs most, of several the first by name; null = none weighs anything. */
  public @Nullable String mostExpensive() {
    String most = null;
    BigDecimal greatest = BigDecimal.ZERO;
    for (Map.Entry<String, CategoryUse> entry : byCategory.entrySet()) {
      if (entry.getValue().weighted().compareTo(greatest) > 0) {
        most = entry.getKey();
        greatest = entry.getValue().weighted();
      }
    }
    return most;
  }
}
