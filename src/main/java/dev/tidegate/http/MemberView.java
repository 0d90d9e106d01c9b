package dev.tidegate.http;

import dev.tidegate.store.QuotaState.LimitState;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A limit of a parent as a member sees it: when it is free again and whether it binds, no amounts.
 *
 * @param binds whether it leaves less than the member's own limits on the meter
 */
@RegisterForReflection
record MemberView(
    String name,
    String meter,
    String kind,
    @Nullable Instant resetAt,
    @Nullable String resetAtLocal,
    String zone,
    boolean binds) {

  static MemberView toApi(LimitState limit, boolean binds) {
    return new MemberView(
        limit.name(),
        limit.meter(),
        LimitView.kind(limit),
        limit.resetAt(),
        limit.resetAt() == null ? null : LimitView.local(limit.resetAt(), limit.label()),
        limit.label().zone(),
        binds);
  }
}
