package dev.tidegate.observe;

import dev.tidegate.domain.Amounts;
import dev.tidegate.observe.DecisionMeters.Call;
import dev.tidegate.observe.DecisionMeters.Kind;
import dev.tidegate.service.Answer;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.service.CallObserver;
import dev.tidegate.service.Resolved;
import dev.tidegate.service.Resolved.ResolvedLevel;
import dev.tidegate.service.Warnings;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Outcome.Refusal;
import dev.tidegate.store.Outcome.Refused;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.QuotaState.LimitState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts what came of calls. Counters are made once and then found without building a name; none of
 * their labels names a subject, a reservation or a key.
 */
@ApplicationScoped
class CallMeters implements CallObserver {

  /** Plans declare a handful of meters each. */
  static final int MAX_METERS = 100;

  /** What can be replayed, and why a call can be decided anew: there from the start. */
  private static final List<String> REPLAYED =
      List.of(
          "reserve",
          "settle",
          "release",
          "extend",
          "charge",
          "purchase",
          "emergency",
          "reset",
          "restart");

  private static final List<String> REASONS =
      List.of("period", "anchor", "configuration", "levels");

  private final DecisionMeters decisions;
  private final GrantMeters grants;
  private final Bounded<Counter> replays;
  private final Bounded<Counter> anew;
  private final Bounded<Counter> chargedUnits;
  private final Bounded<Counter> oversettledUnits;
  private final Counter warnings;
  private final Counter taken;
  private final Counter settledInTime;
  private final Counter settledLate;
  private final Counter released;
  private final Counter extended;

  CallMeters(MeterRegistry registry) {
    Counters counters = new Counters(registry);
    decisions = new DecisionMeters(registry);
    grants = new GrantMeters(registry);
    replays =
        counters.by(
            "operation", "tidegate.replays", "Calls that got the first answer to an earlier one");
    anew =
        counters.by(
            "reason", "tidegate.decided.anew", "Decisions that were repeated with what is newer");
    chargedUnits =
        counters.by("meter", "tidegate.charged.units", "Units that settlements and charges cost");
    oversettledUnits =
        counters.by("meter", "tidegate.oversettled.units", "Units settled above what was reserved");
    warnings =
        counters.one(
            "tidegate.warnings",
            "Warnings in metering answers: limits spent as far as warn_at_percent says");
    taken = counters.one("tidegate.reservations.taken", "Reservations that were taken");
    released = counters.one("tidegate.reservations.released", "Reservations that were released");
    extended = counters.one("tidegate.reservations.extended", "Leases that were made longer");
    Bounded<Counter> settled =
        counters.by("late", "tidegate.reservations.settled", "Reservations that were settled");
    REPLAYED.forEach(replays::of);
    REASONS.forEach(anew::of);
    settledInTime = settled.of("false");
    settledLate = settled.of("true");
  }

  /** Makes counters. */
  private record Counters(MeterRegistry registry) {

    Counter one(String name, String description) {
      return Counter.builder(name).description(description).register(registry);
    }

    Bounded<Counter> by(String label, String name, String description) {
      return new Bounded<>(
          MAX_METERS,
          value ->
              Counter.builder(name).description(description).tag(label, value).register(registry));
    }
  }

  @Override
  public void reserved(
      boolean dryRun, @Nullable Answer<Outcome.Reserving> answer, @Nullable Throwable failure) {
    Call call = dryRun ? Call.DRY_RUN : Call.RESERVE;
    if (!(answer instanceof Decided<Outcome.Reserving>(Outcome.Reserving outcome, Resolved on))) {
      undecided(call, answer, failure);
      return;
    }
    switch (outcome) {
      case Outcome.Held held when held.replayed() -> replays.of("reserve").increment();
      case Outcome.Held held -> {
        taken.increment();
        decisions.count(call, Code.ADMITTED, Kind.NONE, planOf(on));
        warn(held.state(), on);
      }
      case Outcome.Fits fits -> decisions.count(call, Code.ADMITTED, Kind.NONE, planOf(on));
      case Refused refused -> refused(call, refused, on);
      case Outcome.KeyReused reused ->
          decisions.count(call, Code.IDEMPOTENCY_KEY_REUSED, Kind.NONE, planOf(on));
      case Outcome.Stale stale -> undecided(call, null, null);
    }
  }

  @Override
  public void charged(@Nullable Answer<Outcome.Charging> answer, @Nullable Throwable failure) {
    if (!(answer instanceof Decided<Outcome.Charging>(Outcome.Charging outcome, Resolved on))) {
      undecided(Call.CHARGE, answer, failure);
      return;
    }
    switch (outcome) {
      case Outcome.Charged charged when charged.replayed() -> replays.of("charge").increment();
      case Outcome.Charged charged -> {
        decisions.count(Call.CHARGE, Code.ADMITTED, Kind.NONE, planOf(on));
        add(charged.charged(), chargedUnits);
        warn(charged.state(), on);
      }
      case Refused refused -> refused(Call.CHARGE, refused, on);
      case Outcome.KeyReused reused ->
          decisions.count(Call.CHARGE, Code.IDEMPOTENCY_KEY_REUSED, Kind.NONE, planOf(on));
      case Outcome.Stale stale -> undecided(Call.CHARGE, null, null);
    }
  }

  private void undecided(Call call, @Nullable Answer<?> answer, @Nullable Throwable failure) {
    decisions.count(call, codeOf(answer, failure), Kind.NONE, null);
  }

  private static Code codeOf(@Nullable Answer<?> answer, @Nullable Throwable failure) {
    if (answer != null) {
      return Code.of(answer);
    }
    return failure == null ? Code.INTERNAL_ERROR : Code.of(failure);
  }

