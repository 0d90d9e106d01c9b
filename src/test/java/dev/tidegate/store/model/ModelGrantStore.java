package dev.tidegate.store.model;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.AuditEvent;
import dev.tidegate.store.AuditEvent.Change;
import dev.tidegate.store.AuditEvent.Operation;
import dev.tidegate.store.AuditEvent.Quota;
import dev.tidegate.store.Grant;
import dev.tidegate.store.GrantStore;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Outcome.LimitReset;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.RestartTerms;
import dev.tidegate.store.Scope;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Grants in memory, on what the metering model remembers. */
public final class ModelGrantStore implements GrantStore {

  private static final long REMEMBERED_MILLIS = Duration.ofDays(3).toMillis();
  private static final long AUDIT_MILLIS = Duration.ofDays(400).toMillis();
  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
  private static final long NEAR_MILLIS = 2000;

  private record TrailOf(SubjectId root, SubjectId subject) {}

  private final ModelMeteringStore model;
  private final Map<TrailOf, List<AuditEvent>> trails = new HashMap<>();

  ModelGrantStore(ModelMeteringStore model) {
    this.model = model;
  }

  /** A grant that may be decided: what it is on, and how that was before. */
  private record Begun(
      Scope scope,
      Grant grant,
      LevelView level,
      long version,
      List<LimitView> limits,
      List<Quota> before) {

    long nowMillis() {
      return level.nowMillis();
    }

    boolean isOfAnotherVersion() {
      Long named = grant.ifVersion();
      return named != null && named != version;
    }
  }

  private interface Decision extends Function<Begun, Outcome.Granting> {}

  /**
   * Answers what was answered before, or that something is stale, or what {@code decision} says.
   */
  private Uni<Outcome.Granting> decide(
      Scope whole, Grant grant, Collection<String> names, Decision decision) {
    synchronized (model) {
      Scope scope = whole.ofSubject();
      Outcome earlier = model.answers.find(scope, grant.key(), model.clockMillis);
      if (earlier != null) {
        return Uni.createFrom().item((Outcome.Granting) earlier);
      }
      ModelMeteringStore.Viewed viewed = model.view(scope.levels(), scope);
      if (viewed.stale() != null) {
        return Uni.createFrom().item(viewed.stale());
      }
      LevelView level = viewed.view().levels().getFirst();
      List<LimitView> limits =
          level.limits().stream().filter(l -> names.contains(l.terms().name())).toList();
      List<Quota> before = limits.stream().map(LimitView::quota).toList();
      return Uni.createFrom()
          .item(decision.apply(new Begun(scope, grant, level, level.version(), limits, before)));
    }
  }

  private Outcome.Granting refused(Begun begun, Outcome.Granting refusal) {
    keep(begun, refusal);
    return refusal;
  }

  private Outcome.Granting conflict(Begun begun) {
    return refused(begun, new Outcome.VersionConflict(begun.version(), false));
  }

  private void keep(Begun begun, Outcome.Granting outcome) {
    long until = begun.nowMillis() + REMEMBERED_MILLIS;
    model.answers.keep(begun.scope(), begun.grant().key(), outcome, until);
  }

  @Override
  public Uni<Outcome.Granting> purchase(Scope scope, Amounts amounts, Grant grant) {
    Set<String> names = amounts.byMeter().keySet();
    return decide(
        scope,
        grant,
        names,
        begun -> {
          if (begun.isOfAnotherVersion()) {
            return conflict(begun);
          }
          for (LimitView limit : begun.limits()) {
            if (limit.overflowsWith(amountOf(amounts, limit))) {
              return refused(begun, new Outcome.TopUpOverflow(limit.terms().name(), false));
            }
          }
          Map<String, Long> granted = new TreeMap<>();
          for (LimitView limit : begun.limits()) {
            granted.put(limit.terms().name(), limit.grantable(amountOf(amounts, limit)));
          }
          boolean changed = granted.values().stream().anyMatch(units -> units > 0);
          if (changed) {
            begun.level().storeGrant(names);
            begun
                .limits()
                .forEach(limit -> limit.topUp(granted.getOrDefault(limit.terms().name(), 0L)));
          }
          return finished(
              begun,
              Operation.PURCHASE,
              changed,
              granted,
              state -> new Outcome.ToppedUp(Amounts.of(granted), state, false));
        });
  }

  private static long amountOf(Amounts amounts, LimitView limit) {
    return CallView.amountOf(limit.terms().name(), amounts);
  }

