package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The published contract, and whether an exchange keeps it. */
public final class Contract {

  /** The contract that the service is built with. */
  public static final Contract PUBLISHED = new Contract(read("/META-INF/openapi.yaml"));

  private static final String BASE = "https://tidegate.test/openapi.json";
  private static final String PROBLEM = "application/problem+json";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode document;
  private final Map<JsonNode, Schema> schemas = new HashMap<>();

  private Contract(JsonNode document) {
    this.document = document;
  }

  private static JsonNode read(String resource) {
    try (InputStream stream = Contract.class.getResourceAsStream(resource)) {
      return new ObjectMapper(new YAMLFactory()).readTree(Objects.requireNonNull(stream));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** The document as a tree. */
  public JsonNode document() {
    return document;
  }

  /**
   * One exchange.
   *
   * @param path raw, without the query
   * @param request the body that was sent, empty when there was none
   * @param header the value of a header of the answer, null when it is not there
   */
  public record Exchange(
      String method,
      String path,
      String request,
      int status,
      Function<String, @Nullable String> header,
      String body) {

    @Override
    public String toString() {
      return "%s %s %s -> %d %s".formatted(method, path, request, status, body);
    }
  }

  /** Fails unless the answer is one that the contract has for the operation. */
  public void check(Exchange exchange) {
    String id = exchange.header().apply("X-Request-Id");
    if (id == null) {
      fail("the answer has no X-Request-Id: " + exchange);
    }
    JsonNode operation = operation(exchange);
    if (operation == null) {
      checkOutside(exchange);
      return;
    }
    JsonNode answer = resolved(operation.path("responses").path("" + exchange.status()));
    if (answer.isMissingNode()) {
      fail("the operation has no such status: " + exchange);
    }
    checkHeaders(exchange, answer);
    JsonNode content = answer.path("content");
    if (content.isMissingNode()) {
      if (!exchange.body().isEmpty()) {
        fail("there must be no body: " + exchange);
      }
      return;
    }
    checkBody(exchange, content.path(mediaType(exchange)).path("schema"));
    if (exchange.status() < 300 && !exchange.request().isEmpty()) {
      JsonNode body = resolved(operation.path("requestBody"));
      JsonNode schema = body.path("content").path("application/json").path("schema");
      failOn(
          errors(schema, parse(exchange.request())), "accepted, but not by the contract", exchange);
    }
  }

  /** What has no operation is not there, or not with that method. */
  private void checkOutside(Exchange exchange) {
    boolean refused = List.of(400, 401, 404, 405).contains(exchange.status());
    if (!refused || !mediaType(exchange).equals(PROBLEM)) {
      fail("there is no such operation: " + exchange);
    }
    checkBody(exchange, document.path("components").path("schemas").path("Problem"));
  }

  private void checkHeaders(Exchange exchange, JsonNode answer) {
    for (Map.Entry<String, JsonNode> entry : answer.path("headers").properties()) {
      JsonNode header = resolved(entry.getValue());
      String value = exchange.header().apply(entry.getKey());
      if (value == null && header.path("required").asBoolean()) {
        fail("the header " + entry.getKey() + " is missing: " + exchange);
      }
      if (value != null) {
        JsonNode text = JSON.getNodeFactory().textNode(value);
        failOn(errors(header.path("schema"), text), "header " + entry.getKey(), exchange);
      }
    }
  }

  private void checkBody(Exchange exchange, JsonNode schema) {
    if (schema.isMissingNode()) {
      fail("the contract has no body of type '" + mediaType(exchange) + "': " + exchange);
    }
    JsonNode body = parse(exchange.body());
    failOn(errors(schema, body), "the body is not as the contract has it", exchange);
    if (mediaType(exchange).equals(PROBLEM)) {
      boolean told =
          body.path("status").asInt() == exchange.status()
              && body.path("instance").asText().equals(exchange.path())
              && body.path("request_id").asText().equals(exchange.header().apply("X-Request-Id"))
              && body.path("type")
                  .asText()
                  .equals("urn:tidegate:problem:" + body.path("code").asText());
      if (!told) {
        fail("status, instance, request_id or type of the problem are others: " + exchange);
      }
    }
  }

  private static String mediaType(Exchange exchange) {
    String type = exchange.header().apply("Content-Type");
    return type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  private static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException broken) {
      throw new UncheckedIOException("not JSON: " + json, broken);
    }
  }

  private static void failOn(List<String> errors, String what, Exchange exchange) {
    if (!errors.isEmpty()) {
      fail(what + ": " + errors + ": " + exchange);
    }
  }

  /** What a schema of the document has against a value. */
  public List<String> errors(JsonNode schema, JsonNode value) {
    return compiled(schema).validate(value).stream().map(Error::toString).toList();
  }

  private synchronized Schema compiled(JsonNode schema) {
    return schemas.computeIfAbsent(
        schema,
        added -> {
          ObjectNode whole = JSON.createObjectNode();
          whole.set("components", document.path("components"));
          whole.set("added", added);
          return SchemaRegistry.withDefaultDialect(
                  SpecificationVersion.DRAFT_2020_12,
                  builder -> builder.schemas(Map.of(BASE, whole.toString())))
              .getSchema(SchemaLocation.of(BASE + "#/added"));
        });
  }

  private JsonNode resolved(JsonNode node) {
    JsonNode reference = node.path("$ref");
    return reference.isTextual() ? document.at(reference.textValue().substring(1)) : node;
  }

  private @Nullable JsonNode operation(Exchange exchange) {
    String[] segments = exchange.path().split("/", -1);
    List<JsonNode> found = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      JsonNode operation = path.getValue().get(exchange.method().toLowerCase(Locale.ROOT));
      if (operation != null && matches(path.getKey().split("/", -1), segments)) {
        found.add(operation);
      }
    }
    return found.isEmpty() ? null : found.getFirst();
  }

  private static boolean matches(String[] template, String[] segments) {
    if (template.length != segments.length) {
      return false;
    }
    for (int n = 0; n < template.length; n++) {
      boolean fits =
          template[n].startsWith("{")
              ? !segments[n].isEmpty()
              : template[n].equals(segments[n].split(";", 2)[0]);
      if (!fits) {
        return false;
      }
    }
    return true;
  }
}
