package dev.tidegate.http;

import dev.tidegate.service.Answer;
import dev.tidegate.service.Resolved;
import dev.tidegate.service.RetryAdvice;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Outcome.Refusal;
import dev.tidegate.store.Outcome.Refused;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns refusals into problems. */
final class Refusals {

  private Refusals() {}

  /** The problem of an answer without an outcome. */
  static Problem of(Answer<?> answer) {
    return switch (answer) {
      case Answer.Unknown<?> unknown -> Problem.of(code(unknown), unknown.detail());
      case Answer.Disabled<?> disabled ->
          Problem.of(ProblemCode.RESOURCE_DISABLED, "the resource is disabled for this subject")
              .with("subject", disabled.level().value());
      case Answer.Forbidden<?> forbidden -> Problem.of(ProblemCode.FORBIDDEN, forbidden.detail());
      case Answer.Invalid<?> invalid -> Problem.invalid(invalid.faults());
      case Answer.Degraded<?> degraded ->
          throw new IllegalStateException("it was let through: " + degraded.amounts());
      case Answer.Decided<?> decided ->
          throw new IllegalStateException("it was decided: " + decided.outcome());
    };
  }

  private static ProblemCode code(Answer.Unknown<?> unknown) {
    return switch (unknown.what()) {
      case SUBJECT -> ProblemCode.SUBJECT_NOT_FOUND;
      case PLAN -> ProblemCode.PLAN_NOT_FOUND;
      case RESOURCE -> ProblemCode.RESOURCE_NOT_FOUND;
      case LIMIT -> ProblemCode.LIMIT_NOT_FOUND;
      case RESERVATION -> ProblemCode.RESERVATION_NOT_FOUND;
    };
  }

  /** A service repeats what is stale until it is not, or fails. */
  static IllegalStateException stillStale(Outcome.Stale stale) {
    return new IllegalStateException("decided with something stale: " + stale);
  }

  static Problem keyReused() {
    return Problem.of(
        ProblemCode.IDEMPOTENCY_KEY_REUSED,
        "the Idempotency-Key was used before, for another call or with another body");
  }

  /**
   * One body for all that is not there, so that nothing is told of other subjects' reservations.
   */
  static Problem reservationNotFound() {
    return Problem.of(
        ProblemCode.RESERVATION_NOT_FOUND,
        "no such reservation is known for this subject and resource; if it was ended long ago,"
            + " send a charge with an Idempotency-Key made from its id");
  }

  /**
   * The problem of a call that some limit refuses.
   *
   * @param on what applied to the subject
   */
  static Problem of(Refused refused, @Nullable Resolved on) {
    return switch (refused.reason()) {
      case OVERFLOW -> overflow(meter(refused, refused.named()));
      case EXCEEDS ->
          described(
              Problem.of(
                  ProblemCode.EXCEEDS_CAPACITY,
                  "the amount is more than the limit can ever hold; waiting does not help"),
              refused);
      case TOO_MANY_HOLDS ->
          waiting(
              Problem.of(
                  ProblemCode.TOO_MANY_HOLDS,
                  "the subject or a parent has as many live reservations as it may"),
              refused,
              on);
      case DENIED -> waiting(denied(refused), refused, on);
    };
  }

  /** The limit that frees last says what kind of denial it is. */
  private static Problem denied(Refused refused) {
    ProblemCode code = code(refused, refused.named());
    return code == ProblemCode.RATE_LIMITED
        ? Problem.of(code, "the amount does not fit the rate limit now")
        : Problem.of(code, "the amount does not fit the quota now");
  }

  static Problem overflow(@Nullable String meter) {
    return Problem.invalid(
        "$.amounts." + meter, "would bring a sum above 9007199254740991, the greatest amount");
  }

  private static Problem waiting(Problem problem, Refused refused, @Nullable Resolved on) {
    long advisedMillis = RetryAdvice.millis(refused, on);
    described(problem, refused)
        .with("retry_after_ms", refused.retryAfterMillis())
        .with("retry_advised_ms", advisedMillis)
        .withHeaders(RateLimitFields.of(refused, on))
        .withRetryAfter(advisedMillis);
    return refused.estimated() ? problem.with("retry_after_estimated", true) : problem;
  }

  /**
   * Names the limit that frees last among those that refuse for the reason given, and lists them
   * all.
   */
  private static Problem described(Problem problem, Refused refused) {
    describe(refused, refused.named()).forEach(problem::with);
    return problem.with(
        "violations",
        refused.refusals().stream().map(refusal -> violation(refused, refusal)).toList());
  }

  private static Map<String, Object> violation(Refused refused, Refusal refusal) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("code", code(refused, refusal).word());
    members.putAll(describe(refused, refusal));
    if (refusal.freesMillis() >= 0) {
      members.put("retry_after_ms", refusal.freesMillis());
    }
    return members;
  }

  private static ProblemCode code(Refused refused, Refusal refusal) {
    return switch (refusal.reason()) {
      case DENIED -> {
        LimitState limit = refused.limit(refusal);
        yield limit == null || limit.hasPeriods()
            ? ProblemCode.QUOTA_EXHAUSTED
            : ProblemCode.RATE_LIMITED;
      }
      case TOO_MANY_HOLDS -> ProblemCode.TOO_MANY_HOLDS;
      case EXCEEDS -> ProblemCode.EXCEEDS_CAPACITY;
      case OVERFLOW -> ProblemCode.INVALID_REQUEST;
    };
  }

  private static @Nullable String meter(Refused refused, Refusal refusal) {
    LimitState limit = refused.limit(refusal);
    return limit == null ? null : limit.meter();
  }

  private static Map<String, Object> describe(Refused refused, Refusal refusal) {
    LevelState level = refused.state().levels().get(refusal.level());
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("subject", level.subject().value());
    LimitState limit = refused.limit(refusal);
    if (limit != null) {
      members.put("limit", limit.name());
      members.put("meter", limit.meter());
      members.put("requested", refusal.requested());
      members.put("remaining", Objects.requireNonNullElse(limit.remaining(), 0L));
      members.put("used", limit.used());
      members.put("held", limit.held());
      if (limit.resetAt() != null) {
        members.put("reset_at", limit.resetAt());
        members.put("reset_at_local", LimitView.local(limit.resetAt(), limit.label()));
      }
    }
    return members;
  }
}
