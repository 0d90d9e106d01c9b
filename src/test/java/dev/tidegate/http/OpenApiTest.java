package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The document against the code, without running it. */
class OpenApiTest {

  private static final JsonNode DOCUMENT = Contract.PUBLISHED.document();

  @Test
  void describesExactlyTheEndpointsOfTheCode() throws IOException, URISyntaxException {
    assertEquals(endpoints().keySet(), operations().keySet());
  }

  @Test
  void namesTheRolesThatTheCodeAllows() throws IOException, URISyntaxException {
    Map<String, JsonNode> operations = operations();
    endpoints()
        .forEach(
            (endpoint, roles) -> {
              JsonNode operation = Objects.requireNonNull(operations.get(endpoint));
              String text = operation.path("description").asText();
              String told = text.substring(Math.max(0, text.lastIndexOf("Role")));
              for (String role : List.of("meter", "viewer", "operator", "admin")) {
                assertEquals(roles.contains(role), told.contains("`" + role + "`"), endpoint);
              }
            });
  }

  @Test
  void everyOperationHasAnIdASummaryATagAndFailures() {
    Set<String> ids = new HashSet<>();
    operations()
        .forEach(
            (endpoint, operation) -> {
              assertTrue(ids.add(operation.path("operationId").asText()), endpoint);
              assertFalse(operation.path("summary").asText().isEmpty(), endpoint);
              assertEquals(1, operation.path("tags").size(), endpoint);
              boolean open = operation.has("security");
              for (String status : open ? List.of("500") : List.of("401", "403", "500")) {
                assertTrue(operation.path("responses").has(status), endpoint + " " + status);
              }
            });
  }

  @Test
  void knowsEveryCodeOfAProblem() {
    Set<String> codes = new TreeSet<>();
    Arrays.stream(ProblemCode.values()).map(ProblemCode::word).forEach(codes::add);
    JsonNode listed = DOCUMENT.at("/components/schemas/ProblemCode/enum");
    assertEquals(codes, new TreeSet<>(texts(listed)));
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    for (JsonNode reference : DOCUMENT.findValues("$ref")) {
      String pointer = reference.asText().substring(1);
      assertFalse(DOCUMENT.at(pointer).isMissingNode(), pointer);
    }
  }

  @Test
  void plansAndSubjectsAreAsTheirPublishedSchemasSay() throws IOException {
    Map<String, JsonNode> files = new HashMap<>();
    for (String name : List.of("plan.schema.json", "subject.schema.json")) {
      files.put(name, schemaFile(name));
    }
    assertAlike(files, "plan.schema.json", "#/$defs/plan", "#/components/schemas/Plan");
    assertAlike(files, "subject.schema.json", "#", "#/components/schemas/Subject");
  }

  private static JsonNode schemaFile(String name) throws IOException {
    try (InputStream stream = OpenApiTest.class.getResourceAsStream("/schemas/" + name)) {
      return new ObjectMapper().readTree(Objects.requireNonNull(stream));
    }
  }

  private static void assertAlike(
      Map<String, JsonNode> files, String file, String pointer, String ours) {
    new Comparison(files, new HashSet<>())
        .compare(file, at(files, file, pointer), DOCUMENT.at(ours.substring(1)), pointer);
  }

  private static JsonNode at(Map<String, JsonNode> files, String file, String pointer) {
    return Objects.requireNonNull(files.get(file)).at(pointer.substring(1));
  }

  /** Walks a schema of a file and one of the document side by side, through references. */
  private record Comparison(Map<String, JsonNode> files, Set<String> seen) {

    /** What a whole file says of itself. */
    private static final Set<String> OF_THE_FILE = Set.of("$schema", "title", "$defs");

