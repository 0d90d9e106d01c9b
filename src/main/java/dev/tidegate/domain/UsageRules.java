package dev.tidegate.domain;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How usage by category turns into billed amounts.
 *
 * @param weights by meter and category: units of the meter per unit of usage, 0 or more, with at
 *     most {@link CategoryUse#DECIMALS} decimals; in the order of the plan
 * @param tiers other weights for large inputs, ascending
 */
public record UsageRules(Map<String, Map<String, BigDecimal>> weights, List<Tier> tiers) {

  /** No category at all. */
  public static final UsageRules NONE = new UsageRules(Map.of(), List.of());

  private static final BigDecimal MAX = BigDecimal.valueOf(Amounts.MAX);

  public UsageRules {
    Map<String, Map<String, BigDecimal>> copy = new LinkedHashMap<>();
    weights.forEach(
        (meter, byCategory) ->
            copy.put(meter, Collections.unmodifiableMap(new LinkedHashMap<>(byCategory))));
    weights = Collections.unmodifiableMap(copy);
    tiers = List.copyOf(tiers);
  }

  /**
   * Other weights for inputs above a size.
   *
   * @param aboveInput the greatest {@link Usage#input} that it does not count for
   * @param weights by category, in place of its usual weight; other categories keep theirs
   */
  public record Tier(long aboveInput, Map<String, BigDecimal> weights) {

    public Tier {
      weights = Map.copyOf(weights);
    }
  }

  /** What a usage comes to. */
  public sealed interface Billing permits Bill, TooMuch {}

  /** The sum of a meter would pass {@link Amounts#MAX}. */
  public record TooMuch(String meter) implements Billing {}

  /** Every category that a usage may name, in the order of the plan. */
  public SequencedSet<String> categories() {
    SequencedSet<String> categories = new LinkedHashSet<>();
    weights.values().forEach(byCategory -> categories.addAll(byCategory.keySet()));
    return categories;
  }

  /** The categories that feed a meter, in the order of the plan. */
  public Collection<String> categoriesOf(String meter) {
    return weights.getOrDefault(meter, Map.of()).keySet();
  }

  /**
   * What a usage comes to: of each meter that a named category feeds the exact sum, rounded up
   * once. A category without a weight feeds nothing.
   */
  public Billing bill(Usage usage) {
    Map<String, BigDecimal> tier = tierOf(usage.input());
    SortedMap<String, Long> amounts = new TreeMap<>();
    SortedMap<String, SortedMap<String, CategoryUse>> breakdown = new TreeMap<>();
    for (String meter : weights.keySet()) {
      SortedMap<String, CategoryUse> uses = weighed(meter, usage, tier);
      if (uses.isEmpty()) {
        continue;
      }
      BigDecimal sum =
          uses.values().stream()
              .map(CategoryUse::weighted)
              .reduce(BigDecimal.ZERO, BigDecimal::add);
      if (sum.compareTo(MAX) > 0) {
        return new TooMuch(meter);
      }
      amounts.put(meter, sum.setScale(0, RoundingMode.CEILING).longValueExact());
      breakdown.put(meter, uses);
    }
    return new Bill(new Amounts(amounts), new Breakdown(breakdown));
  }

  private SortedMap<String, CategoryUse> weighed(
      String meter, Usage usage, Map<String, BigDecimal> tier) {
    SortedMap<String, CategoryUse> uses = new TreeMap<>();
    Map<String, BigDecimal> usual = weights.getOrDefault(meter, Map.of());
    usage
        .unitsByCategory()
        .forEach(
            (category, units) -> {
              BigDecimal weight = usual.get(category);
              if (weight != null) {
                BigDecimal counted = tier.getOrDefault(category, weight);
                uses.put(
                    category, new CategoryUse(units, counted.multiply(BigDecimal.valueOf(units))));
              }
            });
    return uses;
  }

  /** The weights of the last tier that the size of an input is above. */
  private Map<String, BigDecimal> tierOf(long input) {
    return tiers.stream()
        .filter(tier -> input > tier.aboveInput())
        .reduce((earlier, later) -> later)
        .map(Tier::weights)
        .orElse(Map.of());
  }
}
