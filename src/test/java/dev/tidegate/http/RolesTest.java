package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.dev.TestCredentials;
import dev.tidegate.dev.TestIssuer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may call what. */
@QuarkusTest
class RolesTest extends HttpSuite {

  /** Who calls, on whose quota. */
  private record Attempt(String name, List<@Nullable String> credentials, boolean onOwn) {}

  private static final TestIssuer ISSUER = TestIssuer.shared();

  private static String token(String... roles) {
    return ISSUER.token("somebody", roles).text();
  }

  private static String boundToken(String... roles) {
    return ISSUER.token("somebody", roles).with("tidegate_subject", BOUND).text();
  }

  private static Attempt other(String name, @Nullable String... credentials) {
    return new Attempt(name, Arrays.asList(credentials), false);
  }

  private static Attempt own(String name, String... credentials) {
    return new Attempt(name, Arrays.asList(credentials), true);
  }

  /** In the order of the columns; each role by a key and by a token. */
  private static final List<Attempt> ATTEMPTS =
      List.of(
          other("nobody", (String) null),
          other("bad key or token", "demo-wrong", TestIssuer.create().token("x", "admin").text()),
          other("no role", token(), token("root")),
          other("meter", METER, token("meter")),
          own("bound meter on its own", TestCredentials.BOUND_METER, boundToken("meter")),
          other("bound meter on another", TestCredentials.BOUND_METER, boundToken("meter")),
          own("viewer on its own", VIEWER, boundToken("viewer")),
          other("viewer on another", VIEWER, boundToken("viewer")),
          other("viewer of nobody", TestCredentials.FREE_VIEWER, token("viewer")),
          other("operator", OPERATOR, token("operator")),
          other("admin", ADMIN, token("admin")));

  /**
   * Every endpoint, and the status that each caller gets, in the order of {@link #ATTEMPTS}.
   * Reservations are unknown ones, the plan and {@code other} do not exist.
   */
  private static final String TABLE =
      """
      POST   | {q}/reservations           | {}                       | 401 401 403 400 400 403 403 403 403 403 400
      GET    | {q}/reservations/r         |                          | 401 401 403 404 404 403 403 403 403 403 404
      POST   | {q}/reservations/r/settle  | {'use_held':true}        | 401 401 403 404 404 403 403 403 403 403 404
      POST   | {q}/reservations/r/release |                          | 401 401 403 404 404 403 403 403 403 403 404
      POST   | {q}/reservations/r/extend  | {'ttl_seconds':1}        | 401 401 403 404 404 403 403 403 403 403 404
      POST   | {q}/charges                | {'amounts':{'tokens':1}} | 401 401 403 200 200 403 403 403 403 403 200
      GET    | {q}                        |                          | 401 401 403 200 200 403 200 403 403 200 200
      GET    | {q}/limits/all             |                          | 401 401 403 200 200 403 200 403 403 200 200
      GET    | {q}/periods                |                          | 401 401 403 200 200 403 200 403 403 200 200
      POST   | {q}/topup                  | {'mode':'purchase','amounts':{'all':1}} | 401 401 403 403 403 403 403 403 403 200 200
      POST   | {q}/topup                  | {'mode':'emergency'}     | 401 401 403 403 403 403 428 403 403 428 428
      POST   | {q}/reset                  | {}                       | 401 401 403 403 403 403 403 403 403 400 400
      GET    | {q}/audit                  |                          | 401 401 403 403 403 403 403 403 403 200 200
      POST   | /v1/schedules/preview      | {}                       | 401 401 403 400 400 400 400 400 400 400 400
      GET    | /v1/plans/none/resets      |                          | 401 401 403 404 404 404 404 404 404 404 404
      GET    | /v1/schemas/none           |                          | 404 404 404 404 404 404 404 404 404 404 404
      GET    | /v1/plans/none             |                          | 401 401 403 403 403 403 403 403 403 403 404
      PUT    | /v1/plans/none             | {}                       | 401 401 403 403 403 403 403 403 403 403 400
      DELETE | /v1/plans/none             |                          | 401 401 403 403 403 403 403 403 403 403 404
      GET    | /v1/subjects/{s}           |                          | 401 401 403 403 403 403 403 403 403 403 200
      PUT    | /v1/subjects/{s}           | {'plan':1}               | 401 401 403 403 403 403 403 403 403 403 400
      DELETE | /v1/subjects/nobody        |                          | 401 401 403 403 403 403 403 403 403 403 404
      GET    | /v1/plans/none/audit       |                          | 401 401 403 403 403 403 403 403 403 403 404
      GET    | /v1/subjects/{s}/audit     |                          | 401 401 403 403 403 403 403 403 403 403 200
      PUT    | /v1/test-clock             | {}                       | 401 401 403 403 403 403 403 403 403 403 400
      DELETE | /v1/test-clock             |                          | 401 401 403 403 403 403 403 403 403 403 204
      """;

