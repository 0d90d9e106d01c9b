package dev.tidegate.observe;

import dev.tidegate.service.Answer;
import dev.tidegate.store.StoreException;
import java.util.Locale;

/** What came of a call, by the word that its caller gets as the {@code code} of a problem. */
enum Code {
  ADMITTED,
  DEGRADED,
  GRANTED,
  UNCHANGED,
  QUOTA_EXHAUSTED,
  RATE_LIMITED,
  TOO_MANY_HOLDS,
  EXCEEDS_CAPACITY,
  INVALID_REQUEST,
  FORBIDDEN,
  RESOURCE_DISABLED,
  SUBJECT_NOT_FOUND,
  PLAN_NOT_FOUND,
  RESOURCE_NOT_FOUND,
  LIMIT_NOT_FOUND,
  RESERVATION_NOT_FOUND,
  VERSION_CONFLICT,
  TOPUP_CAP_REACHED,
  RESTART_CAP_REACHED,
  TOPUP_NOT_SUPPORTED,
  RESTART_NOT_SUPPORTED,
  IDEMPOTENCY_KEY_REUSED,
  NOT_CONFIRMED,
  STORE_UNAVAILABLE,
  INTERNAL_ERROR;

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** The code as callers see it, such as {@code quota-exhausted}. */
  String word() {
    return word;
  }

  /** Why an answer has no outcome. */
  static Code of(Answer<?> answer) {
    return switch (answer) {
      case Answer.Unknown<?> unknown ->
          switch (unknown.what()) {
            case SUBJECT -> SUBJECT_NOT_FOUND;
            case PLAN -> PLAN_NOT_FOUND;
            case RESOURCE -> RESOURCE_NOT_FOUND;
            case LIMIT -> LIMIT_NOT_FOUND;
            case RESERVATION -> RESERVATION_NOT_FOUND;
          };
      case Answer.Disabled<?> disabled -> RESOURCE_DISABLED;
      case Answer.Forbidden<?> forbidden -> FORBIDDEN;
      case Answer.Invalid<?> invalid -> INVALID_REQUEST;
      case Answer.Degraded<?> degraded -> DEGRADED;
      case Answer.Decided<?> decided -> INTERNAL_ERROR;
    };
  }

  /** Why there is no answer. */
  static Code of(Throwable failure) {
    if (!(failure instanceof StoreException lost)) {
      return INTERNAL_ERROR;
    }
    return switch (lost.kind()) {
      case AWAY, REFUSED, UNANSWERED -> STORE_UNAVAILABLE;
      case UNCONFIRMED -> NOT_CONFIRMED;
      case FAULT -> INTERNAL_ERROR;
    };
  }
}
