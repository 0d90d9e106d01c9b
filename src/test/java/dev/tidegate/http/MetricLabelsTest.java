package dev.tidegate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.OwnProcess;
import dev.tidegate.dev.RedisCluster;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** No metric, ours or the platform's, tells of whom it counts, whatever is called. */
@QuarkusTest
@TestProfile(OwnProcess.class)
class MetricLabelsTest extends HttpSuite {

  private static final String MARK = "marked";
  private static final String DOCUMENT =
      plan(
          limit("all", "tokens", 100, FOREVER, ",'emergency':{'amount':5,'max':1,'per':'period'}"));

  /** Every endpoint, as {@code RolesTest} lists them. */
  private static final String CALLS =
      """
      POST   | {q}/reservations            | {'amounts':{'tokens':1},'dry_run':true}
      POST   | {q}/reservations            | {}
      GET    | {q}/reservations/{id}         |
      POST   | {q}/reservations/{id}/extend  | {'ttl_seconds':90}
      POST   | {q}/reservations/{id}/settle  | {'use_held':true}
      POST   | {q}/reservations/{id}/settle  | {'amounts':{'tokens':9}}
      POST   | {q}/reservations/{id}/release |
      POST   | {q}/charges                 | {'amounts':{'tokens':1}}
      POST   | {q}/charges                 | {'amounts':{'tokens':10000}}
      POST   | {q}/charges                 | nonsense
      GET    | {q}                         |
      GET    | {q}/limits/all              |
      GET    | {q}/limits/{m}              |
      GET    | {q}/periods                 |
      POST   | {q}/topup                   | {'mode':'purchase','amounts':{'all':1}}
      POST   | {q}/topup                   | {'mode':'emergency'}
      POST   | {q}/reset                   | {'mode':'keep_anchor'}
      POST   | {q}/reset                   | {'mode':'restart'}
      GET    | {q}/audit                   |
      POST   | /v1/schedules/preview       | {'schedule':{'type':'calendar','unit':'day'}}
      GET    | /v1/plans/{m}/resets        |
      GET    | /v1/schemas/{m}             |
      GET    | /v1/plans/{m}               |
      PUT    | /v1/plans/{m}               | {}
      DELETE | /v1/plans/{m}               |
      GET    | /v1/plans/{m}/audit         |
      GET    | /v1/subjects/{s}            |
      GET    | /v1/subjects/{s}/audit      |
      PUT    | /v1/subjects/{s}            | {'plan':'{m}'}
      DELETE | /v1/subjects/{s}            |
      GET    | {q}                         |
      PUT    | {q}                         | {}
      GET    | {q}/{m}                     |
      GET    | /v1/{m}                     |
      GET    | /{m}                        |
      GET    | /v1/quota/{m};x/api         |
      GET    | /q/{m}                      |
      """;

  private static void call(String key, String method, String path, String body) {
    var request =
        given()
            .urlEncodingEnabled(false)
            .header("Idempotency-Key", MARK + "-key-" + method + path.hashCode())
            .header("X-Request-Id", MARK + "-request");
    if (!key.isEmpty()) {
      request.header("Authorization", "Bearer " + key);
    }
    (body.isEmpty() ? request : request.contentType("application/json").body(json(body)))
        .request(method, path);
  }

  /** Sends what no client sends, byte by byte, and gives the answer. */
  private static String callRaw(String method, String path) throws IOException {
    try (Socket socket = new Socket(InetAddress.getByName("localhost"), RestAssured.port)) {
      String request =
          method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(answer.startsWith("HTTP/1.1 "), answer);
      return answer;
    }
  }

  /** How often requests with a method were counted. */
  private static int requestsOf(String method) {
    return (int) Scrape.now().sum("http_server_requests_seconds_count", "method", method);
  }

  private static long seriesOfHttp() {
    return Scrape.now().text().lines().filter(line -> line.startsWith("http_server_")).count();
  }

  @Test
  void methodsThatAreInventedAreCountedAsOne() throws IOException {
    String[] paths = {"/v1/q", "/v1/quota/someone/api", "/v1/plans/%zz", "/", "*", "http://a.b/c"};
    int before = requestsOf("OTHER");
    for (String path : paths) {
      callRaw("FIRST", path);
    }
    RedisCluster.await("they are counted", () -> requestsOf("OTHER") == before + paths.length);
    long series = seriesOfHttp();
    for (int n = 0; n < 20; n++) {
      for (String path : paths) {
        callRaw("M%06d".formatted(n), path);
        callRaw("get" + "x".repeat(n), path);
      }
    }
    int all = before + 41 * paths.length;
    RedisCluster.await("all are counted", () -> requestsOf("OTHER") == all);
    assertEquals(series, seriesOfHttp());
    Set<String> methods =
        Scrape.now().samples("http_server_requests_seconds_count").stream()
            .map(sample -> sample.labels().getOrDefault("method", ""))
            .collect(Collectors.toSet());
    assertEquals(
        Set.of(),
        methods.stream()
            .filter(method -> !method.matches("GET|PUT|POST|DELETE|PATCH|OPTIONS|TRACE|OTHER"))
            .collect(Collectors.toSet()));
  }

  @Test
  void aMethodThatIsKnownIsCountedByItsName() throws IOException {
    int before = requestsOf("TRACE");
    callRaw("TRACE", "/v1/quota/someone/api");
    RedisCluster.await("it is counted", () -> requestsOf("TRACE") == before + 1);
  }

  @Test
  void noMetricNamesASubjectAReservationOrAKey() throws IOException {
    putPlan("labels", DOCUMENT);
    String subject = fresh(MARK + "-subject");
    putSubject(subject, "{'plan':'labels'}");
    Response held = reserve(subject, 1);
    String id = idOf(held);
    for (String key : new String[] {"", MARK + "-credential", METER, VIEWER, OPERATOR, ADMIN}) {
      for (String row : CALLS.lines().toList()) {
        String[] cells = row.split("\\|", -1);
        String path =
            cells[1]
                .strip()
                .replace("{q}", quotaPath(subject))
                .replace("{s}", subject)
                .replace("{id}", id)
                .replace("{m}", MARK);
        call(key, cells[0].strip(), path, cells[2].strip().replace("{m}", MARK));
      }
    }
    call(METER, "POST", quotaPath(subject) + "/charges", "x".repeat(300_000));
    assertTrue(callRaw("GET", "/v1/quota/" + MARK + "%zz/api").startsWith("HTTP/1.1 400 "));
    for (String method : new String[] {"OPTIONS", "TRACE", "PATCH", MARK}) {
      for (String path : new String[] {"/%s", "/v1/%s", "/v1/quota/%s/api", "http://%s/v1/x"}) {
        callRaw(method, path.formatted(MARK));
      }
    }
    String metrics = Scrape.now().text();
    assertTrue(metrics.contains("http_server_requests_seconds_count"), metrics);
    assertTrue(metrics.contains("plan=\"labels\""), metrics);
    for (String secret : Set.of(MARK, subject, id, "demo-")) {
      String leaking =
          metrics.lines().filter(line -> line.contains(secret)).collect(Collectors.joining("\n"));
      assertEquals("", leaking);
    }
    assertFalse(labels(metrics).isEmpty());
  }

  private static Set<String> labels(String metrics) {
    return metrics
        .lines()
        .filter(line -> line.startsWith("tidegate_"))
        .map(line -> line.replaceAll("\\{.*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
