package dev.tidegate.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.k8s.Manifests.Manifest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the workloads may do, and that the objects around them mean them. */
class WorkloadsTest {

  private static final String SPEC = "/spec/template/spec";

  /**
   * What Knative Serving takes of a pod without feature flags.
   *
   * @see <a
   *     href="https://github.com/knative/serving/blob/main/config/core/300-resources/service.yaml">
   *     its schema</a>
   */
  private static final Set<String> KNATIVE_POD =
      Set.of(
          "containerConcurrency",
          "containers",
          "enableServiceLinks",
          "idleTimeoutSeconds",
          "imagePullSecrets",
          "responseStartTimeoutSeconds",
          "serviceAccountName",
          "timeoutSeconds",
          "volumes");

  private static final Set<String> KNATIVE_VOLUMES =
      Set.of("name", "configMap", "secret", "projected", "emptyDir");

  static List<Manifest> workloads() {
    return Manifests.workloads();
  }

  @Test
  void thereAreThree() {
    assertEquals(
        Set.of("Deployment tidegate", "Service tidegate", "StatefulSet redis"),
        workloads().stream()
            .map(each -> each.kind() + " " + each.name())
            .collect(Collectors.toSet()));
  }

  /** A setting of the container, or of its pod where the container has none. */
  private static JsonNode security(Manifest workload, String setting) {
    JsonNode own = Manifests.container(workload).at("/securityContext/" + setting);
    return own.isMissingNode() ? workload.at(SPEC + "/securityContext/" + setting) : own;
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void itRunsWithFewestRights(Manifest workload) {
    assertTrue(security(workload, "runAsNonRoot").asBoolean());
    assertTrue(security(workload, "runAsUser").asInt() > 0);
    assertTrue(security(workload, "readOnlyRootFilesystem").asBoolean());
    assertFalse(security(workload, "allowPrivilegeEscalation").asBoolean(true));
    assertEquals(List.of("ALL"), Manifests.texts(security(workload, "capabilities/drop")));
    assertTrue(security(workload, "capabilities/add").isMissingNode());
    assertEquals("RuntimeDefault", security(workload, "seccompProfile/type").asText());
    assertEquals(1, workload.at(SPEC + "/containers").size());
    assertTrue(workload.at(SPEC + "/initContainers").isMissingNode());
  }

  @Test
  void theServiceRunsAsTheUserOfItsImages() {
    for (Manifest each : Manifests.services()) {
      assertEquals(1001, security(each, "runAsUser").asInt(), each::toString);
    }
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void itGetsNoTokenOfKubernetes(Manifest workload) {
    String account = workload.at(SPEC + "/serviceAccountName").asText("");
    boolean ofAccount =
        Manifests.all().stream()
            .filter(each -> each.kind().equals("ServiceAccount") && each.name().equals(account))
            .anyMatch(each -> !each.at("/automountServiceAccountToken").asBoolean(true));
    assertTrue(ofAccount || !workload.at(SPEC + "/automountServiceAccountToken").asBoolean(true));
    assertFalse(workload.at(SPEC + "/enableServiceLinks").asBoolean(true));
  }

  @Test
  void noRightsAreGiven() {
    Set<String> kinds = Manifests.all().stream().map(Manifest::kind).collect(Collectors.toSet());
    assertTrue(kinds.stream().noneMatch(kind -> kind.contains("Role")), kinds::toString);
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void itSaysWhatItNeedsAndHasAnEndToItsMemory(Manifest workload) {
    JsonNode resources = Manifests.container(workload).path("resources");
    assertTrue(resources.at("/requests/cpu").isTextual());
    assertTrue(resources.at("/requests/memory").isTextual());
    assertEquals(resources.at("/requests/memory"), resources.at("/limits/memory"));
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void itHasAProbeOfEachSort(Manifest workload) {
    JsonNode container = Manifests.container(workload);
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      assertTrue(container.path(probe).isObject(), probe);
    }
  }

  /** Knative refuses a readiness probe that has no period and says more than what it asks. */
  @ParameterizedTest
  @MethodSource("workloads")
  void aReadinessProbeWithoutAPeriodSaysNothingMore(Manifest workload) {
    JsonNode probe = Manifests.container(workload).path("readinessProbe");
    if (!probe.has("periodSeconds")) {
      assertEquals(1, probe.size(), probe::toString);
    }
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void whatItMountsIsThereAndIsMounted(Manifest workload) {
    Set<String> mounted = new TreeSet<>();
    Manifests.container(workload)
        .path("volumeMounts")
        .forEach(mount -> mounted.add(mount.path("name").asText()));
    Set<String> volumes = new TreeSet<>();
    workload.at(SPEC + "/volumes").forEach(volume -> volumes.add(volume.path("name").asText()));
    workload
        .at("/spec/volumeClaimTemplates")
        .forEach(claim -> volumes.add(claim.at("/metadata/name").asText()));
    assertEquals(volumes, mounted);
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void theConfigMapsItNamesAreGenerated(Manifest workload) {
    Set<String> generated =
        Manifests.kustomizations().values().stream()
            .flatMap(each -> Manifests.nodes(each.path("configMapGenerator")))
            .map(each -> each.path("name").asText())
            .collect(Collectors.toSet());
    for (JsonNode named : workload.body().findValues("configMap")) {
      assertTrue(generated.contains(named.path("name").asText()), named::toString);
    }
  }

  /** Where objects name pods by labels: the pointer to the labels that they ask for. */
  private static Stream<JsonNode> selectors(Manifest each) {
    return switch (each.kind()) {
      case "Service" -> Stream.of(each.at("/spec/selector"));
      case "NetworkPolicy" ->
          Stream.concat(
              Stream.of(each.at("/spec/podSelector/matchLabels")),
              Stream.of("ingress", "egress")
                  .flatMap(way -> each.at("/spec/" + way).findValues("podSelector").stream())
                  .map(selector -> selector.path("matchLabels"))
                  .filter(labels -> !labels.has("tidegate.dev/client")));
      case "PodDisruptionBudget" -> Stream.of(each.at("/spec/selector/matchLabels"));
      case "Deployment", "StatefulSet" ->
          Stream.concat(
              Stream.of(each.at("/spec/selector/matchLabels")),
              each.at(SPEC + "/topologySpreadConstraints").findValues("matchLabels").stream());
      default -> Stream.empty();
    };
  }

  @Test
  void everySelectorMeansPodsThatThereAre() {
    int seen = 0;
    for (Manifest each : Manifests.all()) {
      for (JsonNode labels : selectors(each).filter(JsonNode::isObject).toList()) {
        seen++;
        assertTrue(
            workloads().stream().anyMatch(workload -> wears(workload, labels)),
            () -> each + " means nobody: " + labels);
      }
    }
    assertTrue(seen >= 12, "only " + seen + " selectors");
  }

  private static boolean wears(Manifest workload, JsonNode labels) {
    JsonNode worn = workload.at("/spec/template/metadata/labels");
    return labels.size() > 0
        && labels.properties().stream()
            .allMatch(label -> label.getValue().equals(worn.path(label.getKey())));
  }

  @Test
  void everyPortThatIsNamedIsAContainers() {
    // Knative has a name of its own for the port of the container.
    Set<String> named = new HashSet<>(Set.of("user-port"));
    for (Manifest workload : workloads()) {
      Manifests.container(workload)
          .path("ports")
          .forEach(port -> named.add(port.path("name").asText()));
    }
    for (Manifest each : Manifests.all()) {
      Stream.concat(
              each.body().findValues("targetPort").stream(),
              each.body().findValues("port").stream().filter(JsonNode::isTextual))
          .forEach(port -> assertTrue(named.contains(port.asText()), each + " " + port));
    }
  }

  @Test
  void theAutoscalerMeansTheDeployment() {
    Manifest autoscaler = only("HorizontalPodAutoscaler");
    Manifest deployment = only("Deployment");
    assertEquals("Deployment", autoscaler.at("/spec/scaleTargetRef/kind").asText());
    assertEquals(deployment.name(), autoscaler.at("/spec/scaleTargetRef/name").asText());
    assertTrue(autoscaler.at("/spec/minReplicas").asInt() >= 2);
    assertTrue(deployment.at("/spec/replicas").isMissingNode());
  }

  @Test
  void aPodHasTheTimeToEndThatItsSettingsTake() {
    Manifest deployment = only("Deployment");
    int seconds =
        seconds(deployment, "QUARKUS_SHUTDOWN_DELAY")
            + seconds(deployment, "QUARKUS_SHUTDOWN_TIMEOUT");
    assertTrue(deployment.at(SPEC + "/terminationGracePeriodSeconds").asInt() > seconds);
  }

  private static int seconds(Manifest workload, String variable) {
    return Integer.parseInt(Manifests.value(workload, variable).replace("s", ""));
  }

  @Test
  void bothWaysToRunItGiveItTheSameButForTheDelay() {
    Set<JsonNode> deployed = new HashSet<>(Manifests.variables(only("Deployment")).values());
    Set<JsonNode> knative = new HashSet<>(Manifests.variables(knative()).values());
    deployed.removeAll(knative);
    assertEquals(
        Set.of("QUARKUS_SHUTDOWN_DELAY"),
        deployed.stream().map(each -> each.path("name").asText()).collect(Collectors.toSet()));
    for (String same : List.of("resources", "image", "volumeMounts")) {
      assertEquals(
          Manifests.container(only("Deployment")).path(same),
          Manifests.container(knative()).path(same));
    }
    assertEquals(only("Deployment").at(SPEC + "/volumes"), knative().at(SPEC + "/volumes"));
  }

  @Test
  void knativeTakesWhatItIsGiven() {
    Set<String> pod = new TreeSet<>();
    knative().at(SPEC).fieldNames().forEachRemaining(pod::add);
    pod.removeAll(KNATIVE_POD);
    Set<String> volumes = new TreeSet<>();
    knative()
        .at(SPEC + "/volumes")
        .forEach(each -> each.fieldNames().forEachRemaining(volumes::add));
    volumes.removeAll(KNATIVE_VOLUMES);
    assertEquals(List.of(Set.of(), Set.of()), List.of(pod, volumes));
  }

  private static Manifest knative() {
    return workloads().stream()
        .filter(each -> each.at("/apiVersion").asText().startsWith("serving.knative.dev"))
        .findFirst()
        .orElseThrow();
  }

  private static Manifest only(String kind) {
    List<Manifest> found =
        Manifests.all().stream().filter(each -> each.kind().equals(kind)).distinct().toList();
    return found.stream().filter(each -> each.name().equals("tidegate")).findFirst().orElseThrow();
  }
}
