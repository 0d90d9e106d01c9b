package dev.tidegate.http;

import dev.tidegate.service.Warnings;
import dev.tidegate.store.QuotaState.LimitState;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Says that so much of a limit is used or held that the plan wants it known.
 *
 * @param percent the highest percentage of {@code warn_at_percent} that is reached
 */
@RegisterForReflection
record Warning(
    String code, String subject, String limit, String meter, int percent, long used, long held) {

  private static final String CODE = "quota-warning";

  static Warning toApi(Warnings.Warning warning) {
    LimitState limit = warning.limit();
    return new Warning(
        CODE,
        warning.subject().value(),
        limit.name(),
        limit.meter(),
        warning.percent(),
        limit.used(),
        limit.held());
  }
}