  private record Row(String method, String path, String body, List<Integer> statuses) {

    static Row parse(String line) {
      List<String> cells = Stream.of(line.split("\\|")).map(String::strip).toList();
      List<Integer> statuses = Stream.of(cells.get(3).split(" ")).map(Integer::valueOf).toList();
      return new Row(cells.get(0), cells.get(1), cells.get(2), statuses);
    }

    int call(@Nullable String key, String subject) {
      Response response =
          send(key, method, path.replace("{q}", quotaPath(subject)).replace("{s}", subject), body);
      return response.statusCode();
    }
  }

  private static List<Row> rows() {
    return TABLE.lines().map(Row::parse).toList();
  }

  private String other = "";

  @BeforeEach
  void registersTheBoundSubject() {
    other = subjectWith(1_000_000);
    String self = ",'emergency':{'amount':1,'max':1,'self_service':true}";
    putPlan("roles", plan(limit("all", "tokens", 1_000_000, FOREVER, self)));
    putSubject(BOUND, "{'plan':'roles'}");
  }

  @Test
  void everyEndpointOpensToItsRolesAndToNobodyElse() {
    List<String> wrong = new ArrayList<>();
    for (Row row : rows()) {
      assertEquals(ATTEMPTS.size(), row.statuses().size(), row.path());
      for (int n = 0; n < ATTEMPTS.size(); n++) {
        Attempt attempt = ATTEMPTS.get(n);
        for (String credential : attempt.credentials()) {
          int found = row.call(credential, attempt.onOwn() ? BOUND : other);
          if (found != row.statuses().get(n)) {
            wrong.add(row.method() + " " + row.path() + " " + attempt + " but found " + found);
          }
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void theTableHasEveryOperationOfTheContract() {
    TreeSet<String> operations = new TreeSet<>();
    Contract.PUBLISHED
        .document()
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        name -> {
                          if (!name.equals("parameters")) {
                            operations.add(name + " " + path.getKey().replaceAll("\\{\\w+}", "*"));
                          }
                        }));
    TreeSet<String> tested =
        rows().stream()
            .map(
                row -> row.method().toLowerCase(java.util.Locale.ROOT) + " " + template(row.path()))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(operations, tested);
  }

  private static String template(String path) {
    return path.replace("{q}", "/v1/quota/*/api")
        .replace("{s}", "*")
        .replace("/api", "/*")
        .replace("/r/", "/*/")
        .replaceAll("/(r|all|none|nobody)(?=/|$)", "/*");
  }

  @ParameterizedTest
  @CsvSource({"Basic ZGVtbzpkZW1v", "Bearer", "Bearer  ", "demo-meter", "Bearer demo-meter x"})
  void whatIsNoKnownBearerKeyIsNotAuthenticated(String header) {
    Response answer = as(null).header("Authorization", header).get(quotaPath(other));
    assertProblem(401, "unauthenticated", answer);
    assertEquals("Bearer", answer.header("WWW-Authenticate"));
  }

  @Test
  void theSchemeOfTheKeyIsReadInAnyCase() {
    Response answer = as(null).header("Authorization", "bearer demo-meter").get(quotaPath(other));
    assertStatus(200, answer);
  }

  @Test
  void meIsTheSubjectThatTheKeyIsBoundTo() {
    Response answer = as(VIEWER).get("/v1/quota/me/api");
    assertStatus(200, answer);
    assertEquals(BOUND, answer.jsonPath().getString("subject"));
  }

  @Test
  @DisplayName("`me` with a key that is bound to nobody is 400")
  void meOfAnUnboundKeyIsInvalid() {
    for (String key : List.of(METER, OPERATOR, ADMIN)) {
      assertProblem(400, "invalid-request", as(key).get("/v1/quota/me/api"));
    }
    assertProblem(400, "invalid-request", as(ADMIN).get("/v1/subjects/me"));
  }

  @Test
  void aPathThatLeadsNowhereIsNotFoundAndAWrongMethodNotAllowed() {
    assertProblem(404, "not-found", as(METER).get("/v1/nothing"));
    assertProblem(404, "not-found", as(METER).get("/v1/quota/a"));
    assertProblem(405, "method-not-allowed", as(METER).delete(quotaPath(other)));
    assertProblem(405, "method-not-allowed", as(ADMIN).get("/v1/schedules/preview"));
  }

  @Test
  void anAnswerInNoOtherFormThanJsonCanBeHad() {
    assertProblem(406, "not-acceptable", as(METER).accept("text/html").get(quotaPath(other)));
  }
}
