package dev.tidegate.domain;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one call used, by category.
 *
 * @param unitsByCategory from category to whole units of 0 to {@link Amounts#MAX}
 */
public record Usage(SortedMap<String, Long> unitsByCategory) {

  /** No category at all. */
  public static final Usage NONE = new Usage(new TreeMap<>());

  public Usage {
    for (Map.Entry<String, Long> entry : unitsByCategory.entrySet()) {
      if (entry.getValue() < 0 || entry.getValue() > Amounts.MAX) {
        throw new IllegalArgumentException(
            entry.getKey() + " is out of range: " + entry.getValue());
      }
    }
    unitsByCategory = Collections.unmodifiableSortedMap(new TreeMap<>(unitsByCategory));
  }

  public static Usage of(Map<String, Long> unitsByCategory) {
    return new Usage(new TreeMap<>(unitsByCategory));
  }

  /** The size of the input: the units of {@code input} and of what ends with {@code _input}. */
  public long input() {
    return unitsByCategory.entrySet().stream()
        .filter(entry -> isInput(entry.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static boolean isInput(String category) {
    return category.equals("input") || category.endsWith("_input");
  }
}
