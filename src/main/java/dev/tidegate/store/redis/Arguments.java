package dev.tidegate.store.redis;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Breakdown;
import dev.tidegate.domain.CategoryUse;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Level;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.Scope;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The arguments of a script, in the order that it reads them. */
final class Arguments {

  private final List<String> values = new ArrayList<>();
  private boolean keyed;

  Arguments add(String value) {
    values.add(value);
    return this;
  }

  Arguments add(long value) {
    return add(Long.toString(value));
  }

  Arguments add(boolean value) {
    return add(value ? "1" : "0");
  }

  Arguments add(Duration duration) {
    return add(duration.toMillis());
  }

  Arguments add(Instant instant) {
    return add(instant.toEpochMilli());
  }

  Arguments add(@Nullable IdempotencyKey key) {
    keyed = key != null;
    return add(key == null ? "" : key.fingerprint());
  }

  /** Whether an idempotency key makes that a call that has run is not run again. */
  boolean isKeyed() {
    return keyed;
  }

  Arguments add(Amounts amounts) {
    add(amounts.byMeter().size());
    amounts.byMeter().forEach((meter, amount) -> add(meter).add(amount));
    return this;
  }

  /** A breakdown, as {@code lib/usage.lua} reads it. */
  Arguments add(Breakdown breakdown) {
    add(breakdown.byMeter().size());
    breakdown
        .byMeter()
        .forEach(
            (meter, uses) -> {
              add(meter).add(uses.size());
              uses.forEach((category, use) -> add(category).add(use.units()).add(use.weighted()));
            });
    return this;
  }

  private void add(BigDecimal weighted) {
    BigDecimal[] parts = weighted.divideAndRemainder(BigDecimal.ONE);
    add(parts[0].longValueExact());
    add(parts[1].movePointRight(CategoryUse.DECIMALS).longValueExact());
  }

  /** The levels of a scope, as {@code lib/terms.lua} reads them. */
  Arguments add(Scope scope, int historyKept) {
    add(scope.plansGeneration()).add(scope.levels().size());
    for (Level level : scope.levels()) {
      add(level.subject().value())
          .add(
              level.recordVersion() == Level.ANY_VERSION
                  ? "*"
                  : Long.toString(level.recordVersion()))
          .add(Long.toString(level.incarnation()))
          .add(scope.resource())
          .add(level.maxHolds())
          .add(historyKept)
          .add(level.limits().size());
      level.limits().forEach(this::add);
    }
    return this;
  }

  private void add(LimitTerms limit) {
    String kind =
        switch (limit) {
          case LimitTerms.Periodic periodic -> "period";
          case LimitTerms.Session session -> "session";
          case LimitTerms.Bucket bucket -> "token_bucket";
          case LimitTerms.Sliding sliding -> "sliding";
        };
    Long amount = limit.amount();
    add(kind)
        .add(limit.name())
        .add(limit.meter())
        .add(amount == null ? "" : amount.toString())
        .add(limit.label().text());
    switch (limit) {
      case LimitTerms.Periodic periodic -> {
        add(periodic.deferrals());
        add(periodic.emergencies());
        add(periodic.current());
        add(periodic.next());
        Instant anchor = periodic.anchor();
        add(anchor == null ? 0 : anchor.toEpochMilli());
      }
      case LimitTerms.Session session -> {
        add(session.deferrals());
        add(session.emergencies());
        add(session.length());
      }
      case LimitTerms.Bucket bucket -> add(bucket.refill()).add(bucket.interval());
      case LimitTerms.Sliding sliding -> add(sliding.window()).add(sliding.buckets());
    }
  }

  private void add(List<LimitTerms.Deferral> deferrals) {
    add(deferrals.size());
    for (LimitTerms.Deferral deferral : deferrals) {
      Long before = deferral.amountBefore();
      add(deferral.changedAt().toEpochMilli()).add(before == null ? "" : before.toString());
    }
  }

  private void add(LimitTerms.Emergencies emergencies) {
    add(emergencies.max());
    if (emergencies.max() > 0) {
      add(emergencies.days().size());
      emergencies.days().forEach(day -> add(day.start()).add(day.end()));
    }
  }

  private void add(Period period) {
    add(period.start().toEpochMilli()).add(period.end().toEpochMilli()).add(period.ordinal());
  }

  List<String> values() {
    return values;
  }
}
