package dev.tidegate.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidegate.config.TidegateSettings;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings that a running service looks at, by the name of their environment variable: ours
 * from their interface, those of the platform from what its extensions say of themselves.
 */
final class KnownSettings {

  private static final String MODEL = "META-INF/quarkus-config-doc/quarkus-config-model.json";

  private KnownSettings() {}

  /** From variable to property; a name that is chosen freely stands as a star in the property. */
  static Map<String, String> byVariable() {
    Map<String, String> known = new TreeMap<>();
    ConfigMappings.getProperties(ConfigClass.configClass(TidegateSettings.class))
        .keySet()
        .forEach(property -> known.put(variable(property), property));
    try {
      for (URL model : Collections.list(KnownSettings.class.getClassLoader().getResources(MODEL))) {
        try (InputStream stream = model.openStream()) {
          collect(new ObjectMapper().readTree(stream), known);
        }
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return known;
  }

  private static String variable(String property) {
    return property.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }

  /** Those that are fixed when the service is built have no effect on a running one. */
  private static void collect(JsonNode node, Map<String, String> known) {
    if (node.path("phase").asText().equals("RUN_TIME")) {
      JsonNode path = node.path("path");
      known.put(path.path("environmentVariable").asText(), path.path("property").asText());
    }
    node.forEach(child -> collect(child, known));
  }
}
