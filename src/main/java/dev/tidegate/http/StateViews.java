package dev.tidegate.http;

import dev.tidegate.service.Resolved;
import dev.tidegate.service.Warnings;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Shows a state to callers. */
final class StateViews {

  private StateViews() {}

  /** An answer that shows a state, with the header fields that tell of it. */
  static Response response(
      Response.Status status, QuotaState state, @Nullable Resolved on, Object body) {
    Response.ResponseBuilder response = Response.status(status).entity(body);
    RateLimitFields.of(state, on).forEach(response::header);
    return response.build();
  }

  /** Every limit of every level. */
  static List<LimitView> limits(String resource, QuotaState state) {
    List<LimitView> views = new ArrayList<>();
    for (LevelState level : state.levels()) {
      level.limits().forEach(limit -> views.add(LimitView.toApi(resource, level, limit)));
    }
    return views;
  }

  /** By meter the least that any of these levels leaves; null = without bound. */
  static Map<String, @Nullable Long> available(List<LevelState> levels) {
    Map<String, @Nullable Long> available = new TreeMap<>();
    for (LevelState level : levels) {
      for (LimitState limit : level.limits()) {
        available.merge(limit.meter(), unbounded(limit.remaining()), Math::min);
      }
    }
    available.replaceAll((meter, amount) -> amount == Long.MAX_VALUE ? null : amount);
    return available;
  }

  private static long unbounded(@Nullable Long amount) {
    return amount == null ? Long.MAX_VALUE : amount;
  }

  /** Whether a parent leaves less of any meter than the subject's own limits. */
  static boolean isBoundByParent(QuotaState state) {
    LevelState own = state.levels().getFirst();
    return state.levels().stream()
        .skip(1)
        .flatMap(level -> level.limits().stream())
        .anyMatch(limit -> binds(limit, own));
  }

  /** Whether a parent's limit leaves less of its meter than the subject's own limits. */
  static boolean binds(LimitState limit, LevelState own) {
    long left = unbounded(limit.remaining());
    return left < Long.MAX_VALUE
        && own.limits().stream()
            .filter(mine -> mine.meter().equals(limit.meter()))
            .allMatch(mine -> left < unbounded(mine.remaining()));
  }

  /** What the plans want known. */
  static List<Warning> warnings(QuotaState state, @Nullable Resolved on) {
    return Warnings.of(state, on).stream().map(Warning::toApi).toList();
  }
}
