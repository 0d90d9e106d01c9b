package dev.tidegate.http;

import dev.tidegate.service.Answer;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.service.Resolved;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers to grants. */
final class GrantAnswers {

  private GrantAnswers() {}

  /**
   * A top-up.
   *
   * @param amounts by limit, what was really added
   */
  @RegisterForReflection
  record ToppedUp(
      Map<String, Long> amounts, long version, boolean replayed, List<LimitView> limits) {}

  /**
   * A reset.
   *
   * @param changed false when there was nothing to reset
   */
  @RegisterForReflection
  record WasReset(List<LimitReset> limits, long version, boolean changed, boolean replayed) {

    /**
     * One limit that was reset.
     *
     * @param previousPeriod null = there was none
     * @param period null = the next use opens one, or the limit has no periods
     */
    @RegisterForReflection
    record LimitReset(
        String name,
        QuotaViews.@Nullable OnePeriod previousPeriod,
        QuotaViews.@Nullable OnePeriod period,
        @Nullable Instant resetAt) {

      static LimitReset toApi(Outcome.LimitReset reset, LevelState level) {
        var previous = reset.previous();
        LimitState state =
            level.limits().stream()
                .filter(limit -> limit.name().equals(reset.limit()))
                .findFirst()
                .orElseThrow();
        return new LimitReset(
            reset.limit(),
            previous == null ? null : QuotaViews.OnePeriod.toApi(previous),
            QuotaViews.OnePeriod.current(state),
            state.resetAt());
      }
    }
  }

  /**
   * The answer to a grant.
   *
   * @param named the resource as the caller named it
   */
  static Response of(Answer<Outcome.Granting> answer, String named) {
    if (!(answer instanceof Decided<Outcome.Granting>(Outcome.Granting outcome, Resolved on))) {
      throw Refusals.of(answer).exception();
    }
    return switch (outcome) {
      case Outcome.ToppedUp toppedUp -> toppedUp(toppedUp, on == null ? named : on.resource());
      case Outcome.WasReset reset -> reset(reset);
      case Outcome.VersionConflict conflict ->
          throw Problem.of(
                  ProblemCode.VERSION_CONFLICT,
                  "the quota was granted or has rolled over in between; read it again")
              .with("version", conflict.version())
              .withReplay(conflict.replayed())
              .withHeader(HttpHeaders.ETAG, "\"" + conflict.version() + "\"")
              .exception();
      case Outcome.TopUpCapReached cap ->
          throw capReached(
                  ProblemCode.TOPUP_CAP_REACHED,
                  "as many emergency top-ups were granted as the plan allows",
                  cap.limit(),
                  cap.nextAvailableAt())
              .withReplay(cap.replayed())
              .exception();
      case Outcome.RestartCapReached cap ->
          throw capReached(
                  ProblemCode.RESTART_CAP_REACHED,
                  "the limit was restarted as often as the plan allows",
                  cap.limit(),
                  cap.nextAvailableAt())
              .withReplay(cap.replayed())
              .exception();
      case Outcome.TopUpOverflow(String limit, boolean replayed) ->
          throw Refusals.overflow(limit).withReplay(replayed).exception();
      case Outcome.TopUpUnsupported(String limit) ->
          throw Problem.of(
                  ProblemCode.TOPUP_NOT_SUPPORTED, "the plan has no emergency top-ups for it")
              .with("limit", limit)
              .exception();
      case Outcome.RestartUnsupported(String limit) ->
          throw Problem.of(
                  ProblemCode.RESTART_NOT_SUPPORTED,
                  "only limits with a calendar or fixed schedule can be restarted")
              .with("limit", limit)
              .exception();
      case Outcome.KeyReused reused -> throw Refusals.keyReused().exception();
      case Outcome.NotFound unknown -> throw new IllegalStateException("nothing was looked up");
      case Outcome.Stale stale -> throw Refusals.stillStale(stale);
    };
  }

  private static Problem capReached(ProblemCode code, String detail, String limit, Instant next) {
    return Problem.of(code, detail).with("limit", limit).with("next_available_at", next);
  }

  private static Response toppedUp(Outcome.ToppedUp toppedUp, String resource) {
    QuotaState state = toppedUp.state();
    long version = version(state);
    return tagged(
        new ToppedUp(
            toppedUp.granted().byMeter(),
            version,
            toppedUp.replayed(),
            StateViews.limits(resource, state)),
        version);
  }

  private static Response reset(Outcome.WasReset reset) {
    LevelState level = reset.state().levels().getFirst();
    List<WasReset.LimitReset> limits =
        reset.limits().stream().map(limit -> WasReset.LimitReset.toApi(limit, level)).toList();
    return tagged(
        new WasReset(limits, level.version(), reset.changed(), reset.replayed()), level.version());
  }

  private static long version(QuotaState state) {
    return state.levels().getFirst().version();
  }

  private static Response tagged(Object body, long version) {
    return Response.ok(body).tag(new EntityTag(Long.toString(version))).build();
  }
}
