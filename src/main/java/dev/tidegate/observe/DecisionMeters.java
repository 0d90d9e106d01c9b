package dev.tidegate.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts decisions by what was asked, the code, the kind of the limit that refuses, and the plan.
 */
final class DecisionMeters {

  /** With every call, code and kind, some thousands of lines at the very most are in use. */
  private static final int MAX_PLANS = 200;

  /** The plan of calls that none applies to. */
  private static final String NO_PLAN = "none";

  /** What was asked. */
  enum Call {
    RESERVE,
    DRY_RUN,
    CHARGE
  }

  /** The kind of the limit that a refusal names. */
  enum Kind {
    NONE,
    PERIOD,
    SESSION,
    TOKEN_BUCKET,
    SLIDING;

    static Kind of(String kind) {
      return switch (kind) {
        case "period" -> PERIOD;
        case "session" -> SESSION;
        case "token_bucket" -> TOKEN_BUCKET;
        case "sliding" -> SLIDING;
        default -> NONE;
      };
    }
  }

  /** What is counted apart within a plan. */
  private record Decision(Call call, Code code, Kind kind) {}

  private final MeterRegistry registry;
  private final Bounded<OfPlan> plans = new Bounded<>(MAX_PLANS, OfPlan::new);

  DecisionMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** The counters of a plan, each made when it is first needed. */
  private final class OfPlan {

    private final String plan;
    private final Map<Decision, Counter> counters = new ConcurrentHashMap<>();

    OfPlan(String plan) {
      this.plan = plan;
    }

    Counter counter(Decision decision) {
      Counter known = counters.get(decision);
      return known == null ? counters.computeIfAbsent(decision, this::made) : known;
    }

    private Counter made(Decision decision) {
      return Counter.builder("tidegate.decisions")
          .description("Reservations, dry runs and charges that were decided")
          .tag("operation", decision.call().name().toLowerCase(Locale.ROOT))
          .tag("code", decision.code().word())
          .tag("kind", decision.kind().name().toLowerCase(Locale.ROOT))
          .tag("plan", plan)
          .register(registry);
    }
  }

  /**
   * Counts one decision.
   *
   * @param plan of the level that refuses, else of the subject; null = none applies
   */
  void count(Call call, Code code, Kind kind, @Nullable String plan) {
    plans.of(plan == null ? NO_PLAN : plan).counter(new Decision(call, code, kind)).increment();
  }
}
