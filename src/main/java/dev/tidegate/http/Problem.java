package dev.tidegate.http;

import dev.tidegate.document.Fault;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.Json;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A refusal as RFC 9457 problem details; built up member by member. */
final class Problem {

  static final MediaType MEDIA_TYPE = new MediaType("application", "problem+json");

  /** Where the platform's metrics look for the template of a path. */
  private static final String TEMPLATE = "UrlPathTemplate";

  private static final String UNROUTED = "/unrouted";

  private final ProblemCode code;
  private final Map<String, Object> members = new LinkedHashMap<>();
  private final Map<String, String> headers = new LinkedHashMap<>();

  private Problem(ProblemCode code) {
    this.code = code;
    members.put("type", "urn:tidegate:problem:" + code.word());
    members.put("title", code.title());
    members.put("status", code.status());
  }

  static Problem of(ProblemCode code, String detail) {
    return new Problem(code).with("detail", detail).with("code", code.word());
  }

  /** An invalid request, with everything that is wrong with it. */
  static Problem invalid(List<Fault> faults) {
    String first = faults.getFirst().toString();
    String detail = faults.size() == 1 ? first : first + "; and " + (faults.size() - 1) + " more";
    return of(ProblemCode.INVALID_REQUEST, detail).with("violations", faults);
  }

  static Problem invalid(String path, String reason) {
    return invalid(List.of(new Fault(path, reason)));
  }

  /** Adds a member; null adds nothing. */
  Problem with(String name, @Nullable Object value) {
    if (value != null) {
      members.put(name, value);
    }
    return this;
  }

  /** Says that it is the first answer to a key, given again; without a replay it says nothing. */
  Problem withReplay(boolean replayed) {
    return with("replayed", replayed ? true : null);
  }

  Problem withHeader(String name, String value) {
    headers.put(name, value);
    return this;
  }

  Problem withHeaders(Map<String, String> more) {
    headers.putAll(more);
    return this;
  }

  /** Says when to come back: whole seconds, rounded up, at least one. */
  Problem withRetryAfter(long millis) {
    return withHeader(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, (millis + 999) / 1000)));
  }

  /** The members that say why, without those of every problem. */
  Map<String, Object> reasons() {
    Map<String, Object> reasons = new LinkedHashMap<>(members);
    reasons.keySet().removeAll(List.of("type", "title", "status", "detail"));
    return reasons;
  }

  /** The response to a request. */
  Response to(HttpServerRequest request) {
    hidePath();
    with("instance", request.path()).with("request_id", RequestIds.of(request));
    Response.ResponseBuilder response =
        Response.status(code.status()).type(MEDIA_TYPE).entity(members);
    headers.forEach(response::header);
    return response.build();
  }

  /** Metrics would know a request that no resource takes by its path, which names a subject. */
  private static void hidePath() {
    Context current = Vertx.currentContext();
    if (current != null && current.getLocal(TEMPLATE) == null) {
      current.putLocal(TEMPLATE, UNROUTED);
    }
  }

  /** Answers a request that never gets to a resource. */
  void send(RoutingContext context) {
    HttpServerResponse response =
        context
            .response()
            .setStatusCode(code.status())
            .putHeader(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE.toString());
    headers.forEach(response::putHeader);
    response.end(Json.encode(to(context.request()).getEntity()));
  }

  @Override
  public String toString() {
    return code.word() + ", " + members.get("detail");
  }

  /** The problem as an exception, for where no answer can be returned. */
  ProblemException exception() {
    return new ProblemException(this);
  }
}
