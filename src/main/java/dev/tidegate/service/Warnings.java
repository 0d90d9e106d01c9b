package dev.tidegate.service;

import dev.tidegate.domain.Limit;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.service.Resolved.ResolvedLevel;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells which limits are so far spent that their plan wants it known. */
public final class Warnings {

  private Warnings() {}

  /**
   * A limit that is spent so far.
   *
   * @param percent the highest percentage of the plan's {@code warn_at_percent} that is reached
   */
  public record Warning(SubjectId subject, LimitState limit, int percent) {}

  /** What the plans want known of a state. */
  public static List<Warning> of(QuotaState state, @Nullable Resolved on) {
    List<Warning> warnings = new ArrayList<>();
    for (LevelState level : state.levels()) {
      ResolvedLevel applying = on == null ? null : on.levelOf(level.subject());
      if (applying == null) {
        continue;
      }
      for (LimitState limit : level.limits()) {
        reached(limit, applying.limit(limit.name()))
            .ifPresent(percent -> warnings.add(new Warning(level.subject(), limit, percent)));
      }
    }
    return warnings;
  }

  private static Optional<Integer> reached(LimitState limit, @Nullable Limit planned) {
    Long amount = limit.amount();
    if (planned == null || amount == null) {
      return Optional.empty();
    }
    double spent = (double) limit.used() + limit.held();
    double whole = (double) amount + limit.topup();
    return planned.options().warnAtPercent().stream()
        .filter(percent -> spent > 0 && spent * 100 >= whole * percent)
        .max(Integer::compare);
  }
}
