package dev.tidegate.bench.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the requests are about: a plan, a team and a member of it with reservations, top-ups and
 * usage, which are made before the first malformed request and must be the same after the last.
 */
final class Setting {

  private static final String KEY = "demo-admin";
  private static final String PLAN = "fuzz";
  private static final String TEAM = "fuzz-team";
  private static final String SUBJECT = "fuzz-1";
  private static final Path PLANS = Path.of("src", "demo", "plans.yaml");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, String> values =
      new HashMap<>(
          Map.of(
              "subject", SUBJECT,
              "resource", "claude",
              "limit", "weekly",
              "plan", PLAN,
              "schema", "plan.schema.json"));
  private final Map<String, String> reservations = new HashMap<>();
  private final JsonNode plan;

  private Setting(JsonNode plan) {
    this.plan = plan;
  }

  /** Makes it through the service that a connection leads to. */
  static Setting on(Wire wire) throws IOException {
    JsonNode plans = new ObjectMapper(new YAMLFactory()).readTree(PLANS.toFile()).path("plans");
    Setting setting = new Setting(plans.path("free"));
    String quota = "/v1/quota/" + SUBJECT + "/claude";
    setting.make(wire, "PUT", "/v1/plans/" + PLAN, setting.plan.toString());
    setting.make(wire, "PUT", "/v1/subjects/" + TEAM, "{\"plan\":\"" + PLAN + "\"}");
    setting.make(wire, "PUT", "/v1/subjects/" + SUBJECT, setting.subject().toString());
    for (String operation : List.of("findReservation", "settle", "release", "extend")) {
      JsonNode held =
          setting.make(
              wire,
              "POST",
              quota + "/reservations",
              "{\"amounts\":{\"tokens\":100},\"ttl_seconds\":3600}");
      setting.reservations.put(operation, held.path("id").asText());
    }
    setting.make(
        wire,
        "POST",
        quota + "/charges",
        "{\"usage\":{\"final_output\":20,\"cache_hit_input\":70}}");
    setting.make(
        wire, "POST", quota + "/topup", "{\"mode\":\"purchase\",\"amounts\":{\"weekly\":5000}}");
    return setting;
  }

  private JsonNode make(Wire wire, String method, String target, String body) throws IOException {
    Wire.Answer answer =
        wire.send(
            new Request(method, target, headers(), body.getBytes(StandardCharsets.UTF_8), null));
    if (answer == null || answer.status() / 100 != 2) {
      throw new IllegalStateException(method + " " + target + " " + body + ": " + answer);
    }
    return JSON.readTree(answer.body());
  }

  private static List<String> headers() {
    return new ArrayList<>(
        List.of("Authorization: Bearer " + KEY, "Content-Type: application/json"));
  }

  private JsonNode subject() {
    return JSON.createObjectNode()
        .put("plan", PLAN)
        .put("zone", "Europe/Berlin")
        .put("parent", TEAM);
  }

  /** The bodies that the contract accepts for an operation. */
  List<JsonNode> examples(Operation operation) {
    return switch (operation.id()) {
      case "writePlan" -> List.of(plan);
      case "writeSubject" -> List.of(subject());
      case "release" -> List.of(JSON.createObjectNode());
      default -> operation.body() == null ? List.of() : operation.body().examples();
    };
  }

  /** A request that nothing is wrong with. */
  Request good(Operation operation) {
    List<JsonNode> examples = examples(operation);
    byte[] body =
        examples.isEmpty() ? null : examples.getFirst().toString().getBytes(StandardCharsets.UTF_8);
    return new Request(operation.method(), target(operation, "", ""), headers(), body, null);
  }

  /** The path of an operation, with one of its names given another value. */
  String target(Operation operation, String name, @Nullable String value) {
    String path = operation.path();
    for (Operation.Parameter parameter : operation.parametersIn("path")) {
      String given =
          parameter.name().equals(name)
              ? value
              : parameter.name().equals("id")
                  ? reservations.getOrDefault(operation.id(), "none")
                  : values.get(parameter.name());
      path = path.replace("{" + parameter.name() + "}", given == null ? "none" : given);
    }
    return path;
  }
}
