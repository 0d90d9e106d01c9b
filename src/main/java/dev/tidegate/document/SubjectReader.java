package dev.tidegate.document;

import dev.tidegate.domain.LimitOverride;
import dev.tidegate.domain.Subject;
import dev.tidegate.domain.SubjectId;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what is configured of a subject. */
final class SubjectReader {

  /** When a change of limits counts. */
  private static final Map<String, Boolean> FROM_NEXT_PERIOD =
      Words.inOrder("now", false, "next_period", true);

  private SubjectReader() {}

  static Subject subject(Fields fields) {
    String plan = fields.id("plan");
    ZoneId zone = fields.zone("zone");
    SubjectId parent = fields.subjectId("parent");
    Value overrides = fields.optional("overrides");
    Map<String, Map<String, LimitOverride>> byResource =
        overrides == null
            ? null
            : overrides.byId(PlanReader.MAX_RESOURCES, (name, value) -> overridesOf(value));
    boolean disabled = fields.bool("disabled", false);
    Boolean fromNextPeriod = fields.oneOf("effective", FROM_NEXT_PERIOD);
    Value resources = fields.optional("resources");
    return new Subject(
        plan,
        zone,
        parent,
        byResource == null ? Map.of() : byResource,
        disabled,
        resources == null ? Set.of() : disabledResources(resources),
        fromNextPeriod != null && fromNextPeriod);
  }

  private static @Nullable Map<String, LimitOverride> overridesOf(Value value) {
    return value.object(
        fields -> {
          Value limits = fields.required("limits");
          return limits == null
              ? null
              : limits.byName(
                  ResourceReader.MAX_LIMITS, (name, limit) -> LimitReader.override(limit));
        });
  }

  private static Set<String> disabledResources(Value resources) {
    Set<String> disabled = new HashSet<>();
    resources.byId(
        PlanReader.MAX_RESOURCES,
        (name, value) ->
            value.object(
                fields -> {
                  if (fields.bool("disabled", false)) {
                    disabled.add(name);
                  }
                  return name;
                }));
    return disabled;
  }
}
