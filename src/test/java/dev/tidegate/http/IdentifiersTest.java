package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids in paths: every one is another subject, and none is a way around. */
@QuarkusTest
class IdentifiersTest extends HttpSuite {

  private static final String PLAN = "identifiers";
  private static final int PATIENCE_MILLIS = 10_000;

  @BeforeEach
  void registersThePlan() {
    putPlan(PLAN, plan(limit("all", "tokens", 100, FOREVER)));
  }

  private static String registered(String id) {
    putSubject(id, "{'plan':'%s'}".formatted(PLAN));
    return id;
  }

  /** Registers both, charges the one, and sees the other full. */
  private static void assertApart(String one, String other) {
    registered(one);
    registered(other);
    assertStatus(200, charge(one, 7));
    assertEquals("7/0", usedAndHeld(one));
    assertEquals("0/0", usedAndHeld(other));
    assertEquals(one, read(one).jsonPath().getString("subject"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b", "a;b", "a%b", "a?b", "a#b", "a b", "a%2Fb", "%25", "a+b", "a:b", "a{b}c", "a\"b",
        "a\\b", "a|b", "a&b=c", "ü", "水", "\uD83D\uDE00", "a.b", "...", ".a", "me2", "ME", "null",
        "undefined", "0", "-1", "true", "a@b.example", "/", "//", "a//b", " ", "\u00a0"
      })
  @DisplayName("G9 Any text is an ordinary id, percent-encoded in the path")
  void everyTextIsAnIdOfItsOwn(String text) {
    String id = registered(text);
    String before = usedAndHeld(id);
    String reservation = held(id, 3);
    assertEquals(id, read(id).jsonPath().getString("subject"));
    assertEquals("held", find(id, reservation).jsonPath().getString("state"));
    Response location = as(METER).get(reserve(id, 0).header("Location"));
    assertStatus(200, location);
    assertStatus(200, release(id, reservation));
    assertEquals(before, usedAndHeld(id));
    assertStatus(200, as(ADMIN).get(subjectPath(id)));
  }

  @Test
  @DisplayName("G1 Braces are part of an id and choose no slot")
  void g1() {
    String id = fresh("a");
    assertApart("{" + id + "}", id);
    try (TestRedis redis = TestRedis.open()) {
      List<String> keys = redis.keys().stream().filter(key -> key.contains(id)).toList();
      assertTrue(keys.stream().anyMatch(key -> key.contains("{%7B" + id + "%7D}")), keys::toString);
      assertTrue(
          keys.stream().noneMatch(key -> key.contains("{" + id + "}") && key.contains("%7B")));
    }
  }

  @Test
  @DisplayName("G3 A separator in an id joins nothing")
  void g3() {
    String id = fresh("t");
    assertApart(id + "a:b", id + "a");
    assertApart(id + ":x:0", id);
    assertApart(id + "/api", id + "%2Fapi");
  }

  @Test
  @DisplayName("G4 Ids are compared as sent: é composed and decomposed are two subjects")
  void g4() {
    String id = fresh("u");
    assertApart(id + "\u00e9", id + "e\u0301");
    assertApart(id + "\u0130", id + "i\u0307");
    assertApart(id + "A", id + "a");
  }

  @Test
  @DisplayName("G7 256 bytes are an id, 257 are not, and bytes count, not characters")
  void g7() {
    String longest = fresh("l");
    longest += "x".repeat(256 - longest.length());
    registered(longest);
    assertStatus(200, charge(longest, 1));
    for (String tooLong : List.of(longest + "x", "\uD83D\uDE00".repeat(128), "é".repeat(129))) {
      assertProblem(400, "invalid-request", charge(tooLong, 1));
      assertProblem(400, "invalid-request", send(ADMIN, "PUT", subjectPath(tooLong), "{}"));
    }
    assertStatus(200, charge(registered("\uD83D\uDE00".repeat(64)), 0));
  }

  @Test
  @DisplayName("G7 An id of a mebibyte is refused and leaves no key")
  void g7Huge() throws IOException {
    try (TestRedis redis = TestRedis.open()) {
      int before = redis.keys().size();
      String answer = answerTo("POST " + quotaPath("y".repeat(1 << 20)) + "/charges HTTP/1.1\r\n");
      assertTrue(answer.isEmpty() || answer.contains(" 414 "), answer);
      assertEquals(before, redis.keys().size());
      assertStatus(200, charge(registered("short"), 1));
    }
  }

  /**
   * What the server answers to a request line, if it lets it be read: it may close the connection
   * while the line is still being written, which takes back an answer that was not read by then.
   */
  private static String answerTo(String requestLine) throws IOException {
    try (Socket socket = new Socket(InetAddress.getByName("localhost"), RestAssured.port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      String head = requestLine + "Host: localhost\r\nContent-Length: 0\r\n\r\n";
      try {
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      } catch (SocketException closed) {
        return "";
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "me",
        "%00",
        "a%00",
        "%0A",
        "%7F",
        "%C2%85",
        "%FF",
        "%C0%AF",
        "%ED%A0%80",
        "%EF%BF%BD"
      })
  @DisplayName("G9 What is reserved, controls or no UTF-8 is no id")
  void whatIsNoId(String encoded) {
    for (String path : List.of("/v1/quota/" + encoded + "/api", "/v1/subjects/" + encoded)) {
      assertProblem(400, "invalid-request", as(ADMIN).get(path));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"%00", "%FF", "me"})
  void whatIsNoIdOfAResourceOrAPlan(String encoded) {
    String subject = registered(fresh("r"));
    assertProblem(400, "invalid-request", as(METER).get("/v1/quota/" + subject + "/" + encoded));
    assertProblem(400, "invalid-request", as(ADMIN).get("/v1/plans/" + encoded));
    assertProblem(400, "invalid-request", as(METER).get("/v1/plans/" + encoded + "/resets"));
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /v1/quota//api",
    "GET, /v1/quota//api/reservations",
    "GET, /v1/quota/{s}/",
    "GET, /v1/quota/{s}//",
    "GET, /v1/quota/{s}/api/limits/",
    "GET, /v1/quota//{s}/api",
    "GET, /v1/subjects/",
    "GET, /v1/subjects//{s}",
    "GET, //v1/subjects/{s}",
    "DELETE, /v1/subjects/",
    "DELETE, /v1/subjects/{s}/",
    "GET, /v1/plans/",
    "GET, /v1/plans//resets"
  })
  @DisplayName("G9 An empty id is 400")
  void anEmptyIdIsInvalid(String method, String path) throws InterruptedException {
    assertInvalid(method, path);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /v1/quota/./api",
    "GET, /v1/quota/../api",
    "GET, /v1/quota/%2E/api",
    "GET, /v1/quota/%2e%2E/api",
    "GET, /v1/quota/.%2E/api",
    "GET, /v1/quota/{s}/.",
    "GET, /v1/quota/{s}/../demo/api",
    "GET, /v1/quota/{s}/%2e%2e/demo/api",
    "GET, /v1/subjects/..",
    "DELETE, /v1/subjects/x/../{s}",
    "DELETE, /v1/plans/%2E%2E",
    "GET, /v1/plans/./resets",
    "GET, /v1/../v1/subjects/{s}"
  })
  @DisplayName("G9 A dot and two dots are no ids, and lead nowhere")
  void dotsAreNoIds(String method, String path) throws InterruptedException {
    assertInvalid(method, path);
  }

  private static void assertInvalid(String method, String path) throws InterruptedException {
    String subject = registered(fresh("path"));
    try (RawCalls calls = new RawCalls()) {
      RawCalls.Answer answer = calls.send(ADMIN, method, path.replace("{s}", subject), "");
      assertEquals(400, answer.status(), answer::toString);
      assertEquals("invalid-request", answer.code());
      assertEquals("path", answer.body().at("/violations/0/path").asText());
    }
    assertStatus(200, as(ADMIN).get(subjectPath(subject)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/quota/{s};x/api",
        "/v1/quota/{s};x=1/api",
        "/v1/quota/{s}/api;x",
        "/v1/quota/{s}/api/limits/all;x",
        "/v1/quota/{s}/api/periods;x",
        "/v1/subjects/{s};x",
        "/v1/plans/identifiers;x",
        "/v1/plans/identifiers/resets;x",
        "/v1/quota;x/{s}/api",
        "/v1;x/quota/{s}/api"
      })
  void aRawSemicolonIsInvalid(String path) {
    Response answer = as(ADMIN).get(path.replace("{s}", registered(fresh("m"))));
    assertProblem(400, "invalid-request", answer);
  }

  @Test
  void aRawSemicolonIsInvalidWhereThePathHasNoId() {
    String body = "{'schedule':%s}".formatted(FOREVER);
    assertProblem(400, "invalid-request", send(METER, "POST", "/v1/schedules/preview;x", body));
    assertProblem(400, "invalid-request", send(ADMIN, "PUT", "/v1/test-clock;x", "{}"));
  }

  @Test
  void aRawSemicolonIsNoWayToAnotherSubject() {
    String other = registered(fresh("victim"));
    assertProblem(403, "forbidden", as(VIEWER).get("/v1/quota/" + other + ";demo/api"));
    assertProblem(400, "invalid-request", as(VIEWER).get("/v1/quota/demo;" + other + "/api"));
    assertProblem(400, "invalid-request", as(VIEWER).get("/v1/quota/me;" + other + "/api"));
  }

  @Test
  void aPathIsDecodedExactlyOnce() {
    String id = fresh("once");
    assertApart(id + "%41", id + "A");
    assertApart(id + "%2541", id + "%41b");
    registered(id + "+");
    assertEquals(
        id + "+", as(METER).get("/v1/quota/" + id + "+/api").jsonPath().getString("subject"));
  }

  @Test
  void aBoundKeyIsComparedAfterDecoding() {
    registered(BOUND);
    assertStatus(200, as(VIEWER).get("/v1/quota/%64emo/api"));
    assertProblem(403, "forbidden", as(VIEWER).get("/v1/quota/Demo/api"));
    assertProblem(403, "forbidden", as(VIEWER).get("/v1/quota/demo%20/api"));
    assertProblem(403, "forbidden", as(VIEWER).get("/v1/quota/demo%2F/api"));
  }

  @Test
  @DisplayName("G4 Bytes that are not percent-encoded are refused, not taken for other characters")
  void rawBytesAreRefused() {
    assertEquals(
        "must be ASCII; percent-encode the UTF-8 bytes of other characters",
        Targets.faultOfPath("/v1/subjects/\u00c3\u00a9"));
    assertNull(Targets.faultOfPath("/v1/subjects/%C3%A9"));
  }
}
