package dev.tidegate.store.redis;

import dev.tidegate.store.StoreException.Kind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.redis.client.impl.types.ErrorType;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** How calls of Redis do. Every meter is made at the start, so that a call only finds its own. */
final class RedisMeters {

  /** From a script on an idle machine to ten times the default deadline. */
  private static final Duration[] BUCKETS =
      Arrays.stream(new long[] {500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000})
          .mapToObj(micros -> Duration.ofNanos(micros * 1000))
          .toArray(Duration[]::new);

  private final Map<Script, Timer> scripts = new EnumMap<>(Script.class);
  private final Map<Kind, Counter> failures = new EnumMap<>(Kind.class);
  private final Map<String, Counter> errors = new HashMap<>();
  private final Counter lapses;
  private final MeterRegistry registry;

  RedisMeters(MeterRegistry registry) {
    this.registry = registry;
    for (Script script : Script.values()) {
      scripts.put(
          script,
          Timer.builder("tidegate.script.duration")
              .description("From a call of a script to its answer, repetitions included")
              .tag("command", word(script))
              .serviceLevelObjectives(BUCKETS)
              .register(registry));
    }
    for (Kind kind : Kind.values()) {
      failures.put(
          kind,
          Counter.builder("tidegate.redis.failures")
              .description("Calls of Redis that failed in the end")
              .tag("kind", word(kind))
              .register(registry));
    }
    for (String code : RedisError.CODES) {
      errors.put(
          code,
          Counter.builder("tidegate.redis.errors")
              .description("Errors that Redis answered with, those included that were repeated")
              .tag("code", code)
              .register(registry));
    }
    this.lapses =
        Counter.builder("tidegate.reservations.lapsed")
            .description("Reservations whose lease ended before they were settled or released")
            .register(registry);
  }

  /** Shows how the lanes of a way do. */
  void watch(RedisWay way) {
    FunctionCounter.builder("tidegate.redis.commands", way, RedisWay::trips)
        .description("Commands sent to Redis")
        .register(registry);
    lanes(way, "open", LaneUse::open);
    lanes(way, "opening", LaneUse::opening);
    lanes(way, "closed", LaneUse::closed);
    Gauge.builder("tidegate.redis.commands.under.way", way, of(LaneUse::underWay))
        .description("Commands that Redis has yet to answer")
        .register(registry);
    Gauge.builder("tidegate.redis.commands.waiting", way, of(LaneUse::waiting))
        .description("Commands that wait for a connection")
        .register(registry);
  }

  private void lanes(RedisWay way, String state, Function<LaneUse, Integer> count) {
    Gauge.builder("tidegate.redis.lanes", way, of(count))
        .description("Connections to Redis that are held")
        .tag("state", state)
        .register(registry);
  }

  private static ToDoubleFunction<RedisWay> of(Function<LaneUse, Integer> count) {
    return way -> count.apply(way.use());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** A script answered after so long, whatever it answered. */
  void answered(Script script, long nanos) {
    Objects.requireNonNull(scripts.get(script)).record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Redis answered with an error. */
  void refused(ErrorType error) {
    Objects.requireNonNull(errors.get(RedisError.codeOf(error))).increment();
  }

  /** A call failed. */
  void failed(Kind kind) {
    Objects.requireNonNull(failures.get(kind)).increment();
  }

  /** So many leases had lapsed that a call came upon. */
  void lapsed(long count) {
    lapses.increment((double) count);
  }
}
