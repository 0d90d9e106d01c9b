package dev.tidegate.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what the platform would read as if it were not there: a parameter of a query that has no
 * value, and a type of a body that says nothing.
 */
final class WellFormed {

  /** A parameter that is only its name, or its name and {@code =}. */
  private static final Pattern VALUELESS = Pattern.compile("(^|&)([^=&]*)=?(?=&|$)");

  private static final Set<HttpMethod> WITH_BODY = Set.of(HttpMethod.POST, HttpMethod.PUT);

  @ServerRequestFilter
  @Nullable Response check(HttpServerRequest request) {
    Problem problem = problemOf(request);
    return problem == null ? null : problem.to(request);
  }

  private static @Nullable Problem problemOf(HttpServerRequest request) {
    String query = request.query();
    if (query != null) {
      Matcher valueless = VALUELESS.matcher(query);
      if (valueless.find()) {
        return Problem.invalid(valueless.group(2), "has no value; leave it out instead");
      }
    }
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    boolean brings = WITH_BODY.contains(request.method());
    return brings && type != null && (type.isBlank() || type.indexOf('*') >= 0)
        ? Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, ProblemCode.UNSUPPORTED_MEDIA_TYPE.title())
        : null;
  }
}
