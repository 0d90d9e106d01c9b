package dev.tidegate.domain;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Whole numbers by meter, sorted by meter.
 *
 * @param byMeter from meter to an amount of 0 to {@link #MAX}
 */
public record Amounts(SortedMap<String, Long> byMeter) {

  /**
   * The greatest amount and the greatest sum of amounts: 2^53 - 1, which a double holds exactly.
   */
  public static final long MAX = (1L << 53) - 1;

  /** No meter at all. */
  public static final Amounts NONE = new Amounts(new TreeMap<>());

  public Amounts {
    for (Map.Entry<String, Long> entry : byMeter.entrySet()) {
      if (entry.getValue() < 0 || entry.getValue() > MAX) {
        throw new IllegalArgumentException(
            entry.getKey() + " is out of range: " + entry.getValue());
      }
    }
    byMeter = Collections.unmodifiableSortedMap(new TreeMap<>(byMeter));
  }

  public static Amounts of(Map<String, Long> byMeter) {
    return new Amounts(new TreeMap<>(byMeter));
  }

  public static Amounts of(String meter, long amount) {
    return of(Map.of(meter, amount));
  }
}
