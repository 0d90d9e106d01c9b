package dev.tidegate.http;

import dev.tidegate.store.StoreException;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Turns everything that is thrown into problem details. */
final class ProblemMapper {

  private static final Logger LOG = Logger.getLogger(ProblemMapper.class);
  private static final long STORE_RETRY_MILLIS = 1000;

  @ServerExceptionMapper
  Response problem(ProblemException e, HttpServerRequest request) {
    LOG.debugf("%s %s is refused: %s", request.method(), request.path(), e.problem());
    return e.problem().to(request);
  }

  @ServerExceptionMapper({UnauthorizedException.class, AuthenticationFailedException.class})
  Response unauthenticated(HttpServerRequest request) {
    return Problem.of(
            ProblemCode.UNAUTHENTICATED,
            "send a known API key or a valid token as Authorization: Bearer <key or token>")
        .withHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
        .to(request);
  }

  @ServerExceptionMapper
  Response forbidden(ForbiddenException e, HttpServerRequest request) {
    return Problem.of(ProblemCode.FORBIDDEN, "none of the caller's roles allows this").to(request);
  }

  @ServerExceptionMapper
  Response store(StoreException e, HttpServerRequest request) {
    if (e.isTransient()) {
      LOG.debugf("503: %s", e.getMessage());
      return unavailable(e.kind())
          .withRetryAfter(STORE_RETRY_MILLIS)
          .with("retry_after_ms", STORE_RETRY_MILLIS)
          .to(request);
    }
    return failure(e, request);
  }

  private static Problem unavailable(StoreException.Kind kind) {
    return switch (kind) {
      case UNCONFIRMED ->
          Problem.of(
              ProblemCode.NOT_CONFIRMED,
              "the grant counts, but too few copies of it were confirmed in time: a failover might"
                  + " lose it. Repeat it with its idempotency key, which never grants it twice;"
                  + " without one do not repeat it, but read the quota");
      case UNANSWERED ->
          Problem.of(
              ProblemCode.STORE_UNAVAILABLE,
              "the store did not answer in time; without an idempotency key the outcome of"
                  + " a change is unknown");
      case AWAY, REFUSED, FAULT ->
          Problem.of(ProblemCode.STORE_UNAVAILABLE, "the store does not take the call now");
    };
  }

  @ServerExceptionMapper
  Response webApplication(WebApplicationException e, HttpServerRequest request) {
    ProblemCode code =
        switch (e.getResponse().getStatus()) {
          case 404 -> ProblemCode.NOT_FOUND;
          case 405 -> ProblemCode.METHOD_NOT_ALLOWED;
          case 406 -> ProblemCode.NOT_ACCEPTABLE;
          case 413 -> ProblemCode.REQUEST_TOO_LARGE;
          case 415 -> ProblemCode.UNSUPPORTED_MEDIA_TYPE;
          case 400 -> ProblemCode.INVALID_REQUEST;
          default -> ProblemCode.INTERNAL_ERROR;
        };
    if (code == ProblemCode.INTERNAL_ERROR) {
      return failure(e, request);
    }
    String fault =
        code == ProblemCode.NOT_FOUND || code == ProblemCode.METHOD_NOT_ALLOWED
            ? Targets.faultOfPath(request.path())
            : null;
    Problem problem =
        fault == null ? Problem.of(code, code.title()) : Problem.invalid("path", fault);
    return problem.to(request);
  }

  @ServerExceptionMapper
  Response failure(Throwable e, HttpServerRequest request) {
    LOG.errorf(e, "%s %s failed", request.method(), request.path());
    return Problem.of(ProblemCode.INTERNAL_ERROR, "the failure was logged").to(request);
  }
}