    void compare(String file, JsonNode theirs, JsonNode ours, String at) {
      if (!theirs.isContainerNode()) {
        assertEquals(theirs, ours, at);
        return;
      }
      assertEquals(keys(theirs), keys(ours), at);
      for (int n = 0; n < theirs.size() && theirs.isArray(); n++) {
        compare(file, theirs.path(n), ours.path(n), at + "/" + n);
      }
      for (Map.Entry<String, JsonNode> entry : theirs.properties()) {
        String key = entry.getKey();
        if (key.equals("$ref")) {
          follow(file, entry.getValue().asText(), ours.path(key).asText());
        } else if (!OF_THE_FILE.contains(key) && !isRootDescription(at, key)) {
          compare(file, entry.getValue(), ours.path(key), at + "/" + key);
        }
      }
    }

    private void follow(String file, String theirs, String ours) {
      String there = theirs.startsWith("#") ? file : theirs.substring(0, theirs.indexOf('#'));
      String pointer = theirs.substring(theirs.indexOf('#'));
      if (seen.add(there + pointer + ours)) {
        compare(there, at(files, there, pointer), DOCUMENT.at(ours.substring(1)), theirs);
      }
    }

    /** The plan's stands at the root of its file. */
    private static boolean isRootDescription(String at, String key) {
      return at.equals("#/$defs/plan") && key.equals("description");
    }

    private static Set<String> keys(JsonNode node) {
      Set<String> keys = new TreeSet<>();
      node.fieldNames().forEachRemaining(keys::add);
      keys.removeAll(OF_THE_FILE);
      if (node.path("required").toString().equals("[\"resources\"]")) {
        keys.remove("description");
      }
      return node.isArray() ? Set.of("" + node.size()) : keys;
    }
  }

  private static Map<String, JsonNode> operations() {
    Map<String, JsonNode> operations = new TreeMap<>();
    for (Map.Entry<String, JsonNode> path : DOCUMENT.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        if (!operation.getKey().equals("parameters")) {
          String method = operation.getKey().toUpperCase(Locale.ROOT);
          operations.put(method + " " + path.getKey(), operation.getValue());
        }
      }
    }
    return operations;
  }

  /** The roles that may call each endpoint, without admin, which has them all. */
  private static Map<String, Set<String>> endpoints() throws IOException, URISyntaxException {
    Map<String, Set<String>> endpoints = new TreeMap<>();
    for (Class<?> resource : resources()) {
      for (Method method : resource.getDeclaredMethods()) {
        String verb = verb(method);
        if (verb != null) {
          Path below = method.getAnnotation(Path.class);
          String root = Objects.requireNonNull(resource.getAnnotation(Path.class)).value();
          String path = below == null ? root : root + "/" + below.value();
          endpoints.put(verb + " " + path, roles(resource, method));
        }
      }
    }
    return endpoints;
  }

  private static @Nullable String verb(Method method) {
    return Arrays.stream(method.getAnnotations())
        .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
        .filter(Objects::nonNull)
        .map(HttpMethod::value)
        .findFirst()
        .orElse(null);
  }

  private static Set<String> roles(Class<?> resource, Method method) {
    RolesAllowed own = method.getAnnotation(RolesAllowed.class);
    RolesAllowed all = own == null ? resource.getAnnotation(RolesAllowed.class) : own;
    if (all == null && resource.isAnnotationPresent(PermitAll.class)) {
      return Set.of();
    }
    return Set.of(Objects.requireNonNull(all).value());
  }

  private static List<Class<?>> resources() throws IOException, URISyntaxException {
    var classes =
        java.nio.file.Path.of(
            ProblemCode.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Class<?>> resources = new ArrayList<>();
    try (Stream<java.nio.file.Path> files = Files.list(classes.resolve("dev/tidegate/http"))) {
      for (String file : files.map(found -> found.getFileName().toString()).toList()) {
        if (file.endsWith(".class")) {
          Class<?> loaded = load("dev.tidegate.http." + file.replace(".class", ""));
          if (loaded.isAnnotationPresent(Path.class)) {
            resources.add(loaded);
          }
        }
      }
    }
    return resources;
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, OpenApiTest.class.getClassLoader());
    } catch (ClassNotFoundException absent) {
      throw new IllegalStateException(absent);
    }
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }
}
