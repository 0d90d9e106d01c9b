package dev.tidegate.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.k8s.Manifests.Manifest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every manifest is read strictly, and every file below {@code k8s} is used. */
class ManifestsTest {

  private static final List<String> GENERATORS = List.of("configMapGenerator", "secretGenerator");

  @Test
  void everyManifestIsOneThatKubernetesKnows() {
    Set<String> kinds = Manifests.all().stream().map(Manifest::kind).collect(Collectors.toSet());
    assertTrue(
        kinds.containsAll(
            Set.of(
                "Deployment",
                "Service",
                "HorizontalPodAutoscaler",
                "PodDisruptionBudget",
                "NetworkPolicy",
                "ServiceAccount",
                "StatefulSet")),
        kinds::toString);
    assertEquals(2, Manifests.of(Manifests.EXAMPLE_SECRETS).size());
  }

  @Test
  void everyFileBelongsToAKustomization() {
    Set<Path> used = new TreeSet<>(Set.of(Manifests.EXAMPLE_SECRETS));
    Manifests.kustomizations()
        .forEach(
            (folder, body) -> {
              used.add(folder.resolve("kustomization.yaml"));
              named(body).forEach(name -> used.add(folder.resolve(name).normalize()));
            });
    Set<Path> there = new TreeSet<>(Manifests.files());
    used.removeIf(Files::isDirectory);
    assertEquals(used, there);
  }

  /**
   * What a kustomization names: manifests, other kustomizations, and files that it generates of.
   */
  private static Stream<String> named(JsonNode kustomization) {
    return Stream.concat(
        Manifests.texts(kustomization.path("resources")).stream(),
        GENERATORS.stream()
            .flatMap(generator -> Manifests.nodes(kustomization.path(generator)))
            .flatMap(each -> Manifests.texts(each.path("files")).stream())
            .map(file -> file.substring(file.indexOf('=') + 1)));
  }

  @Test
  void whatTheGuidesShowIsRead() {
    Pattern shown = Pattern.compile("(?ms)^```yaml\n(.*?apiVersion:.*?)^```");
    List<JsonNode> read =
        Manifests.guides()
            .flatMap(guide -> shown.matcher(Manifests.text(guide)).results())
            .flatMap(example -> ManifestReader.read(example.group(1)).stream())
            .toList();
    assertTrue(read.size() >= 4, read::toString);
  }

  @Test
  void everyObjectSaysWhatItBelongsTo() {
    for (Manifest each : Manifests.all()) {
      if (!each.kind().equals("Namespace")) {
        JsonNode labels = each.at("/metadata/labels");
        assertTrue(labels.has("app.kubernetes.io/name"), each::toString);
        assertEquals("tidegate", labels.path("app.kubernetes.io/part-of").asText(), each::toString);
      }
    }
  }
}
