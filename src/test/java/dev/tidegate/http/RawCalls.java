package dev.tidegate.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Calls whose paths go out exactly as they are written, and from many threads at once. */
final class RawCalls implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** An answer that keeps the contract. */
  record Answer(int status, JsonNode body) {

    String code() {
      return body.path("code").asText();
    }
  }

  /** Sends a body, none when it is empty. */
  Answer send(String key, String method, String path, String body) throws InterruptedException {
    String written = HttpSuite.json(body);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(written))
            .build();
    try {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      Contract.PUBLISHED.check(
          new Contract.Exchange(
              method,
              request.uri().getRawPath(),
              written,
              response.statusCode(),
              name -> response.headers().firstValue(name).orElse(null),
              response.body()));
      return new Answer(
          response.statusCode(),
          response.body().isEmpty()
              ? JsonNodeFactory.instance.missingNode()
              : JSON.readTree(response.body()));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
