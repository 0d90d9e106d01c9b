package dev.tidegate.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Alerts and dashboard ask for metrics and labels that docs/operations.md lists. */
class MonitoringTest {

  private static final Path GUIDE = Path.of("docs", "operations.md");
  private static final Path RULES = Manifests.HOME.resolve("monitoring/rules.yaml");
  private static final Path DASHBOARD =
      Manifests.HOME.resolve("monitoring/tidegate-dashboard.json");

  private static final Pattern METRIC = Pattern.compile("\\b(?:tidegate|http)_[a-z0-9_]+");
  private static final Pattern SELECTOR =
      Pattern.compile("\\b((?:tidegate|http)_[a-z0-9_]+|up)\\{([^}]*)}");
  private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(?:=~|!~|!=|=)\"([^\"]*)\"");
  private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");
  private static final Pattern CODE = Pattern.compile("`([a-z_]+)`");
  private static final Pattern SUFFIX = Pattern.compile("_(?:bucket|count|sum)$");

  /**
   * What Prometheus adds to every series, of services as of pods, and a histogram to its buckets.
   */
  private static final Set<String> OF_PROMETHEUS = Set.of("namespace", "pod", "job", "le");

  private static final Set<String> OF_THE_PLATFORM = Set.of("http_server_requests_seconds");

  /** The labels of each metric that the guide lists. */
  private static Map<String, Set<String>> listed() throws IOException {
    Map<String, Set<String>> listed = new TreeMap<>();
    for (String line : Files.readAllLines(GUIDE)) {
      if (line.startsWith("| `tidegate_")) {
        String[] cells = line.split("\\s*\\|\\s*", -1);
        Set<String> labels =
            CODE.matcher(cells[4]).results().map(each -> each.group(1)).collect(Collectors.toSet());
        listed.put(cells[1].replace("`", ""), labels);
      }
    }
    OF_THE_PLATFORM.forEach(name -> listed.put(name, Set.of("status", "method", "uri")));
    return listed;
  }

  private static List<JsonNode> alerts() {
    return Manifests.of(RULES).stream()
        .flatMap(rules -> Manifests.nodes(rules.at("/spec/groups")))
        .flatMap(group -> Manifests.nodes(group.path("rules")))
        .toList();
  }

  private static JsonNode dashboard() throws IOException {
    return new ObjectMapper().readTree(DASHBOARD.toFile());
  }

  /** Everything that Prometheus is asked. */
  private static List<String> questions() throws IOException {
    return Stream.concat(
            alerts().stream().map(alert -> alert.path("expr").asText()),
            Stream.concat(
                dashboard().findValuesAsText("expr").stream(),
                dashboard().at("/templating").findValuesAsText("query").stream()))
        .toList();
  }

  /** A metric as the guide names it: a histogram by what its series have in common. */
  private static String family(String series, Set<String> listed) {
    return listed.contains(series) ? series : SUFFIX.matcher(series).replaceFirst("");
  }

  @Test
  void everyMetricThatIsAskedForIsListed() throws IOException {
    Set<String> listed = listed().keySet();
    Set<String> asked = new TreeSet<>();
    for (String question : questions()) {
      METRIC.matcher(question).results().forEach(it -> asked.add(family(it.group(), listed)));
    }
    assertTrue(asked.size() > 15, asked::toString);
    asked.removeAll(listed);
    assertEquals(Set.of(), asked);
  }

  @Test
  void everyLabelThatIsAskedForIsOneOfItsMetric() throws IOException {
    Map<String, Set<String>> listed = listed();
    Set<String> unknown = new TreeSet<>();
    for (String question : questions()) {
      Set<String> possible = new HashSet<>(OF_PROMETHEUS);
      METRIC
          .matcher(question)
          .results()
          .map(it -> listed.getOrDefault(family(it.group(), listed.keySet()), Set.of()))
          .forEach(possible::addAll);
      Stream.concat(
              GROUPING
                  .matcher(question)
                  .results()
                  .flatMap(it -> Arrays.stream(it.group(1).split(", *", -1))),
              matchers(question).map(it -> it.group(1)))
          .filter(label -> !possible.contains(label))
          .forEach(label -> unknown.add(label + " in " + question));
    }
    assertEquals(Set.of(), unknown);
  }

  private static Stream<MatchResult> matchers(String question) {
    return SELECTOR
        .matcher(question)
        .results()
        .flatMap(it -> MATCHER.matcher(it.group(2)).results());
  }

  @Test
  void everyValueThatIsAskedForIsOneThatComes() throws IOException {
    String known =
        Files.readString(GUIDE)
            + Files.readString(Path.of("src/main/resources/META-INF/openapi.yaml"))
            + Files.readString(Path.of("docs/redis.md"));
    Set<String> unknown = new TreeSet<>();
    for (String question : questions()) {
      matchers(question)
          .filter(it -> !OF_PROMETHEUS.contains(it.group(1)))
          .flatMap(it -> Arrays.stream(it.group(2).split("\\|", -1)))
          .filter(value -> !known.contains(value))
          .forEach(unknown::add);
    }
    assertEquals(Set.of(), unknown);
  }

  /** Only those of a ServiceMonitor have labels {@code service} and {@code endpoint}. */
  @Test
  void theJobThatIsAskedForIsTheOneThatBothMonitorsGive() throws IOException {
    String label = "app.kubernetes.io/name";
    List<Manifests.Manifest> monitors =
        Manifests.all().stream().filter(each -> each.kind().endsWith("Monitor")).toList();
    assertEquals(2, monitors.size(), monitors::toString);
    for (Manifests.Manifest monitor : monitors) {
      assertEquals(label, monitor.at("/spec/jobLabel").asText(), monitor::toString);
    }
    Set<String> given =
        Stream.concat(
                Manifests.services().stream()
                    .map(each -> each.at("/spec/template/metadata/labels").path(label)),
                Manifests.of(Manifests.HOME.resolve("base/service.yaml")).stream()
                    .map(each -> each.at("/metadata/labels").path(label)))
            .map(JsonNode::asText)
            .collect(Collectors.toSet());
    Set<String> asked = new TreeSet<>();
    for (String question : questions()) {
      matchers(question)
          .filter(it -> it.group(1).equals("job"))
          .forEach(it -> asked.add(it.group(2)));
    }
    assertEquals(Set.of("tidegate"), asked);
    assertEquals(given, asked);
  }

  @Test
  void everyAlertSaysWhatToDo() {
    assertTrue(alerts().size() >= 10);
    for (JsonNode alert : alerts()) {
      assertTrue(alert.path("alert").asText().startsWith("Tidegate"), alert::toString);
      assertTrue(
          Set.of("critical", "warning", "info").contains(alert.at("/labels/severity").asText()));
      for (String said : List.of("summary", "description", "action")) {
        assertFalse(alert.at("/annotations/" + said).asText().isBlank(), alert::toString);
      }
    }
  }

  @Test
  void noAlertAndNoPanelIsTwice() throws IOException {
    List<String> names = alerts().stream().map(alert -> alert.path("alert").asText()).toList();
    List<String> ids = dashboard().path("panels").findValuesAsText("id");
    assertEquals(new HashSet<>(names).size(), names.size());
    assertEquals(new HashSet<>(ids).size(), ids.size());
  }

  @Test
  void documentsThatAreNamedAreThere() {
    Pattern document = Pattern.compile("\\b(?:docs|monitoring)/[a-z-]+\\.(?:md|yaml)");
    Set<String> missing =
        Manifests.files().stream()
            .flatMap(file -> document.matcher(Manifests.text(file)).results())
            .map(MatchResult::group)
            .filter(name -> !Files.exists(Path.of(name)))
            .filter(name -> !Files.exists(Manifests.HOME.resolve(name)))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), missing);
  }
}