  @Override
  public Uni<Outcome.Granting> topUpInEmergency(
      Scope scope, String limit, long amount, Grant grant) {
    return decide(
        scope,
        grant,
        List.of(limit),
        begun ->
            begun.isOfAnotherVersion()
                ? conflict(begun)
                : emergency(begun, begun.limits().getFirst(), amount));
  }

  private Outcome.Granting emergency(Begun begun, LimitView limit, long amount) {
    ModelLevel level = begun.level().level();
    String name = limit.terms().name();
    LimitTerms.Emergencies cap = limit.terms().emergencies();
    List<Long> ends = level.emergenciesUntil(limit.terms(), begun.nowMillis());
    if (ends.size() >= cap.max()) {
      Instant next = Instant.ofEpochMilli(ends.get(ends.size() - cap.max()));
      return refused(begun, new Outcome.TopUpCapReached(name, next, false));
    }
    if (limit.overflowsWith(amount)) {
      return refused(begun, new Outcome.TopUpOverflow(name, false));
    }
    begun.level().storeGrant(Set.of(name));
    limit.topUp(amount);
    Instant now = Instant.ofEpochMilli(begun.nowMillis());
    Period current = Objects.requireNonNull(level.latest(name)).period;
    Period counted =
        cap.days().stream().filter(day -> day.contains(now)).findFirst().orElse(current);
    level.emergencies.add(
        new ModelEmergency(name, now, !cap.days().isEmpty(), counted.end().toEpochMilli()));
    Amounts granted = Amounts.of(name, amount);
    return finished(
        begun,
        Operation.EMERGENCY,
        true,
        granted.byMeter(),
        state -> new Outcome.ToppedUp(granted, state, false));
  }

  @Override
  public Uni<Outcome.Granting> reset(Scope scope, Set<String> limits, Grant grant) {
    return decide(
        scope,
        grant,
        limits,
        begun -> {
          if (begun.isOfAnotherVersion()) {
            return conflict(begun);
          }
          boolean changed =
              begun.level().level().version > 0
                  && begun.limits().stream().anyMatch(LimitView::isResettable);
          if (changed) {
            begun.level().storeGrant(Set.of());
          }
          List<LimitReset> resets = new ArrayList<>();
          for (LimitView limit : begun.limits()) {
            resets.add(reset(begun, limit, changed ? limit.reset() : null));
          }
          return finished(
              begun,
              Operation.KEEP_ANCHOR,
              changed,
              Map.of(),
              state -> new Outcome.WasReset(resets, state, changed, false));
        });
  }

  private static LimitReset reset(Begun begun, LimitView limit, @Nullable ModelPeriod ended) {
    String name = limit.terms().name();
    if (ended == null) {
      return new LimitReset(name, null);
    }
    long held = begun.level().level().held(ended, begun.nowMillis());
    return new LimitReset(name, ended.closed(held));
  }

  @Override
  public Uni<Outcome.Granting> restart(
      Scope scope, List<RestartTerms> limits, Instant anchor, Grant grant) {
    Map<String, RestartTerms> byName = new TreeMap<>();
    limits.forEach(limit -> byName.put(limit.limit(), limit));
    return decide(
        scope,
        grant,
        byName.keySet(),
        begun -> {
          long now = begun.nowMillis();
          long sinceMillis = now - anchor.toEpochMilli();
          if (sinceMillis < 0 || sinceMillis >= NEAR_MILLIS) {
            return new Outcome.StalePeriod(Instant.ofEpochMilli(now));
          }
          if (begun.isOfAnotherVersion()) {
            return conflict(begun);
          }
          Outcome.RestartCapReached cap = capOf(begun, byName);
          return cap == null ? restart(begun, byName, anchor) : refused(begun, cap);
        });
  }

  private static Outcome.@Nullable RestartCapReached capOf(
      Begun begun, Map<String, RestartTerms> byName) {
    List<Outcome.RestartCapReached> caps = new ArrayList<>();
    for (LimitView limit : begun.limits()) {
      RestartTerms terms = Objects.requireNonNull(byName.get(limit.terms().name()));
      List<Long> past = begun.level().level().restarts.getOrDefault(terms.limit(), List.<Long>of());
      if (terms.max() > 0 && past.size() >= terms.max()) {
        long free = past.get(past.size() - terms.max()) + terms.perDays() * DAY_MILLIS;
        if (free > begun.nowMillis()) {
          Instant next = Instant.ofEpochMilli(free);
          caps.add(new Outcome.RestartCapReached(terms.limit(), next, false));
        }
      }
    }
    return caps.stream()
        .sorted(Comparator.comparing(Outcome.RestartCapReached::nextAvailableAt).reversed())
        .findFirst()
        .orElse(null);
  }

