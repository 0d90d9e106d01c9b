package dev.tidegate.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a body that cannot be read, as problem details and before it is read: one that says it is
 * too large, and one in a transfer coding that nobody undoes.
 */
@ApplicationScoped
class BodyGuard {

  private static final String CHUNKED = "chunked";

  void guard(@Observes Router router) {
    router.route().order(Integer.MIN_VALUE + 1).handler(BodyGuard::check);
  }

  private static void check(RoutingContext context) {
    Problem problem = problemOf(context.request());
    if (problem == null) {
      context.next();
      return;
    }
    problem.withHeader("Connection", "close").send(context);
  }

  private static @Nullable Problem problemOf(HttpServerRequest request) {
    String coding = request.getHeader(HttpHeaders.TRANSFER_ENCODING);
    if (coding != null && !coding.equalsIgnoreCase(CHUNKED)) {
      return Problem.invalid("Transfer-Encoding", "must be chunked where it is there at all");
    }
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length == null || length.length() < 6 || isAllowed(length)
        ? null
        : Problem.of(
            ProblemCode.REQUEST_TOO_LARGE,
            "a body must have at most " + Bodies.MAX_DOCUMENT_BYTES + " bytes");
  }

  private static boolean isAllowed(String length) {
    try {
      return Long.parseLong(length) <= Bodies.MAX_DOCUMENT_BYTES;
    } catch (NumberFormatException notNumber) {
      return false;
    }
  }
}
