package dev.tidegate.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Plan;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plans that come from a file.
 *
 * @param revision of the file, 1 to {@link Amounts#MAX}; only a greater one replaces what is stored
 * @param defaultPlan the plan of subjects that name none, one of {@code plans}; null for none
 * @param plans by name, in the order of the file
 */
public record PlansFile(
    long revision, @Nullable String defaultPlan, Map<String, PlanDocument> plans) {

  public PlansFile {
    plans = Collections.unmodifiableMap(new LinkedHashMap<>(plans));
  }

  /**
   * A plan and what it was read from.
   *
   * @param plan what it means
   * @param document what {@code PUT /v1/plans/{plan}} takes for the same plan
   */
  public record PlanDocument(Plan plan, JsonNode document) {}
}
