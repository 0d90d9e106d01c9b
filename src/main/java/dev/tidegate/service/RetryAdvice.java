package dev.tidegate.service;

import dev.tidegate.domain.Limit;
import dev.tidegate.domain.ReturnSpread;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.service.Resolved.ResolvedLevel;
import dev.tidegate.store.Outcome.Refusal;
import dev.tidegate.store.Outcome.Refused;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Advises when to come back after a refusal that waiting helps. */
public final class RetryAdvice {

  private RetryAdvice() {}

  /**
   * The wait until everything fits; one that ends at the reset of the named limit goes on to the
   * subject's place in the window that the plan spreads the waiting over.
   *
   * @return milliseconds, never less than {@link Refused#retryAfterMillis()}
   */
  public static long millis(Refused refused, @Nullable Resolved on) {
    SubjectId caller = refused.state().levels().getFirst().subject();
    return refused.retryAfterMillis()
        + ReturnSpread.offsetMillis(caller, windowSeconds(refused, on));
  }

  private static int windowSeconds(Refused refused, @Nullable Resolved on) {
    Refusal named = refused.named();
    LimitState limit = refused.limit(named);
    if (on == null || limit == null || !isForItsReset(refused, limit)) {
      return 0;
    }
    List<LevelState> levels = refused.state().levels();
    ResolvedLevel applying = on.levelOf(levels.get(named.level()).subject());
    Limit planned = applying == null ? null : applying.limit(limit.name());
    return planned == null ? 0 : planned.options().returnSpreadSeconds();
  }

  /** Whether the wait is for the end of the limit's period, and not for a lease or a rate. */
  private static boolean isForItsReset(Refused refused, LimitState limit) {
    return limit.hasPeriods()
        && refused.state().now().plusMillis(refused.retryAfterMillis()).equals(limit.resetAt());
  }
}
