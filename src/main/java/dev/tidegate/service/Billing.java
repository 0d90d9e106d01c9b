package dev.tidegate.service;

import dev.tidegate.document.Fault;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.Usage;
import dev.tidegate.domain.UsageRules;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Bills what a call names: amounts, usage by category, or both. */
final class Billing {

  private Billing() {}

  /**
   * The bill of a call.
   *
   * @param on what applies; null = nothing does any more, so that there are no weights
   * @param faults takes why there is none
   */
  static Bill of(@Nullable Resolved on, Spent.Named named, List<Fault> faults) {
    if (named.usage().unitsByCategory().isEmpty()) {
      return Bill.of(named.amounts());
    }
    if (on == null) {
      faults.add(
          new Fault("$.usage", "cannot be weighed: no plan applies any more; name `amounts`"));
      return Bill.of(named.amounts());
    }
    UsageRules rules = on.usageRules();
    refuseUnknown(on.resource(), rules, named.usage(), faults);
    return switch (rules.bill(named.usage())) {
      case Bill billed -> merged(named.amounts(), billed, faults);
      case UsageRules.TooMuch(String meter) -> {
        faults.add(
            new Fault("$.usage", "comes to more than %d of %s".formatted(Amounts.MAX, meter)));
        yield Bill.of(named.amounts());
      }
    };
  }

  private static void refuseUnknown(
      String resource, UsageRules rules, Usage usage, List<Fault> faults) {
    SequencedSet<String> known = rules.categories();
    usage.unitsByCategory().keySet().stream()
        .filter(category -> !known.contains(category))
        .map(
            category ->
                new Fault(
                    "$.usage." + category,
                    "is not a category of '%s'; its categories are %s".formatted(resource, known)))
        .forEach(faults::add);
  }

  private static Bill merged(Amounts named, Bill billed, List<Fault> faults) {
    TreeMap<String, Long> all = new TreeMap<>(billed.amounts().byMeter());
    named
        .byMeter()
        .forEach(
            (meter, amount) -> {
              if (all.putIfAbsent(meter, amount) != null) {
                faults.add(
                    new Fault("$.amounts." + meter, "must not be named: `usage` feeds the meter"));
              }
            });
    return new Bill(new Amounts(all), billed.breakdown());
  }
}