  private Outcome.Granting restart(Begun begun, Map<String, RestartTerms> byName, Instant anchor) {
    ModelLevel level = begun.level().level();
    boolean changed = level.version > 0 && !begun.limits().isEmpty();
    if (changed) {
      begun.level().storeGrant(Set.of());
    }
    List<LimitReset> resets = new ArrayList<>();
    for (LimitView limit : begun.limits()) {
      RestartTerms terms = Objects.requireNonNull(byName.get(limit.terms().name()));
      ModelPeriod ended = changed ? ((PeriodView) limit).restart(terms.period(), anchor) : null;
      resets.add(reset(begun, limit, ended));
      if (changed && terms.max() > 0) {
        level
            .restarts
            .computeIfAbsent(terms.limit(), name -> new ArrayList<>())
            .add(begun.nowMillis());
      }
    }
    return finished(
        begun,
        Operation.RESTART,
        changed,
        Map.of(),
        state -> new Outcome.WasReset(resets, state, changed, false));
  }

  private Outcome.Granting finished(
      Begun begun,
      Operation operation,
      boolean changed,
      Map<String, Long> granted,
      Function<QuotaState, Outcome.Granting> outcomeOf) {
    LevelView after =
        model
            .viewAt(begun.scope().levels(), begun.scope(), begun.nowMillis())
            .view()
            .levels()
            .getFirst();
    if (changed || begun.grant().key() != null) {
      List<Change> changes = new ArrayList<>();
      for (int n = 0; n < begun.limits().size(); n++) {
        String name = begun.limits().get(n).terms().name();
        Quota now =
            after.limits().stream()
                .filter(limit -> limit.terms().name().equals(name))
                .findFirst()
                .orElseThrow()
                .quota();
        changes.add(new Change(name, granted.getOrDefault(name, 0L), begun.before().get(n), now));
      }
      add(begun, operation, after.version(), changes);
    }
    Outcome.Granting outcome = outcomeOf.apply(model.stateNow(begun.scope(), begun.nowMillis()));
    keep(begun, outcome);
    return outcome;
  }

  private void add(Begun begun, Operation operation, long version, List<Change> changes) {
    Scope scope = begun.scope();
    Grant grant = begun.grant();
    IdempotencyKey key = grant.key();
    List<AuditEvent> trail =
        trails.computeIfAbsent(
            new TrailOf(scope.root(), scope.subject().subject()), of -> new ArrayList<>());
    trail.add(
        new AuditEvent(
            nextId(trail, begun.nowMillis()),
            Instant.ofEpochMilli(begun.nowMillis()),
            operation,
            grant.by(),
            grant.role(),
            scope.resource(),
            begun.version(),
            version,
            grant.reason(),
            key == null ? null : key.value(),
            changes));
  }

  private static String nextId(List<AuditEvent> trail, long nowMillis) {
    if (!trail.isEmpty()) {
      String[] last = trail.getLast().id().split("-", 2);
      if (Long.parseLong(last[0]) >= nowMillis) {
        return last[0] + "-" + (Long.parseLong(last[1]) + 1);
      }
    }
    return nowMillis + "-0";
  }

  @Override
  public Uni<Outcome.Granting> replay(
      SubjectId root, SubjectId subject, long incarnation, IdempotencyKey key) {
    synchronized (model) {
      Outcome earlier = model.answers.find(root, subject, incarnation, key, model.clockMillis);
      return Uni.createFrom()
          .item(earlier == null ? new Outcome.NotFound() : (Outcome.Granting) earlier);
    }
  }

  @Override
  public Uni<AuditPage> audit(SubjectId root, SubjectId subject, AuditQuery query) {
    synchronized (model) {
      long oldest = model.clockMillis - AUDIT_MILLIS;
      List<AuditEvent> matching =
          trails.getOrDefault(new TrailOf(root, subject), List.<AuditEvent>of()).reversed().stream()
              .filter(event -> millisOf(event.id()) >= oldest)
              .filter(event -> event.resource().equals(query.resource()))
              .filter(event -> query.operation() == null || query.operation() == event.operation())
              .filter(
                  event ->
                      query.after() == null
                          || AuditEvent.BY_ID.compare(event.id(), query.after()) < 0)
              .toList();
      List<AuditEvent> page = matching.subList(0, Math.min(query.count(), matching.size()));
      boolean more = matching.size() > page.size();
      return Uni.createFrom().item(new AuditPage(page, more ? page.getLast().id() : null));
    }
  }

  private static long millisOf(String id) {
    return Long.parseLong(id.substring(0, id.indexOf('-')));
  }
}
