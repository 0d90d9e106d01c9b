package dev.tidegate.http;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Says that so much of a limit is used or held that the plan wants it known.
 *
 * @param percent the highest percentage of {@code warn_at_percent} that is reached
 */
@RegisterForReflection
record Warning(
    String code, String subject, String limit, String meter, int percent, long used, long held) {

  static final String CODE = "quota-warning";
}
