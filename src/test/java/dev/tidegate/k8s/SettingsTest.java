package dev.tidegate.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.document.Documents;
import dev.tidegate.document.PlanReader;
import dev.tidegate.document.PlansFile;
import dev.tidegate.document.Reading;
import dev.tidegate.k8s.Manifests.Manifest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The manifests give the service what it knows: settings, plans, Secrets. */
class SettingsTest {

  private static final Pattern VARIABLE = Pattern.compile("\\b(?:TIDEGATE|QUARKUS)_[A-Z0-9_]+\\b");
  private static final Pattern PROPERTY =
      Pattern.compile("\\b(?:tidegate|quarkus)\\.[a-z0-9-]+(?:\\.[a-z0-9-]+)*\\b(?!/)");

  private static final int MAX_BYTES = 1 << 20;

  private static Stream<String> named(Pattern pattern, Stream<Path> files) {
    return files.flatMap(
        file -> pattern.matcher(Manifests.text(file)).results().map(MatchResult::group));
  }

  @Test
  void everyVariableIsASettingOfARunningService() {
    Set<String> known = KnownSettings.byVariable().keySet();
    assertTrue(known.contains("TIDEGATE_REDIS_DEADLINE_MILLIS"));
    assertFalse(known.contains("QUARKUS_HTTP_ROOT_PATH"), "is fixed when the service is built");
    assertEquals(
        Set.of(),
        named(VARIABLE, Stream.concat(Manifests.files().stream(), Manifests.guides()))
            .filter(name -> !known.contains(name))
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void everyPropertyIsASettingOfARunningService() {
    Set<String> known = Set.copyOf(KnownSettings.byVariable().values());
    assertEquals(
        Set.of(),
        named(PROPERTY, Manifests.files().stream())
            .filter(name -> !known.contains(name))
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void nothingIsGivenThatNobodyReads() {
    Pattern ours = Pattern.compile("(?:TIDEGATE|QUARKUS)_.*");
    for (Manifest service : Manifests.services()) {
      for (String name : Manifests.variables(service).keySet()) {
        assertTrue(ours.matcher(name).matches(), service + " " + name);
      }
    }
  }

  @Test
  void thePlansAreAccepted() {
    byte[] plans =
        Manifests.text(Path.of("k8s", "config", "plans.yaml")).getBytes(StandardCharsets.UTF_8);
    Reading<PlansFile> reading = Documents.parseYaml(plans, MAX_BYTES).then(PlanReader::plansFile);
    assertTrue(reading instanceof Reading.Valid<PlansFile>, reading::toString);
  }

  @Test
  void theFilesAreWhereTheSettingsSayTheyAre() {
    for (Manifest service : Manifests.services()) {
      assertEquals("plans.yaml", mounted(service, "plans", "TIDEGATE_PLANS_FILE"));
      assertEquals("keys.yaml", mounted(service, "keys", "TIDEGATE_API_KEYS_FILE"));
    }
  }

  /** The name of a variable's file below where a volume is mounted. */
  private static String mounted(Manifest service, String volume, String variable) {
    JsonNode mount =
        Manifests.nodes(Manifests.container(service).path("volumeMounts"))
            .filter(each -> each.path("name").asText().equals(volume))
            .findFirst()
            .orElseThrow();
    // A file that is mounted by itself never changes.
    assertFalse(mount.has("subPath"));
    return Path.of(mount.path("mountPath").asText())
        .relativize(Path.of(Manifests.value(service, variable)))
        .toString();
  }

  @Test
  void everySecretAndItsKeyIsInTheExample() {
    Set<String> example = new TreeSet<>();
    for (Manifest secret : Manifests.of(Manifests.EXAMPLE_SECRETS)) {
      secret
          .at("/stringData")
          .fieldNames()
          .forEachRemaining(k -> example.add(secret.name() + " " + k));
    }
    Set<String> asked = new TreeSet<>();
    for (Manifest workload : Manifests.workloads()) {
      for (JsonNode each : workload.body().findValues("secretKeyRef")) {
        asked.add(each.path("name").asText() + " " + each.path("key").asText());
      }
      for (JsonNode each : workload.body().findValues("secretName")) {
        asked.add(each.asText() + " keys.yaml");
      }
    }
    assertEquals(example, asked);
  }
}
