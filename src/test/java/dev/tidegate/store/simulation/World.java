package dev.tidegate.store.simulation;

import dev.tidegate.domain.RecentUse;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.AuditEvent;
import dev.tidegate.store.ClosedPeriod;
import dev.tidegate.store.Grant;
import dev.tidegate.store.GrantStore;
import dev.tidegate.store.GrantStore.AuditPage;
import dev.tidegate.store.GrantStore.AuditQuery;
import dev.tidegate.store.Insight;
import dev.tidegate.store.Level;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.PlanLevel;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.Scope;
import dev.tidegate.store.StoreUnderTest;
import dev.tidegate.store.model.ModelUnderTest;
import io.smallrye.mutiny.Uni;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One seeded run: every operation goes to the model and to the store, whose answers must be equal,
 * and after each the levels it touched are read from both and held against the ledger.
 */
final class World {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int TRACE = 12;

  private final long seed;
  private final ModelUnderTest model = new ModelUnderTest();
  private final StoreUnderTest store;
  private final Coverage coverage;
  private final Deque<String> trace = new ArrayDeque<>();
  private final Map<String, Long> seqs = new HashMap<>();

  /** The greatest version that was shown of each state. */
  private final Map<String, Long> versions = new HashMap<>();

  int step;

  final Ledger ledger;
  final Restarts restarts = new Restarts();
  long clockMillis;

  /** The latest instant that any answer told. */
  long latestMillis;

  World(long seed, StoreUnderTest store, Coverage coverage) {
    this.seed = seed;
    this.store = store;
    this.coverage = coverage;
    this.ledger = new Ledger(coverage::saw);
  }

  void run(int operations) {
    Operations random = new Operations(seed, this);
    for (step = 0; step < operations; step++) {
      random.next();
    }
  }

  void setClock(long nowMillis) {
    clockMillis = nowMillis;
    latestMillis = Math.max(latestMillis, nowMillis);
    model.setClock(nowMillis);
    store.setClock(nowMillis);
    note("clock " + Instant.ofEpochMilli(nowMillis));
  }

  void setRecordVersion(PlanLevel level) {
    var root = Households.rootOf(level.subject());
    model.setRecordVersion(root, level.subject(), level.recordVersion());
    store.setRecordVersion(root, level.subject(), level.recordVersion());
    note("record of " + level.subject() + " is " + level.recordVersion());
  }

  void disturb() {
    store.disturb();
    note("disturbed");
    coverage.saw("disturbed");
  }

  void saw(String what) {
    coverage.saw(what);
  }

  void note(String what) {
    trace.addLast(step + " " + what);
    if (trace.size() > TRACE) {
      trace.removeFirst();
    }
  }

  /** Calls both; gives their equal answer. */
  <T extends Outcome> T both(String text, Function<MeteringStore, Uni<? extends T>> call) {
    note(text);
    return equal(call.apply(model.store()), () -> call.apply(store.store()));
  }

  /** Asks both for a grant; gives their equal answer. */
  Outcome.Granting grant(String text, Function<GrantStore, Uni<Outcome.Granting>> call) {
    note(text);
    return equal(call.apply(model.grants()), () -> call.apply(store.grants()));
  }

  private <T extends Outcome> T equal(
      Uni<? extends T> modelled, Supplier<Uni<? extends T>> stored) {
    T expected = modelled.await().atMost(PATIENCE);
    T actual;
    try {
      actual = stored.get().await().atMost(PATIENCE);
    } catch (RuntimeException failed) {
      throw failure("the store failed with " + failed, failed);
    }
    if (!ordered(expected).equals(ordered(actual))) {
      throw failure(difference(expected, actual), null);
    }
    coverage.saw(expected.getClass().getSimpleName());
    seen(expected);
    return expected;
  }

