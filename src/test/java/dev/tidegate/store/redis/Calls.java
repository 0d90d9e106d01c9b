package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.SampleTerms.tokens;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.store.Grant;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The calls of {@link ScriptRows}, short enough for a table. Scopes are made for the clock of the
 * call.
 */
final class Calls {

  private Calls() {}

  /** A scope for an instant. */
  interface ScopeAt extends Function<Instant, Scope> {}

  /** What happened before. */
  @SafeVarargs
  static Consumer<RedisFixture> given(Function<RedisFixture, ?>... steps) {
    return fixture -> {
      for (Function<RedisFixture, ?> step : steps) {
        var unused = step.apply(fixture);
      }
    };
  }

  static Consumer<RedisFixture> nothing() {
    return fixture -> {};
  }

  /** Moves the clock by that many milliseconds. */
  static Function<RedisFixture, Instant> after(long millis) {
    return fixture -> {
      fixture.at(fixture.now().plusMillis(millis));
      return fixture.now();
    };
  }

  static Function<RedisFixture, Instant> at(Instant instant) {
    return fixture -> {
      fixture.at(instant);
      return instant;
    };
  }

  /** Writes the versions of the records of all levels. */
  static Function<RedisFixture, Integer> registered(ScopeAt scope, long version) {
    return fixture -> {
      Scope on = scope.apply(fixture.now());
      on.levels().forEach(level -> fixture.register(on.root(), level.subject(), version));
      return on.levels().size();
    };
  }

  static Function<RedisFixture, Outcome> reserve(ScopeAt scope, int n, long amount) {
    return reserve(scope, n, amount, Duration.ofMinutes(1), null);
  }

  static Function<RedisFixture, Outcome> reserve(
      ScopeAt scope, int n, long amount, Duration ttl, @Nullable IdempotencyKey key) {
    return reserve(scope, n, tokens(amount), ttl, false, key);
  }

  static Function<RedisFixture, Outcome> dryRun(ScopeAt scope, long amount) {
    return reserve(scope, 0, tokens(amount), Duration.ofMinutes(1), true, null);
  }

  static Function<RedisFixture, Outcome> reserve(
      ScopeAt scope,
      int n,
      Amounts amounts,
      Duration ttl,
      boolean dryRun,
      @Nullable IdempotencyKey key) {
    return fixture -> {
      Scope on = scope.apply(fixture.now());
      return RedisFixture.get(
          fixture.store().reserve(on, ScriptRows.id(on, n), amounts, ttl, dryRun, key));
    };
  }

  static Function<RedisFixture, Outcome> settle(ScopeAt scope, int n, long amount) {
    return settle(scope, n, tokens(amount), null);
  }

  static Function<RedisFixture, Outcome> settle(
      ScopeAt scope, int n, @Nullable Amounts amounts, @Nullable IdempotencyKey key) {
    return fixture -> {
      Scope on = scope.apply(fixture.now());
      return RedisFixture.get(
          fixture
              .store()
              .settle(on, ScriptRows.id(on, n), amounts == null ? null : Bill.of(amounts), key));
    };
  }

  static Function<RedisFixture, Outcome> release(ScopeAt scope, int n) {
    return release(scope, n, null);
  }

  static Function<RedisFixture, Outcome> release(
      ScopeAt scope, int n, @Nullable IdempotencyKey key) {
    return fixture -> {
      Scope on = SampleTerms.withoutLimits(scope.apply(fixture.now()));
      return RedisFixture.get(fixture.store().release(on, ScriptRows.id(on, n), key));
    };
  }

  static Function<RedisFixture, Outcome> extend(ScopeAt scope, int n, Duration ttl) {
    return extend(scope, n, ttl, null);
  }

  static Function<RedisFixture, Outcome> extend(
      ScopeAt scope, int n, Duration ttl, @Nullable IdempotencyKey key) {
    return fixture -> {
      Scope on = SampleTerms.withoutLimits(scope.apply(fixture.now()));
      return RedisFixture.get(fixture.store().extend(on, ScriptRows.id(on, n), ttl, key));
    };
  }

  static Function<RedisFixture, Outcome> find(ScopeAt scope, int n) {
    return fixture -> {
      Scope on = scope.apply(fixture.now());
      return RedisFixture.get(fixture.store().find(on, ScriptRows.id(on, n)));
    };
  }

  static Function<RedisFixture, Outcome> charge(ScopeAt scope, long amount) {
    return charge(scope, tokens(amount), null);
  }

  static Function<RedisFixture, Outcome> charge(
      ScopeAt scope, Amounts amounts, @Nullable IdempotencyKey key) {
    return fixture ->
        RedisFixture.get(
            fixture
                .store()
                .charge(scope.apply(fixture.now()), Bill.of(amounts), SampleTerms.DAY, key));
  }

  private static Grant grant(@Nullable IdempotencyKey key) {
    return new Grant("olga", "operator", null, null, key);
  }

  static Function<RedisFixture, Outcome> purchase(ScopeAt scope, long amount) {
    return purchase(scope, amount, null);
  }

  static Function<RedisFixture, Outcome> purchase(
      ScopeAt scope, long amount, @Nullable IdempotencyKey key) {
    return fixture ->
        RedisFixture.get(
            fixture
                .grants()
                .purchase(scope.apply(fixture.now()), Amounts.of("daily", amount), grant(key)));
  }

  static Function<RedisFixture, Outcome> reset(ScopeAt scope) {
    return fixture ->
        RedisFixture.get(
            fixture.grants().reset(scope.apply(fixture.now()), Set.of("daily"), grant(null)));
  }

  static Function<RedisFixture, Outcome> read(ScopeAt scope) {
    return fixture -> RedisFixture.get(fixture.store().read(scope.apply(fixture.now())));
  }

  static Function<RedisFixture, Outcome> readPeriods(ScopeAt scope) {
    return fixture -> RedisFixture.get(fixture.store().readPeriods(scope.apply(fixture.now())));
  }
}
