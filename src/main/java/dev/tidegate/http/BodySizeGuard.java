package dev.tidegate.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.Json;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Refuses a body that says it is too large before it is read, as problem details. */
@ApplicationScoped
class BodySizeGuard {

  void guard(@Observes Router router) {
    router.route().order(Integer.MIN_VALUE + 1).handler(BodySizeGuard::check);
  }

  private static void check(RoutingContext context) {
    String length = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length == null || length.length() < 6 || isAllowed(length)) {
      context.next();
      return;
    }
    Problem problem =
        Problem.of(
            ProblemCode.REQUEST_TOO_LARGE,
            "a body must have at most " + Bodies.MAX_DOCUMENT_BYTES + " bytes");
    context
        .response()
        .setStatusCode(ProblemCode.REQUEST_TOO_LARGE.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE.toString())
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .end(Json.encode(problem.to(context.request()).getEntity()));
  }

  private static boolean isAllowed(String length) {
    try {
      return Long.parseLong(length) <= Bodies.MAX_DOCUMENT_BYTES;
    } catch (NumberFormatException notNumber) {
      return false;
    }
  }
}
