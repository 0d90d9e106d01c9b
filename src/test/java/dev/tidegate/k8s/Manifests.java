package dev.tidegate.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The manifests of {@code k8s/}, read strictly. */
final class Manifests {

  static final Path HOME = Path.of("k8s");

  static final Path EXAMPLE_SECRETS = HOME.resolve("secrets.example.yaml");

  private static final String KUSTOMIZATION = "kustomization.yaml";

  private Manifests() {}

  /**
   * One object.
   *
   * @param file that it stands in
   */
  record Manifest(Path file, JsonNode body) {

    String kind() {
      return body.path("kind").asText();
    }

    String name() {
      return body.at("/metadata/name").asText();
    }

    JsonNode at(String pointer) {
      return body.at(pointer);
    }

    @Override
    public String toString() {
      return file + " " + kind() + " " + name();
    }
  }

  /** Every kustomization by its folder. */
  static Map<Path, JsonNode> kustomizations() {
    Map<Path, JsonNode> found = new TreeMap<>();
    for (Path file : files()) {
      if (file.endsWith(KUSTOMIZATION)) {
        found.put(file.getParent(), ManifestReader.read(text(file)).getFirst());
      }
    }
    return found;
  }

  /** Every object that is written out in a file; what kustomize generates is not among them. */
  static List<Manifest> all() {
    return kustomizations().entrySet().stream()
        .flatMap(
            each ->
                texts(each.getValue().path("resources")).stream()
                    .filter(resource -> resource.endsWith(".yaml"))
                    .map(each.getKey()::resolve))
        .flatMap(file -> of(file).stream())
        .toList();
  }

  /** The objects of one file. */
  static List<Manifest> of(Path file) {
    return ManifestReader.read(text(file)).stream().map(body -> new Manifest(file, body)).toList();
  }

  /** The workloads: what has a template of pods. */
  static List<Manifest> workloads() {
    return all().stream().filter(each -> !each.at("/spec/template/spec").isMissingNode()).toList();
  }

  /** The workloads that run Tidegate itself. */
  static List<Manifest> services() {
    return workloads().stream().filter(each -> each.name().equals("tidegate")).toList();
  }

  /** The only container of a workload. */
  static JsonNode container(Manifest workload) {
    return workload.at("/spec/template/spec/containers/0");
  }

  /** The variables of a workload's container, by name. */
  static Map<String, JsonNode> variables(Manifest workload) {
    return nodes(container(workload).path("env"))
        .collect(Collectors.toMap(each -> each.path("name").asText(), each -> each));
  }

  /** The value that a workload gives a variable as text. */
  static String value(Manifest workload, String variable) {
    JsonNode given = variables(workload).get(variable);
    if (given == null || !given.path("value").isTextual()) {
      throw new IllegalArgumentException(workload + " gives no " + variable);
    }
    return given.path("value").asText();
  }

  /** The documents for those who run it; what docs/clients.md names is of clients. */
  static Stream<Path> guides() {
    try (Stream<Path> docs = Files.list(Path.of("docs"))) {
      return Stream.concat(
          Stream.of(Path.of("README.md")),
          docs
              .filter(file -> file.toString().endsWith(".md") && !file.endsWith("clients.md"))
              .sorted()
              .toList()
              .stream());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Every file below {@code k8s}. */
  static List<Path> files() {
    try (Stream<Path> walk = Files.walk(HOME)) {
      return walk.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static Stream<JsonNode> nodes(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }

  static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(item -> texts.add(item.asText()));
    return texts;
  }
}
