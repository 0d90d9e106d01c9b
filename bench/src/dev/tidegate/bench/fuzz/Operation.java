package dev.tidegate.bench.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One operation of the contract.
 *
 * @param method in capital letters
 * @param path with names in braces
 * @param body null = it takes none
 */
record Operation(
    String id, String method, String path, List<Parameter> parameters, @Nullable Body body) {

  private static final Set<String> METHODS = Set.of("get", "post", "put", "delete");

  /**
   * What a call may be given besides its body.
   *
   * @param in {@code path}, {@code query} or {@code header}
   */
  record Parameter(String name, String in, JsonNode schema) {}

  /**
   * What a call brings.
   *
   * @param required whether there must be one
   * @param examples of the contract, which the schema accepts
   */
  record Body(boolean required, JsonNode schema, List<JsonNode> examples) {}

  /** All operations of a document, in its order. */
  static List<Operation> of(JsonNode document) {
    List<Operation> operations = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        if (METHODS.contains(method.getKey())) {
          JsonNode operation = method.getValue();
          List<Parameter> parameters = new ArrayList<>();
          addAll(parameters, path.getValue().path("parameters"), document);
          addAll(parameters, operation.path("parameters"), document);
          operations.add(
              new Operation(
                  operation.path("operationId").asText(),
                  method.getKey().toUpperCase(Locale.ROOT),
                  path.getKey(),
                  parameters,
                  body(resolved(operation.path("requestBody"), document))));
        }
      }
    }
    return operations;
  }

  private static void addAll(List<Parameter> parameters, JsonNode nodes, JsonNode document) {
    for (JsonNode node : nodes) {
      JsonNode parameter = resolved(node, document);
      parameters.add(
          new Parameter(
              parameter.path("name").asText(),
              parameter.path("in").asText(),
              resolved(parameter.path("schema"), document)));
    }
  }

  private static @Nullable Body body(JsonNode body) {
    JsonNode content = body.path("content").path("application/json");
    if (content.isMissingNode()) {
      return null;
    }
    List<JsonNode> examples = new ArrayList<>();
    if (content.has("example")) {
      examples.add(content.get("example"));
    }
    content.path("examples").forEach(example -> examples.add(example.path("value")));
    return new Body(body.path("required").asBoolean(), content.path("schema"), examples);
  }

  static JsonNode resolved(JsonNode node, JsonNode document) {
    JsonNode reference = node.path("$ref");
    return reference.isTextual() ? document.at(reference.textValue().substring(1)) : node;
  }

  List<Parameter> parametersIn(String where) {
    return parameters.stream().filter(parameter -> parameter.in().equals(where)).toList();
  }
}
