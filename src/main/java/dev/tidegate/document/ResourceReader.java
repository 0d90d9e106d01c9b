package dev.tidegate.document;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Limit;
import dev.tidegate.domain.ResourceRules;
import dev.tidegate.domain.ResourceRules.HoldRules;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what a plan says of one resource. */
final class ResourceReader {

  static final int MAX_ALIASES = 32;
  static final int MAX_METERS = 16;
  static final int MAX_LIMITS = 32;

  /** The most categories that a usage breakdown may name, per meter. */
  static final int MAX_CATEGORIES = 64;

  static final int MAX_TIERS = 16;

  /** The greatest weight of a category: units of the meter per unit of usage. */
  static final int MAX_WEIGHT = 1_000_000;

  static final int MAX_WEIGHT_DECIMALS = 6;

  private static final int MAX_TTL_SECONDS = 86_400;
  private static final int MAX_HOLDS = 1_000_000;

  private ResourceReader() {}

  static @Nullable ResourceRules read(String name, Value value) {
    return value.object(fields -> rules(name, fields));
  }

  private static ResourceRules rules(String name, Fields fields) {
    Value aliases = fields.optional("aliases");
    List<String> aliasIds = aliases == null ? null : aliases.distinct(0, MAX_ALIASES, Value::id);
    Value declared = fields.required("meters");
    List<String> meters = declared == null ? null : declared.names(1, MAX_METERS);
    List<String> knownMeters = meters == null ? List.of() : meters;
    checkWeights(fields, knownMeters);
    Amounts estimate = defaultEstimate(fields.optional("default_estimate"), knownMeters);
    HoldRules hold = fields.object("hold", ResourceReader::hold);
    Set<String> names = new HashSet<>();
    List<Limit> limits =
        fields.list("limits", 0, MAX_LIMITS, limit -> LimitReader.limit(limit, knownMeters, names));
    return new ResourceRules(
        name,
        aliasIds == null ? Set.of() : new LinkedHashSet<>(aliasIds),
        knownMeters,
        estimate,
        hold == null ? HoldRules.DEFAULT : hold,
        limits == null ? List.of() : limits);
  }

  private static HoldRules hold(Fields fields) {
    HoldRules defaults = HoldRules.DEFAULT;
    int maxTtlSeconds =
        fields.number("max_ttl_seconds", 1, MAX_TTL_SECONDS, defaults.maxTtlSeconds());
    int ttlSeconds =
        fields.number(
            "ttl_seconds", 1, maxTtlSeconds, Math.min(defaults.ttlSeconds(), maxTtlSeconds));
    int maxHolds = fields.number("max_holds", 1, MAX_HOLDS, defaults.maxHolds());
    return new HoldRules(ttlSeconds, maxTtlSeconds, maxHolds);
  }

  private static Amounts defaultEstimate(@Nullable Value value, Collection<String> meters) {
    if (value == null) {
      return Amounts.NONE;
    }
    Map<String, Long> amounts =
        value.byName(
            MAX_METERS,
            (meter, amount) -> {
              refuseUndeclared(meter, amount, meters);
              return amount.integer(0, Amounts.MAX);
            });
    return amounts == null ? Amounts.NONE : Amounts.of(amounts);
  }

  /** Weights are checked, so that no plan has to be corrected when they come to count. */
  private static void checkWeights(Fields fields, Collection<String> meters) {
    Set<String> categories = new HashSet<>();
    Value byMeter = fields.optional("categories");
    if (byMeter != null) {
      byMeter.byName(
          MAX_METERS,
          (meter, weights) -> {
            refuseUndeclared(meter, weights, meters);
            Map<String, BigDecimal> read = weights(weights);
            categories.addAll(read == null ? Set.of() : read.keySet());
            return read;
          });
    }
    Value tiers = fields.optional("tiers");
    List<Long> aboveInputs =
        tiers == null ? null : tiers.list(0, MAX_TIERS, tier -> tier(tier, categories));
    if (tiers != null && aboveInputs != null && !Ascending.strictly(aboveInputs)) {
      tiers.fault("must ascend by above_input");
    }
  }

  private static @Nullable Map<String, BigDecimal> weights(Value value) {
    return value.byName(
        MAX_CATEGORIES, (category, weight) -> weight.decimal(MAX_WEIGHT, MAX_WEIGHT_DECIMALS));
  }

  /** The size of input above which other weights count, in units. */
  private static @Nullable Long tier(Value value, Set<String> categories) {
    return value.object(
        fields -> {
          Value weights = fields.required("weights");
          if (weights != null) {
            refuseUnknownCategories(weights, categories);
          }
          return fields.requiredInteger("above_input", 1, Amounts.MAX);
        });
  }

  private static void refuseUnknownCategories(Value weights, Set<String> categories) {
    weights.byName(
        MAX_CATEGORIES,
        (category, weight) -> {
          if (!categories.contains(category)) {
            weight.fault("is not one of the categories of the resource");
          }
          return weight.decimal(MAX_WEIGHT, MAX_WEIGHT_DECIMALS);
        });
  }

  /** Reports a meter that is none of {@code meters}, unless those are at fault themselves. */
  static void refuseUndeclared(String meter, Value value, Collection<String> meters) {
    if (!meters.isEmpty() && !meters.contains(meter)) {
      value.fault("is not one of the meters of the resource");
    }
  }
}
