package dev.tidegate.domain;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A named set of limits per resource.
 *
 * @param name its id
 * @param resources by canonical name, in the order of the plan
 */
public record Plan(String name, Map<String, ResourceRules> resources) {

  public Plan {
    resources = Collections.unmodifiableMap(new LinkedHashMap<>(resources));
  }

  /** The rules of the resource of that name or alias, or null when the plan lacks it. */
  public @Nullable ResourceRules resource(String nameOrAlias) {
    ResourceRules named = resources.get(nameOrAlias);
    if (named != null) {
      return named;
    }
    for (ResourceRules rules : resources.values()) {
      if (rules.aliases().contains(nameOrAlias)) {
        return rules;
      }
    }
    return null;
  }
}
