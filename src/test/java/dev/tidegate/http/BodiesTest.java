package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies: their size, their type and their text. */
@QuarkusTest
class BodiesTest extends HttpSuite {

  private static final int CALL_BYTES = 16 << 10;
  private static final int DOCUMENT_BYTES = 256 << 10;

  private static String padded(String json, int bytes) {
    return json(json) + " ".repeat(bytes - json.length());
  }

  @Test
  void aCallTakesSixteenKibibytesAndNotOneMore() {
    String subject = subjectWith(100);
    assertStatus(200, charge(subject, padded(tokens(1), CALL_BYTES)));
    Response refused = charge(subject, padded(tokens(1), CALL_BYTES + 1));
    assertProblem(413, "invalid-request", refused);
    assertEquals("1/0", usedAndHeld(subject));
  }

  @Test
  void aDocumentTakesAQuarterOfAMebibyteAndNotOneMore() {
    String plan = plan();
    String path = "/v1/plans/" + fresh("large");
    assertStatus(200, send(ADMIN, "PUT", path, padded(plan, DOCUMENT_BYTES)));
    assertProblem(
        413, "invalid-request", send(ADMIN, "PUT", path, padded(plan, DOCUMENT_BYTES + 1)));
  }

  @Test
  void aBodyThatComesInChunksIsBoundedToo() throws IOException {
    String head =
        "POST %s/charges HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-meter\r\n"
                .formatted(quotaPath(subjectWith(100)))
            + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
            + "Connection: close\r\n\r\n";
    String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
    try (Socket socket = new Socket("localhost", io.restassured.RestAssured.port)) {
      socket
          .getOutputStream()
          .write((head + chunk.repeat(3) + "0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      String answer = text(socket.getInputStream());
      assertTrue(answer.startsWith("HTTP/1.1 413 "), answer);
      assertTrue(answer.contains("application/problem+json"), answer);
    }
  }

  private static String text(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/xml", "application/octet-stream"})
  void whatIsNotJsonIsAnUnsupportedMediaType(String type) {
    String subject = subjectWith(100);
    byte[] body = json(tokens(1)).getBytes(StandardCharsets.UTF_8);
    String path = quotaPath(subject) + "/charges";
    assertProblem(415, "invalid-request", as(METER).contentType(type).body(body).post(path));
    Response put = as(ADMIN).contentType(type).body(body).put(subjectPath(subject));
    assertProblem(415, "invalid-request", put);
  }

  @Test
  void aCharsetOfTheTypeChangesNothing() {
    String path = quotaPath(subjectWith(100)) + "/charges";
    byte[] body = json(tokens(1)).getBytes(StandardCharsets.UTF_8);
    assertStatus(
        200, as(METER).contentType("application/json;charset=utf-8").body(body).post(path));
  }

  @Test
  void aMissingBodyIsInvalid() {
    String path = quotaPath(subjectWith(100)) + "/charges";
    assertProblem(400, "invalid-request", as(METER).contentType("application/json").post(path));
  }

  @Test
  void aReleaseNeedsNoBodyAndTakesNoneButAnEmptyObject() {
    String subject = subjectWith(100);
    String path = reservationPath(subject, held(subject, 1)) + "/release";
    assertProblem(400, "invalid-request", send(METER, "POST", path, "{'amounts':{}}"));
    assertProblem(400, "invalid-request", send(METER, "POST", path, "[]"));
    assertEquals("0/1", usedAndHeld(subject));
    assertStatus(200, send(METER, "POST", path, "{}"));
    assertStatus(200, send(METER, "POST", path, ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u00ff",
        "\u00c3",
        "\u00c0\u00af",
        "\u00ed\u00a0\u0080",
        "\u00f8\u0088\u0080\u0080\u0080"
      })
  void bytesThatAreNotUtf8AreInvalid(String bytes) {
    String subject = subjectWith(100);
    byte[] body =
        json("{'amounts':{'tokens':1,'" + bytes + "':1}}").getBytes(StandardCharsets.ISO_8859_1);
    Response refused =
        as(METER).contentType("application/json").body(body).post(quotaPath(subject) + "/charges");
    assertProblem(400, "invalid-request", refused);
    assertTrue(refused.asString().contains("UTF-8"), refused::asString);
  }

  @Test
  void aTextInUtf16IsInvalid() {
    byte[] body = json(tokens(1)).getBytes(StandardCharsets.UTF_16);
    String path = quotaPath(subjectWith(100)) + "/charges";
    assertProblem(
        400, "invalid-request", as(METER).contentType("application/json").body(body).post(path));
  }

  @ParameterizedTest
  @ValueSource(ints = {33, 1000, 8000})
  void deepNestingIsInvalid(int depth) {
    String deep = "[".repeat(depth) + "]".repeat(depth);
    String subject = subjectWith(100);
    assertProblem(400, "invalid-request", charge(subject, deep));
    assertProblem(400, "invalid-request", send(ADMIN, "PUT", subjectPath(subject), deep));
    String objects = "{'a':".repeat(depth / 5) + "1" + "}".repeat(depth / 5);
    assertProblem(400, "invalid-request", charge(subject, objects));
  }

  @Test
  void aDetailNeverCarriesControlCharactersOfTheBody() {
    Response refused = charge(subjectWith(100), "{'amounts':{'a\\u0000\\n\\u0007b':1}}");
    assertProblem(400, "invalid-request", refused);
    assertTrue(
        refused.jsonPath().getString("detail").chars().noneMatch(Character::isISOControl),
        refused::asString);
  }

  @Test
  void atMostSixtyFourMetersMayBeNamed() {
    StringBuilder meters = new StringBuilder("'tokens':1");
    for (int n = 0; n < 64; n++) {
      meters.append(",'m%d':1".formatted(n));
    }
    Response refused = charge(subjectWith(100), "{'amounts':{%s}}".formatted(meters));
    assertProblem(400, "invalid-request", refused);
    assertEquals("$.amounts", refused.jsonPath().getString("violations[0].path"));
  }
}