  /** Reads the trail from both after a grant; it must tell of that grant exactly once. */
  void checkTrail(Scope scope, Grant grant, Outcome.Granting outcome) {
    SubjectId subject = scope.subject().subject();
    AuditQuery query = new AuditQuery(scope.resource(), null, null, 3);
    AuditPage expected =
        model.grants().audit(scope.root(), subject, query).await().atMost(PATIENCE);
    AuditPage actual = store.grants().audit(scope.root(), subject, query).await().atMost(PATIENCE);
    if (!expected.equals(actual)) {
      throw failure("the model's trail is\n  " + expected + "\nthe store's\n  " + actual, null);
    }
    String wrong = ledger.granted(scope, grant, outcome, actual.events());
    if (wrong != null) {
      throw failure(wrong, null);
    }
    if (Ledger.writes(grant, outcome)) {
      checkMoved(scope, actual.events().getFirst());
      coverage.saw("granted " + actual.events().getFirst().operation());
    }
  }

  /** A grant moves the version past all that were shown, whatever the terms were. */
  private void checkMoved(Scope scope, AuditEvent last) {
    long shown = versions.getOrDefault(stateOf(scope, 0), 0L);
    if (last.version() != last.versionBefore() && last.version() <= shown) {
      throw failure("version " + last.version() + " comes after " + shown, null);
    }
  }

  private static String stateOf(Scope scope, int level) {
    Level of = scope.levels().get(level);
    return of.subject() + "/" + of.incarnation() + "/" + scope.resource();
  }

  /** Reads what an operation touched from both and holds it against the ledger. */
  void check(Scope scope) {
    Outcome.Reading read = read(scope);
    restarts.learn(scope, read);
    if (read instanceof Outcome.Quota quota) {
      String contradiction = ledger.contradiction(scope, quota.state());
      if (contradiction != null) {
        throw failure("not conserved: " + contradiction, null);
      }
      for (int l = 0; l < scope.levels().size(); l++) {
        String level = scope.levels().get(l).subject() + "/" + scope.resource();
        quota.state().levels().get(l).limits().forEach(limit -> sawPeriod(level, limit));
        versions.merge(stateOf(scope, l), quota.state().levels().get(l).version(), Math::max);
      }
    }
  }

  /** Reads from both, which agree but for what was used lately: that is told within a bound. */
  Outcome.Reading read(Scope scope) {
    note("check");
    Outcome.Reading expected = model.store().read(scope).await().atMost(PATIENCE);
    Outcome.Reading actual = store.store().read(scope).await().atMost(PATIENCE);
    if (!withoutAmounts(expected).equals(withoutAmounts(actual))) {
      throw failure(difference(expected, actual), null);
    }
    if (actual instanceof Outcome.Quota quota) {
      checkLately(scope, quota);
    }
    coverage.saw(expected.getClass().getSimpleName());
    seen(expected);
    return expected;
  }

  private static Outcome.Reading withoutAmounts(Outcome.Reading reading) {
    if (!(reading instanceof Outcome.Quota quota)) {
      return reading;
    }
    List<Insight> insights =
        quota.insights().stream()
            .map(insight -> new Insight(withoutAmounts(insight.byMeter()), insight.byLimit()))
            .toList();
    return new Outcome.Quota(quota.state(), insights);
  }

  private static Map<String, RecentUse> withoutAmounts(Map<String, RecentUse> byMeter) {
    Map<String, RecentUse> ages = new HashMap<>();
    byMeter.forEach(
        (meter, use) ->
            ages.put(meter, new RecentUse(use.age(), BigDecimal.ZERO, BigDecimal.ZERO)));
    return ages;
  }

  /** What was used in an hour may be off by a minute at its start, and in a day by an hour. */
  private void checkLately(Scope scope, Outcome.Quota quota) {
    long now = quota.state().now().toEpochMilli();
    for (int l = 0; l < scope.levels().size(); l++) {
      Level level = scope.levels().get(l);
      Insight insight = quota.insights().get(l);
      insight
          .byMeter()
          .forEach(
              (meter, use) -> {
                checkWithin(scope, level, meter, use.lastHour(), now, Duration.ofMinutes(1), 60);
                checkWithin(scope, level, meter, use.lastDay(), now, Duration.ofHours(1), 24);
                coverage.saw("used lately");
              });
      insight.byLimit().values().forEach(uses -> coverage.saw("used by category"));
    }
  }

