package dev.tidegate.observe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Something for each value of a label that others name, made once and then found: plans and meters
 * are configured, and whoever configures very many of them gets {@link #OTHER} for the rest.
 */
final class Bounded<T> {

  /** What stands for all values beyond the greatest number. */
  static final String OTHER = "other";

  private final int max;
  private final Function<String, T> maker;
  private final Map<String, T> byValue = new ConcurrentHashMap<>();

  /**
   * @param max how many values are told apart
   * @param maker makes what belongs to a value
   */
  Bounded(int max, Function<String, T> maker) {
    this.max = max;
    this.maker = maker;
  }

  /** What belongs to a value. */
  T of(String value) {
    T known = byValue.get(value);
    return known == null
        ? byValue.computeIfAbsent(byValue.size() < max ? value : OTHER, maker)
        : known;
  }
}
