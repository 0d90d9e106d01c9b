package dev.tidegate.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidegate.document.Documents;
import dev.tidegate.document.Reading;
import dev.tidegate.domain.Limit;
import dev.tidegate.domain.LimitOverride.AmountOverride;
import dev.tidegate.domain.PeriodQuota;
import dev.tidegate.domain.Plan;
import dev.tidegate.domain.ResourceRules;
import dev.tidegate.domain.Subject;
import dev.tidegate.store.ConfigurationStore.Deferral;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of a subject's limits that counts from the end of the periods it came in.
 *
 * @param at when it was made
 * @param before by resource and limit, what goes on until then
 */
public record DeferredChange(Instant at, Map<String, Map<String, AmountOverride>> before) {

  /** What {@link #toRecord} writes where no limit differs. */
  static final String NOTHING = "{}";

  private static final int MAX_BYTES = 1 << 20;

  public DeferredChange {
    before = Map.copyOf(before);
  }

  /** The limits of periods that differ between two configurations, as they were, as JSON. */
  static String toRecord(
      @Nullable Plan planBefore, Subject subjectBefore, @Nullable Plan planAfter, Subject after) {
    ObjectNode changed = JsonNodeFactory.instance.objectNode();
    if (planBefore == null || planAfter == null) {
      return changed.toString();
    }
    for (ResourceRules resource : planBefore.resources().values()) {
      ResourceRules rules = planAfter.resources().get(resource.name());
      if (rules != null) {
        ResourceRules then = Configuration.overridden(rules, after);
        ObjectNode limits = JsonNodeFactory.instance.objectNode();
        Configuration.overridden(resource, subjectBefore)
            .limits()
            .forEach(limit -> addIfChanged(limit, then.limit(limit.name()), limits));
        if (!limits.isEmpty()) {
          changed.set(resource.name(), limits);
        }
      }
    }
    return changed.toString();
  }

  private static void addIfChanged(Limit limit, @Nullable Limit then, ObjectNode into) {
    Long amount = limit.amount();
    if (limit instanceof PeriodQuota
        && then instanceof PeriodQuota
        && !Objects.equals(amount, then.amount())) {
      into.put(limit.name(), amount);
    }
  }

  /**
   * The change without what a resource has no period for any more that it came in; its map is empty
   * when nothing of it waits.
   *
   * @param starts when the current period of each limit began
   */
  DeferredChange stillWaiting(String resource, Map<String, Instant> starts) {
    Map<String, AmountOverride> limits = new HashMap<>(before.getOrDefault(resource, Map.of()));
    limits.keySet().removeIf(limit -> at.isBefore(starts.getOrDefault(limit, Instant.MIN)));
    Map<String, Map<String, AmountOverride>> waiting = new HashMap<>(before);
    waiting.remove(resource);
    if (!limits.isEmpty()) {
      waiting.put(resource, limits);
    }
    return new DeferredChange(at, waiting);
  }

  /** As it is stored. */
  Deferral toDeferral() {
    ObjectNode limits = JsonNodeFactory.instance.objectNode();
    before.forEach(
        (resource, amounts) -> {
          ObjectNode byLimit = limits.putObject(resource);
          amounts.forEach((limit, amount) -> byLimit.put(limit, amount.amount()));
        });
    return new Deferral(at, limits.toString());
  }

  /** Reads what {@link #toRecord} wrote. */
  static DeferredChange of(Deferral deferral) {
    Map<String, Map<String, AmountOverride>> before = new HashMap<>();
    if (Documents.parseJson(deferral.limitsBefore(), MAX_BYTES)
        instanceof Reading.Valid<JsonNode>(JsonNode limits)) {
      for (Map.Entry<String, JsonNode> resource : limits.properties()) {
        Map<String, AmountOverride> amounts = new HashMap<>();
        for (Map.Entry<String, JsonNode> limit : resource.getValue().properties()) {
          JsonNode amount = limit.getValue();
          amounts.put(
              limit.getKey(), new AmountOverride(amount.isNull() ? null : amount.longValue()));
        }
        before.put(resource.getKey(), amounts);
      }
    }
    return new DeferredChange(deferral.changedAt(), before);
  }
}
