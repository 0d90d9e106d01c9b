package dev.tidegate.domain;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What usage by category comes to on the meters that it feeds.
 *
 * @param byMeter from meter to category to use
 */
public record Breakdown(SortedMap<String, SortedMap<String, CategoryUse>> byMeter) {

  /** No usage by category. */
  public static final Breakdown NONE = new Breakdown(new TreeMap<>());

  public Breakdown {
    TreeMap<String, SortedMap<String, CategoryUse>> copy = new TreeMap<>();
    byMeter.forEach(
        (meter, uses) -> copy.put(meter, Collections.unmodifiableSortedMap(new TreeMap<>(uses))));
    byMeter = Collections.unmodifiableSortedMap(copy);
  }

  /** The uses that feed a meter; none when nothing does. */
  public Map<String, CategoryUse> of(String meter) {
    return byMeter.getOrDefault(meter, Collections.emptySortedMap());
  }
}
