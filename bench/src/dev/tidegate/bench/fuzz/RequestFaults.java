package dev.tidegate.bench.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.tidegate.http.Contract;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes requests whose path, query, headers, method or form are wrong, each in one place. */
final class RequestFaults {

  /** A fault that the server finds before it knows what is asked: it may answer in its own way. */
  static final String UNREADABLE = "unreadable: ";

  private static final List<String> BAD_IDS =
      List.of(
          "",
          ".",
          "..",
          "%2E",
          "%2e%2E",
          "me",
          "%00",
          "a%0Ab",
          "%7F",
          "%C2%85",
          "%FF",
          "%C0%80",
          "%ED%A0%80",
          "%EF%BF%BD",
          "a;b",
          "a".repeat(257),
          "%C3%A9".repeat(129));

  private static final List<String> BAD_TEXTS =
      List.of(
          "",
          "%00",
          "%FF",
          "x%0Ay",
          "-1",
          "1.5",
          "+1",
          "1e3",
          "0x1",
          "99999999999999999999",
          "%20",
          "null",
          "true",
          "Mars%2FPhobos",
          "x".repeat(300),
          "1-1-1",
          "%C3%A9");

  private static final List<String> BAD_KEYS =
      List.of("", "a b", "a".repeat(65), "a/b", "\u00e9", "{}", "\"quoted\"", "a,b");

  private static final List<String> BAD_TAGS =
      List.of(
          "*",
          "1",
          "\"1",
          "W/\"1\"",
          "\"1\", \"2\"",
          "\"\"",
          "\"abc\"",
          "\"-1\"",
          "\"12345678901234567\"",
          "\"1.5\"");

  private static final List<String> BAD_CREDENTIALS =
      List.of(
          "",
          "Bearer",
          "Bearer ",
          "Basic ZGVtbzpkZW1v",
          "Bearer nobody",
          "Bearer a.b.c",
          "Bearer eyJhbGciOiJub25lIn0.e30.",
          "Digest x",
          "Bearer " + "x".repeat(3000),
          "Bearer demo-admin demo-admin",
          "Bearer \u00e9");

  private static final List<String> BAD_TYPES =
      List.of(
          "text/plain",
          "application/xml",
          "application/jsonx",
          "*/*",
          "json",
          "",
          "a/b/c",
          "multipart/form-data; boundary=x",
          "application/x-www-form-urlencoded");

  private static final List<String> BAD_METHODS = List.of("PATCH", "TRACE", "FOO", "POSTS");

  private static final List<String> BAD_LINES =
      List.of(
          "no colon",
          "Content-Length: x",
          "Content-Length: -1",
          "A\u0000B: x",
          "A B: x",
          "Transfer-Encoding: gzip",
          "X-Long: " + "a".repeat(30_000));

  private final Contract contract;
  private final RandomGenerator random;

  RequestFaults(Contract contract, RandomGenerator random) {
    this.contract = contract;
    this.random = random;
  }

  /** One fault in a request that the contract accepts. */
  Request next(Operation operation, Request good, Setting setting) {
    boolean open = operation.id().equals("readSchema");
    return switch (random.nextInt(12)) {
      case 0, 1 -> badPath(operation, good, setting);
      case 2, 3, 4 -> badQuery(operation, good, setting);
      case 5, 6 -> badHeader(operation, good, setting);
      case 7 ->
          open
              ? badPath(operation, good, setting)
              : good.withHeader(
                  "Authorization",
                  random.nextInt(6) == 0 ? null : any(BAD_CREDENTIALS),
                  "credentials that nobody has");
      case 8 ->
          operation.body() == null || !operation.body().required()
              ? badPath(operation, good, setting)
              : good.withHeader("Content-Type", any(BAD_TYPES), "a type that is not JSON");
      case 9 -> good.withMethod(any(BAD_METHODS), "a method that there is not");
      case 10 -> badTarget(good);
      default -> unreadable(good);
    };
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private Request badPath(Operation operation, Request good, Setting setting) {
    List<Operation.Parameter> ids =
        operation.parametersIn("path").stream()
            .filter(parameter -> parameter.schema().has("maxLength"))
            .toList();
    if (ids.isEmpty()) {
      return badTarget(good);
    }
    String name = any(ids).name();
    String id = any(BAD_IDS);
    boolean mine = id.equals("me") && !name.equals("subject");
    return good.withTarget(
        setting.target(operation, name, mine ? ".." : id), "the " + name + " is no id");
  }

  private Request badQuery(Operation operation, Request good, Setting setting) {
    List<Operation.Parameter> queries = operation.parametersIn("query");
    if (queries.isEmpty()) {
      return badPath(operation, good, setting);
    }
    Operation.Parameter query = any(queries);
    String value = any(BAD_TEXTS);
    if (isAccepted(query.schema(), value)) {
      return badPath(operation, good, setting);
    }
    return good.withTarget(
        good.target() + "?" + query.name() + "=" + value, "a bad query " + query.name());
  }

  /** Whether a value of a query may be right; what no pattern bounds may be. */
  private boolean isAccepted(JsonNode schema, String value) {
    if (schema.path("type").asText().equals("integer")) {
      return value.matches("[0-9]{1,15}")
          && contract
              .errors(schema, JsonNodeFactory.instance.numberNode(Long.parseLong(value)))
              .isEmpty();
    }
    boolean bounded = schema.has("enum") || schema.has("pattern") || schema.has("$ref");
    return !bounded || contract.errors(schema, JsonNodeFactory.instance.textNode(value)).isEmpty();
  }

  private Request badHeader(Operation operation, Request good, Setting setting) {
    List<Operation.Parameter> headers = operation.parametersIn("header");
    if (headers.isEmpty()) {
      return badQuery(operation, good, setting);
    }
    String name = any(headers).name();
    String value = any(name.equals("If-Match") ? BAD_TAGS : BAD_KEYS);
    return good.withHeader(name, value, "a bad " + name);
  }

  private Request badTarget(Request good) {
    String path = good.path();
    List<String> targets = new ArrayList<>();
    targets.add(path + "/more");
    targets.add(path.replaceFirst("/v1", "/v2"));
    targets.add(path.replaceFirst("/v1", "/v1/."));
    targets.add(path.replaceFirst("/v1/", "/v1/x/../"));
    targets.add(path.replaceFirst("/v1/", "/v1//"));
    targets.add(path + ";a=b");
    targets.add("/");
    return good.withTarget(any(targets), "a path that there is not");
  }

  private Request unreadable(Request good) {
    if (random.nextInt(8) == 0) {
      return good.withMethod("G\u00e9T", UNREADABLE + "the method");
    }
    if (random.nextInt(3) == 0) {
      String target =
          any(List.of("/v1/" + "a".repeat(5000), "/v1/%zz", "/v1/%", "/v1/%4", "v1", "*"));
      return good.withTarget(target, UNREADABLE + "the target");
    }
    List<String> lines = new ArrayList<>(good.headers());
    lines.add(random.nextInt(lines.size() + 1), any(BAD_LINES));
    return new Request(good.method(), good.target(), lines, good.body(), UNREADABLE + "the head");
  }
}
