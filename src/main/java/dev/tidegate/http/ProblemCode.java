package dev.tidegate.http;

import java.util.Locale;

/** Every code of a problem, with its status and title. */
enum ProblemCode {
  INVALID_REQUEST(400, "The request is invalid"),
  UNAUTHENTICATED(401, "The caller is not known"),
  FORBIDDEN(403, "The caller may not do this"),
  RESOURCE_DISABLED(403, "The resource is disabled"),
  NOT_FOUND(404, "There is nothing at this path"),
  SUBJECT_NOT_FOUND(404, "The subject does not exist"),
  RESOURCE_NOT_FOUND(404, "The resource does not exist"),
  LIMIT_NOT_FOUND(404, "The limit does not exist"),
  RESERVATION_NOT_FOUND(404, "The reservation does not exist"),
  PLAN_NOT_FOUND(404, "The plan does not exist"),
  METHOD_NOT_ALLOWED(405, "The method is not allowed here"),
  NOT_ACCEPTABLE(406, "The answer has no acceptable form"),
  VERSION_CONFLICT(409, "The version is another by now"),
  TOPUP_CAP_REACHED(409, "As many emergency top-ups were granted as there may be"),
  RESTART_CAP_REACHED(409, "The limit was restarted as often as it may be"),
  RESERVATION_CLOSED(409, "The reservation is closed"),
  ALREADY_SETTLED(409, "The reservation was settled before, with other amounts"),
  PLAN_MANAGED_BY_FILE(409, "The plan is managed by a file"),
  HAS_MEMBERS(409, "The subject has members"),
  HAS_STATE(409, "There is metered state"),
  REQUEST_TOO_LARGE(413, "The request is too large"),
  UNSUPPORTED_MEDIA_TYPE(415, "The body must be JSON"),
  EXCEEDS_CAPACITY(422, "The amount can never fit"),
  IDEMPOTENCY_KEY_REUSED(422, "The idempotency key was used for another call"),
  TOPUP_NOT_SUPPORTED(422, "The limit has no emergency top-ups"),
  RESTART_NOT_SUPPORTED(422, "The limit cannot be restarted"),
  PRECONDITION_REQUIRED(428, "The call needs If-Match"),
  QUOTA_EXHAUSTED(429, "The quota is exhausted"),
  RATE_LIMITED(429, "The rate limit is reached"),
  TOO_MANY_HOLDS(429, "Too many live reservations"),
  INTERNAL_ERROR(500, "The service failed"),
  NOT_CONFIRMED(503, "The grant was made, but is not as safe yet as it is meant to be"),
  STORE_UNAVAILABLE(503, "The store is not available");

  private final int status;
  private final String title;

  ProblemCode(int status, String title) {
    this.status = status;
    this.title = title;
  }

  int status() {
    return status;
  }

  String title() {
    return title;
  }

  /**
   * The code as callers see it, such as {@code quota-exhausted}; a too large body and a wrong one
   * are invalid requests.
   */
  String word() {
    ProblemCode code =
        this == REQUEST_TOO_LARGE || this == UNSUPPORTED_MEDIA_TYPE ? INVALID_REQUEST : this;
    return code.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
