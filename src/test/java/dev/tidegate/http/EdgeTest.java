package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Requests that never get to a resource, written byte by byte. */
@QuarkusTest
class EdgeTest extends HttpSuite {

  private static final int PATIENCE_MILLIS = 10_000;
  private static final String KEY = "Authorization: Bearer demo-meter\r\n";

  /** What came back, as far as the server let it be read. */
  private record Answer(int status, String head, String body) {

    static Answer parse(String text) {
      int end = text.indexOf("\r\n\r\n");
      String head = end < 0 ? text : text.substring(0, end);
      int status =
          head.matches("(?s)HTTP/1[.][01] [0-9]{3}.*")
              ? Integer.parseInt(head.substring(9, 12))
              : 0;
      return new Answer(status, head, end < 0 ? "" : text.substring(end + 4));
    }

    void assertProblem(int expected, String code) throws IOException {
      assertEquals(expected, status, head);
      assertTrue(head.toLowerCase(Locale.ROOT).contains("application/problem+json"), head);
      JsonNode problem = new ObjectMapper().readTree(body);
      assertEquals(code, problem.path("code").asText(), body);
      assertTrue(head.contains(problem.path("request_id").asText()), head);
    }
  }

  private static Answer send(String head, byte[] body) throws IOException {
    try (Socket socket = new Socket(InetAddress.getByName("localhost"), RestAssured.port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      OutputStream out = socket.getOutputStream();
      out.write((head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      try {
        out.write(body);
        out.flush();
      } catch (IOException refusedBeforeItWasRead) {
        // The answer is there all the same.
      }
      return Answer.parse(
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Answer get(String target, String headers) throws IOException {
    return send("GET " + target + " HTTP/1.1\r\n" + headers + KEY, new byte[0]);
  }

  private static Answer sendChunks(int count) throws IOException {
    String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
    return send(
        "POST /v1/quota/a/api/charges HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
            + KEY,
        (chunk.repeat(count) + "0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void aChunkedBodyThatIsTooLargeIsRefused() throws IOException {
    sendChunks(6).assertProblem(413, "invalid-request");
  }

  @Test
  void aChunkedBodyOfMoreThanAMebibyteIsCutOffWithoutAProblem() throws IOException {
    assertEquals(413, sendChunks(32).status());
  }

  @Test
  void aBodyThatSaysThatItIsTooLargeIsRefusedBeforeItIsRead() throws IOException {
    send(
            "POST /v1/quota/a/api/charges HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: 1000000\r\n"
                + KEY,
            "x".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII))
        .assertProblem(413, "invalid-request");
  }

  @Test
  void whatTheServerCannotParseHasAStatusOfItsOwn() throws IOException {
    assertEquals(414, get("/v1/" + "a".repeat(5000), "Host: localhost\r\n").status());
    assertEquals(
        431, get("/v1/x", "Host: localhost\r\nX-Long: " + "a".repeat(30_000) + "\r\n").status());
    assertEquals(
        400,
        send(
                "POST /v1/quota/a/api/charges HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n"
                    + KEY,
                new byte[0])
            .status());
    assertEquals(400, get("/v1/quota/%zz/api", "Host: localhost\r\n").status());
    assertEquals(400, get("/v1/x", "Host: a b\r\n").status());
    assertEquals(400, get("/v1/x", "").status());
  }
}
