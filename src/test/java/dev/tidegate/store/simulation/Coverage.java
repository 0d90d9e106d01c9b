package dev.tidegate.store.simulation;

import java.util.Map;
import java.util.TreeMap;

/** How often each thing came up that a simulation must have seen. */
final class Coverage {

  private final Map<String, Integer> counts = new TreeMap<>();

  synchronized void saw(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  synchronized int count(String what) {
    return counts.getOrDefault(what, 0);
  }

  @Override
  public synchronized String toString() {
    return counts.toString();
  }
}
