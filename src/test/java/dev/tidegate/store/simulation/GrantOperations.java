package dev.tidegate.store.simulation;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.domain.calendar.PeriodicSchedule;
import dev.tidegate.store.AuditEvent.Operation;
import dev.tidegate.store.Grant;
import dev.tidegate.store.GrantStore;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.PlanLevel;
import dev.tidegate.store.PlanLimit;
import dev.tidegate.store.RestartTerms;
import dev.tidegate.store.Scope;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Draws random grants, and tells the ledger what came of them. */
final class GrantOperations {

  private static final List<Operation> OPERATIONS = List.of(Operation.values());

  private final Random random;
  private final World world;
  private final Households households;
  private final BiFunction<List<PlanLevel>, String, Scope> scopes;

  /**
   * @param scopes makes the scope of a call
   */
  GrantOperations(
      Random random,
      World world,
      Households households,
      BiFunction<List<PlanLevel>, String, Scope> scopes) {
    this.random = random;
    this.world = world;
    this.households = households;
    this.scopes = scopes;
  }

  void next() {
    String resource = Households.RESOURCES.get(random.nextInt(Households.RESOURCES.size()));
    List<PlanLevel> levels = households.anyone(resource);
    PlanLevel own = levels.getFirst();
    Scope scope = scopes.apply(levels, resource);
    Operation operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
    IdempotencyKey key = key(operation);
    int dice = random.nextInt(12);
    if (dice == 0 && key != null) {
      world.grant(
          "replay " + scope + key,
          s -> s.replay(scope.root(), own.subject(), own.incarnation(), key));
      return;
    }
    Long version = dice < 3 ? null : version(scope);
    switch (operation) {
      case PURCHASE -> purchase(scope, own, grant(dice < 7 ? null : version, key));
      case EMERGENCY -> emergency(scope, own, grant(version == null ? 1L : version, key));
      case KEEP_ANCHOR -> reset(scope, own, grant(dice < 8 ? null : version, key));
      case RESTART -> restart(scope, own, grant(dice < 8 ? null : version, key));
    }
    world.check(scope);
  }

  /** The version that a read shows, now and then another one; null when nothing can be read. */
  private @Nullable Long version(Scope scope) {
    Outcome.Reading read = world.read(scope);
    long off = random.nextInt(8) == 0 ? random.nextInt(3) - 1 : 0;
    return read instanceof Outcome.Quota quota
        ? Math.max(0, quota.state().levels().getFirst().version() + off)
        : null;
  }

  private @Nullable IdempotencyKey key(Operation operation) {
    int n = random.nextInt(20);
    int owner = random.nextInt(6) == 0 ? random.nextInt(4) : n % 4;
    String name = random.nextInt(12) == 0 ? "key-" : "grant-";
    return random.nextInt(3) == 0 ? new IdempotencyKey(name + n, operation + " of " + owner) : null;
  }

  private Grant grant(@Nullable Long version, @Nullable IdempotencyKey key) {
    String reason = random.nextInt(2) == 0 ? null : "reason " + random.nextInt(100);
    return new Grant("olga", "operator", version, reason, key);
  }

  private void purchase(Scope scope, PlanLevel own, Grant grant) {
    Map<String, Long> amounts = new TreeMap<>();
    for (PlanLimit limit : own.limits()) {
      if (random.nextInt(3) > 0) {
        amounts.put(limit.name(), amount());
      }
    }
    if (!amounts.isEmpty()) {
      Amounts named = Amounts.of(amounts);
      run("purchase " + named, scope, grant, s -> s.purchase(scope, named, grant));
    }
  }

  private long amount() {
    boolean large = households.huge && random.nextInt(4) == 0;
    return large ? Amounts.MAX - random.nextInt(200) : 1 + random.nextInt(200);
  }

  private void emergency(Scope scope, PlanLevel own, Grant grant) {
    List<PlanLimit> limits =
        own.limits().stream()
            .filter(l -> l.pace() instanceof PlanLimit.Periods && l.cap().max() > 0)
            .toList();
    if (!limits.isEmpty()) {
      String limit = limits.get(random.nextInt(limits.size())).name();
      long amount = amount();
      run(
          "emergency " + limit + " " + amount,
          scope,
          grant,
          s -> s.topUpInEmergency(scope, limit, amount, grant));
    }
  }

  private void reset(Scope scope, PlanLevel own, Grant grant) {
    Set<String> names = new LinkedHashSet<>();
    for (PlanLimit limit : own.limits()) {
      if (random.nextInt(3) > 0) {
        names.add(limit.name());
      }
    }
    run("reset " + names, scope, grant, s -> s.reset(scope, names, grant));
  }

  /** Each limit has a cap of its own, by its name: none, one a day, or two in two days. */
  private void restart(Scope scope, PlanLevel own, Grant grant) {
    Instant anchor = Instant.ofEpochMilli(world.latestMillis).truncatedTo(ChronoUnit.SECONDS);
    List<RestartTerms> limits = new ArrayList<>();
    for (PlanLimit limit : own.limits()) {
      PeriodicSchedule restarted = limit.restartedAt(anchor);
      if (restarted != null && random.nextInt(3) > 0) {
        int max = limit.name().charAt(limit.name().length() - 1) - '0';
        Period around = restarted.periodAt(anchor, limit.zone());
        limits.add(new RestartTerms(limit.name(), around, max, Math.max(1, max)));
      }
    }
    run("restart " + limits, scope, grant, s -> s.restart(scope, limits, anchor, grant));
  }

  private void run(
      String text, Scope scope, Grant grant, Function<GrantStore, Uni<Outcome.Granting>> call) {
    for (int n = random.nextInt(4) == 0 ? 2 : 1; n > 0; n--) {
      Outcome.Granting outcome = world.grant(text + " " + scope + " " + grant, call);
      world.restarts.learn(scope, outcome);
      world.checkTrail(scope, grant, outcome);
    }
  }
}
