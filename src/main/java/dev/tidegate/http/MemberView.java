package dev.tidegate.http;

import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.QuotaState.LimitState;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A limit of a parent as a member sees it: when it resets and whether it binds, no amounts.
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
    Period period = limit.period();
    return new MemberView(
        limit.name(),
        limit.meter(),
        "period",
        period == null ? null : period.end(),
        period == null ? null : LimitView.local(period.end(), limit.label()),
        limit.label().zone(),
        binds);
  }
}