  /** The limit that frees last says what kind of denial it is. */
  private void refused(Call call, Refused refused, @Nullable Resolved on) {
    Refusal named = refused.named();
    LimitState limit = refused.limit(named);
    ResolvedLevel level =
        on == null ? null : on.levelOf(refused.state().levels().get(named.level()).subject());
    decisions.count(
        call,
        codeOf(refused, limit),
        limit == null ? Kind.NONE : Kind.of(limit.kind()),
        level == null ? planOf(on) : level.plan());
  }

  private static Code codeOf(Refused refused, @Nullable LimitState limit) {
    return switch (refused.reason()) {
      case DENIED -> limit == null || limit.hasPeriods() ? Code.QUOTA_EXHAUSTED : Code.RATE_LIMITED;
      case TOO_MANY_HOLDS -> Code.TOO_MANY_HOLDS;
      case EXCEEDS -> Code.EXCEEDS_CAPACITY;
      case OVERFLOW -> Code.INVALID_REQUEST;
    };
  }

  private static @Nullable String planOf(@Nullable Resolved on) {
    return on == null ? null : on.subject().plan();
  }

  private void warn(QuotaState state, @Nullable Resolved on) {
    int given = Warnings.of(state, on).size();
    if (given > 0) {
      warnings.increment(given);
    }
  }

  private static void add(Amounts amounts, Bounded<Counter> to) {
    amounts.byMeter().forEach((meter, amount) -> to.of(meter).increment(amount.doubleValue()));
  }

  @Override
  public void settled(Answer<Outcome.Settling> answer) {
    if (!(answer instanceof Decided<Outcome.Settling>(Outcome.Settling outcome, Resolved on))) {
      return;
    }
    switch (outcome) {
      case Outcome.Settled settled when settled.replayed() -> replays.of("settle").increment();
      case Outcome.Settled settled -> {
        (settled.late() ? settledLate : settledInTime).increment();
        add(settled.charged(), chargedUnits);
        add(settled.above(), oversettledUnits);
        warn(settled.state(), on);
      }
      default -> {}
    }
  }

  @Override
  public void released(Answer<Outcome.Releasing> answer) {
    if (answer instanceof Decided<?>(Outcome.Closed closed, Resolved on)) {
      if (closed.replayed()) {
        replays.of("release").increment();
      } else if (closed.changed()) {
        released.increment();
      }
    }
  }

  @Override
  public void extended(Answer<Outcome.Extending> answer) {
    if (answer instanceof Decided<?>(Outcome.Extended longer, Resolved on)) {
      if (longer.replayed()) {
        replays.of("extend").increment();
      } else {
        extended.increment();
      }
    }
  }

  @Override
  public void granted(
      GrantKind kind, @Nullable Answer<Outcome.Granting> answer, @Nullable Throwable failure) {
    if (!(answer instanceof Decided<Outcome.Granting>(Outcome.Granting outcome, Resolved on))) {
      grants.count(kind, codeOf(answer, failure));
    } else if (isReplayed(outcome)) {
      replays.of(GrantMeters.word(kind)).increment();
    } else {
      grants.count(kind, codeOf(outcome));
      if (outcome instanceof Outcome.ToppedUp toppedUp) {
        add(kind, toppedUp);
      }
    }
  }

  private static boolean isReplayed(Outcome.Granting outcome) {
    return switch (outcome) {
      case Outcome.ToppedUp toppedUp -> toppedUp.replayed();
      case Outcome.WasReset reset -> reset.replayed();
      case Outcome.VersionConflict conflict -> conflict.replayed();
      case Outcome.TopUpCapReached cap -> cap.replayed();
      case Outcome.RestartCapReached cap -> cap.replayed();
      case Outcome.TopUpOverflow overflow -> overflow.replayed();
      default -> false;
    };
  }

  private static Code codeOf(Outcome.Granting outcome) {
    return switch (outcome) {
      case Outcome.ToppedUp toppedUp ->
          toppedUp.granted().byMeter().values().stream().allMatch(amount -> amount == 0)
              ? Code.UNCHANGED
              : Code.GRANTED;
      case Outcome.WasReset reset -> reset.changed() ? Code.GRANTED : Code.UNCHANGED;
      case Outcome.VersionConflict conflict -> Code.VERSION_CONFLICT;
      case Outcome.TopUpCapReached cap -> Code.TOPUP_CAP_REACHED;
      case Outcome.RestartCapReached cap -> Code.RESTART_CAP_REACHED;
      case Outcome.TopUpOverflow overflow -> Code.INVALID_REQUEST;
      case Outcome.TopUpUnsupported unsupported -> Code.TOPUP_NOT_SUPPORTED;
      case Outcome.RestartUnsupported unsupported -> Code.RESTART_NOT_SUPPORTED;
      case Outcome.KeyReused reused -> Code.IDEMPOTENCY_KEY_REUSED;
      case Outcome.NotFound unknown -> Code.INTERNAL_ERROR;
      case Outcome.Stale stale -> Code.INTERNAL_ERROR;
    };
  }

  /** Amounts are by the names of limits, which say little; the meters of these are counted. */
  private void add(GrantKind kind, Outcome.ToppedUp toppedUp) {
    for (LimitState limit : toppedUp.state().levels().getFirst().limits()) {
      Long amount = toppedUp.granted().byMeter().get(limit.name());
      if (amount != null) {
        grants.add(kind, limit.meter(), amount);
      }
    }
  }

  @Override
  public void decidedAnew(Outcome.Stale stale) {
    anew.of(
            switch (stale) {
              case Outcome.StalePeriod period -> "period";
              case Outcome.StaleAnchors anchors -> "anchor";
              case Outcome.StaleConfiguration configuration -> "configuration";
              case Outcome.StaleLevels levels -> "levels";
            })
        .increment();
  }
}
