package dev.tidegate.bench.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;

/** The calls of the service that a replay needs. One instance serves all callers. */
final class ServiceClient implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(TIMEOUT)
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();

  private final Settings settings;

  ServiceClient(Settings settings) {
    this.settings = settings;
  }

  /**
   * An answer of the service.
   *
   * @param status the HTTP status
   * @param body the JSON that came with it, or a missing node
   * @param elapsedNanos from before the request was sent until the whole answer was there
   */
  record Answer(int status, JsonNode body, long elapsedNanos) {

    /** The problem code, or the status when the answer names none. */
    String code() {
      return body.path("code").asText("status-" + status);
    }

    /** Whether it may be different a moment later. */
    boolean isTransient() {
      return status >= 500;
    }

    /** What the answer says, for a person. */
    String explanation() {
      return "%d %s %s".formatted(status, code(), body.path("detail").asText("")).strip();
    }
  }

  /** Registers a subject with the plan of this replay. */
  Answer register(String subject) throws IOException {
    ObjectNode body = JSON.createObjectNode().put("plan", settings.plan());
    return send("PUT", "/v1/subjects/" + encoded(subject), settings.adminKey(), body);
  }

  /** Reserves tokens, for as long as the plan says. */
  Answer reserve(String subject, long tokens) throws IOException {
    return post(quotaOf(subject) + "/reservations", amounts(tokens));
  }

  /**
   * Reserves tokens.
   *
   * @param ttlSeconds when the lease lapses
   */
  Answer reserve(String subject, long tokens, int ttlSeconds) throws IOException {
    ObjectNode body = amounts(tokens).put("ttl_seconds", ttlSeconds);
    return post(quotaOf(subject) + "/reservations", body);
  }

  /** Settles what a call really used. Repeating it changes nothing. */
  Answer settle(String subject, String id, long tokens) throws IOException {
    return post(quotaOf(subject) + "/reservations/" + encoded(id) + "/settle", amounts(tokens));
  }

  /** The quota view. */
  Answer quota(String subject) throws IOException {
    return get(quotaOf(subject));
  }

  /**
   * The periods that ended.
   *
   * @param past how many of each limit at most
   */
  Answer periods(String subject, int past) throws IOException {
    return get(quotaOf(subject) + "/periods?past=" + past);
  }

  private static ObjectNode amounts(long tokens) {
    ObjectNode body = JSON.createObjectNode();
    body.putObject("amounts").put("tokens", tokens);
    return body;
  }

  private String quotaOf(String subject) {
    return "/v1/quota/" + encoded(subject) + "/" + encoded(settings.resource());
  }

  private static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private Answer get(String path) throws IOException {
    return send(request(path, settings.key()).GET().build());
  }

  private Answer post(String path, ObjectNode body) throws IOException {
    return send("POST", path, settings.key(), body);
  }

  private Answer send(String method, String path, String key, ObjectNode body) throws IOException {
    return send(
        request(path, key)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body.toString()))
            .build());
  }

  private HttpRequest.Builder request(String path, String key) {
    return HttpRequest.newBuilder(URI.create(settings.base() + path))
        .timeout(TIMEOUT)
        .header("Authorization", "Bearer " + key)
        .header("Accept", "application/json");
  }

  private Answer send(HttpRequest request) throws IOException {
    long before = System.nanoTime();
    try {
      HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
      long elapsedNanos = System.nanoTime() - before;
      return new Answer(response.statusCode(), json(response.body()), elapsedNanos);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  private static JsonNode json(byte[] body) throws IOException {
    try {
      JsonNode tree = JSON.readTree(body);
      return tree == null ? MissingNode.getInstance() : tree;
    } catch (JsonProcessingException notJson) {
      return MissingNode.getInstance();
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