  private void checkWithin(
      Scope scope, Level level, String meter, BigDecimal used, long now, Duration step, int steps) {
    long from = now - step.toMillis() * steps;
    BigDecimal least = model.store().spentSince(scope, level, meter, from + step.toMillis());
    BigDecimal most = model.store().spentSince(scope, level, meter, from - step.toMillis());
    if (used.compareTo(least) < 0 || used.compareTo(most) > 0) {
      throw failure(
          "%s used %s of %s in %d times %s, and should be from %s to %s"
              .formatted(level.subject(), used, meter, steps, step, least, most),
          null);
    }
  }

  private void sawPeriod(String level, QuotaState.LimitState limit) {
    Long before = seqs.put(level + "/" + limit.name(), limit.seq());
    if (before != null && before < limit.seq()) {
      coverage.saw("roll-over");
    }
  }

  private AssertionError failure(String what, @Nullable Throwable cause) {
    String text =
        "seed %d, step %d: %s%nrepeat it with -Dsimulation.seed=%d%n%s"
            .formatted(seed, step, what, seed, String.join("\n", trace));
    return new AssertionError(text, cause);
  }

  private static String difference(Outcome expected, Outcome actual) {
    if (expected instanceof Outcome.Periods model && actual instanceof Outcome.Periods store) {
      List<ClosedPeriod> missing = new ArrayList<>(model.closed());
      missing.removeAll(store.closed());
      List<ClosedPeriod> surplus = new ArrayList<>(store.closed());
      surplus.removeAll(model.closed());
      if (model.state().equals(store.state())) {
        return "only the model has\n  " + missing + "\nonly the store has\n  " + surplus;
      }
    }
    return "the model says\n  " + expected + "\nthe store says\n  " + actual;
  }

  /** The answer with what has no order brought into one. */
  private static Outcome ordered(Outcome outcome) {
    if (outcome instanceof Outcome.Periods periods) {
      List<ClosedPeriod> sorted =
          periods.closed().stream()
              .sorted(
                  Comparator.comparing(ClosedPeriod::limit).thenComparingLong(ClosedPeriod::seq))
              .toList();
      return new Outcome.Periods(periods.state(), sorted, periods.anchors());
    }
    return outcome;
  }

  private void seen(Outcome outcome) {
    switch (outcome) {
      case Outcome.Refused refused -> {
        refused.refusals().forEach(r -> coverage.saw("reason " + r.reason()));
        seen(refused.state());
      }
      case Outcome.Found found -> coverage.saw("found " + found.state());
      case Outcome.Closed closed -> sawReplay("closed " + closed.state(), closed.replayed());
      case Outcome.NotExtendable not -> coverage.saw("not extendable " + not.state());
      case Outcome.Settled settled -> {
        sawReplay(settled.late() ? "settled late" : "settled in time", settled.replayed());
        seen(settled.state());
      }
      case Outcome.Held held -> sawReplay("held", held.replayed());
      case Outcome.Charged charged -> sawReplay("charged", charged.replayed());
      case Outcome.Extended extended ->
          sawReplay(extended.capped() ? "extended capped" : "extended", extended.replayed());
      case Outcome.Quota quota -> seen(quota.state());
      case Outcome.ToppedUp toppedUp -> {
        sawReplay("topped up", toppedUp.replayed());
        seen(toppedUp.state());
      }
      case Outcome.WasReset reset -> {
        sawReplay(reset.changed() ? "reset" : "reset of nothing", reset.replayed());
        seen(reset.state());
      }
      case Outcome.VersionConflict conflict -> sawReplay("conflict", conflict.replayed());
      default -> {}
    }
  }

  private void sawReplay(String what, boolean replayed) {
    coverage.saw(replayed ? "replay: " + what : what);
  }

  private void seen(QuotaState state) {
    latestMillis = Math.max(latestMillis, state.now().toEpochMilli());
    state.levels().stream()
        .flatMap(level -> level.limits().stream())
        .forEach(
            limit -> {
              coverage.saw("kind " + limit.label().unit());
              if (limit.period() == null) {
                coverage.saw("no session");
              }
            });
  }

  /** Tells {@code then} what became of a call when it is of that type. */
  static <T extends Outcome> void when(Class<T> type, Outcome outcome, Consumer<T> then) {
    if (type.isInstance(outcome)) {
      then.accept(Objects.requireNonNull(type.cast(outcome)));
    }
  }
}
