package dev.tidegate.document;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.CategoryUse;
import dev.tidegate.domain.Limit;
import dev.tidegate.domain.ResourceRules;
import dev.tidegate.domain.ResourceRules.HoldRules;
import dev.tidegate.domain.UsageRules;
import dev.tidegate.domain.UsageRules.Tier;
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
    UsageRules usage = usage(fields, knownMeters);
    Amounts estimate = defaultEstimate(fields.optional("default_estimate"), knownMeters);
    HoldRules hold = fields.object("hold", ResourceReader::hold);
    Set<String> names = new HashSet<>();
    List<Limit> limits =
        fields.list("limits", 0, MAX_LIMITS, limit -> LimitReader.limit(limit, knownMeters, names));
    return new ResourceRules(
        name,
        aliasIds == null ? Set.of() : new LinkedHashSet<>(aliasIds),
        knownMeters,
        usage,
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

  private static UsageRules usage(Fields fields, Collection<String> meters) {
    Value byMeter = fields.optional("categories");
    Map<String, Map<String, BigDecimal>> weights =
        byMeter == null
            ? null
            : byMeter.byName(
                MAX_METERS,
                (meter, value) -> {
                  refuseUndeclared(meter, value, meters);
                  return weights(value);
                });
    Map<String, Map<String, BigDecimal>> known = weights == null ? Map.of() : weights;
    Value tiers = fields.optional("tiers");
    List<Tier> read = tiers == null ? null : tiers.list(0, MAX_TIERS, tier -> tier(tier, known));
    if (tiers == null || read == null) {
      return new UsageRules(known, List.of());
    }
    if (!Ascending.strictly(read.stream().map(Tier::aboveInput).toList())) {
      tiers.fault("must ascend by above_input");
    }
    return new UsageRules(known, read);
  }

  private static @Nullable Map<String, BigDecimal> weights(Value value) {
    return value.byName(MAX_CATEGORIES, (category, weight) -> weight(weight));
  }

  private static @Nullable BigDecimal weight(Value value) {
    return value.decimal(MAX_WEIGHT, CategoryUse.DECIMALS);
  }

  private static @Nullable Tier tier(Value value, Map<String, Map<String, BigDecimal>> usual) {
    return value.object(
        fields -> {
          Value weights = fields.required("weights");
          Map<String, BigDecimal> other = weights == null ? null : tierWeights(weights, usual);
          long aboveInput = fields.requiredInteger("above_input", 1, Amounts.MAX);
          return new Tier(aboveInput, other == null ? Map.of() : other);
        });
  }

  private static @Nullable Map<String, BigDecimal> tierWeights(
      Value weights, Map<String, Map<String, BigDecimal>> usual) {
    return weights.byName(
        MAX_CATEGORIES,
        (category, weight) -> {
          long fed = usual.values().stream().filter(w -> w.containsKey(category)).count();
          if (fed == 0) {
            weight.fault("is not one of the categories of the resource");
          } else if (fed > 1) {
            weight.fault("feeds several meters, and a tier does not say on which it weighs so");
          }
          return weight(weight);
        });
  }

  /** Reports a meter that is none of {@code meters}, unless those are at fault themselves. */
  static void refuseUndeclared(String meter, Value value, Collection<String> meters) {
    if (!meters.isEmpty() && !meters.contains(meter)) {
      value.fault("is not one of the meters of the resource");
    }
  }
}
