package dev.tidegate.service;

import dev.tidegate.document.Fault;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.ResourceRules.HoldRules;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.service.Decisions.Check;
import dev.tidegate.service.Decisions.Prepared;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.MeteringStore.Operation;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Scope;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reserves, settles, releases, extends and charges. */
@ApplicationScoped
public class Metering {

  private static final String REQUESTS = "requests";
  private static final int TOKEN_BYTES = 12;
  private static final Duration PROOF = Duration.ofDays(1);

  private final Decisions decisions;
  private final MeteringStore store;
  private final CallObserver observer;
  private final SecureRandom random = new SecureRandom();

  Metering(Decisions decisions, MeteringStore store, CallObserver observer) {
    this.decisions = decisions;
    this.store = store;
    this.observer = observer;
  }

  /**
   * Holds amounts.
   *
   * @param named by the caller; limited meters that are left out take their default estimates
   * @param ttlSeconds how long the lease is; null takes the plan's
   */
  public Uni<Answer<Outcome.Reserving>> reserve(
      SubjectId subject,
      String resource,
      Amounts named,
      @Nullable Integer ttlSeconds,
      boolean dryRun,
      @Nullable IdempotencyKey key) {
    return hold(subject, resource, named, ttlSeconds, dryRun, key)
        .onItemOrFailure()
        .invoke((answer, failure) -> observer.reserved(dryRun, answer, failure));
  }

  private Uni<Answer<Outcome.Reserving>> hold(
      SubjectId subject,
      String resource,
      Amounts named,
      @Nullable Integer ttlSeconds,
      boolean dryRun,
      @Nullable IdempotencyKey key) {
    return decisions.decide(
        subject,
        resource,
        key,
        Operation.RESERVE,
        (resolved, scope) -> {
          List<Fault> faults = new ArrayList<>();
          Amounts amounts = complete(resolved, named, true, faults);
          Duration ttl = ttl(resolved, ttlSeconds, faults);
          ReservationId id = new ReservationId(token(), scope.root());
          return new Prepared<>(
              faults,
              () -> store.reserve(scope, id, amounts, ttl, dryRun, key),
              dryRun ? null : amounts);
        });
  }

  /**
   * Makes a call that changes nothing and that nobody is told of. A cold process loads by it what
   * calls take, which is longer than they have.
   */
  Uni<Void> rehearse(SubjectId subject, String resource, Amounts amounts) {
    return hold(subject, resource, amounts, null, true, null).replaceWithVoid();
  }

  /**
   * Charges what a reservation really cost, once.
   *
   * @param spent what it cost, or that it cost what is held
   */
  public Uni<Answer<Outcome.Settling>> settle(
      SubjectId subject,
      String resource,
      ReservationId id,
      Spent spent,
      @Nullable IdempotencyKey key) {
    return decisions
        .<Outcome.Settling>close(
            subject,
            resource,
            id,
            (on, scope) -> faults(on, spent, scope, id),
            UnaryOperator.identity(),
            (on, scope) -> store.settle(scope, id, bill(on, spent), key))
        .invoke(observer::settled);
  }

  /** What a settlement that has no fault is charged; null = what is held. */
  private static @Nullable Bill bill(@Nullable Resolved on, Spent spent) {
    return switch (spent) {
      case Spent.AsHeld held -> null;
      case Spent.Named named -> Billing.of(on, named, new ArrayList<>());
    };
  }

  private Uni<List<Fault>> faults(
      @Nullable Resolved on, Spent spent, Scope scope, ReservationId id) {
    if (!(spent instanceof Spent.Named named)) {
      return Uni.createFrom().item(List.of());
    }
    List<Fault> faults = new ArrayList<>();
    Billing.of(on, named, faults);
    return on == null || !faults.isEmpty()
        ? Uni.createFrom().item(faults)
        : unknown(on, named.amounts(), scope, id);
  }

  /** The named meters that the plan does not declare, but for those that the reservation holds. */
  private Uni<List<Fault>> unknown(
      Resolved resolved, Amounts named, Scope scope, ReservationId id) {
    List<Fault> undeclared = undeclared(resolved, named);
    if (undeclared.isEmpty()) {
      return Uni.createFrom().item(undeclared);
    }
    return store
        .find(scope, id)
        .map(
            found ->
                switch (found) {
                  case Outcome.NotFound nothing -> undeclared;
                  case Outcome.Found reserved ->
                      undeclared.stream()
                          .filter(fault -> !isHeld(reserved.amounts(), fault))
                          .toList();
                });
  }

  private static boolean isHeld(Amounts held, Fault fault) {
    return held.byMeter().keySet().stream().anyMatch(meter -> path(meter).equals(fault.path()));
  }

  /** Gives back what a reservation holds. */
  public Uni<Answer<Outcome.Releasing>> release(
      SubjectId subject, String resource, ReservationId id, @Nullable IdempotencyKey key) {
    return decisions
        .<Outcome.Releasing>close(
            subject,
            resource,
            id,
            Check.NONE,
            Scopes::withoutLimits,
            (on, scope) -> store.release(scope, id, key))
        .invoke(observer::released);
  }

  /** Lets a lease end later. */
  public Uni<Answer<Outcome.Extending>> extend(
      SubjectId subject,
      String resource,
      ReservationId id,
      int ttlSeconds,
      @Nullable IdempotencyKey key) {
    return decisions
        .<Outcome.Extending>decide(
            subject,
            resource,
            key,
            Operation.EXTEND,
            (resolved, scope) -> {
              List<Fault> faults = new ArrayList<>();
              Duration ttl = ttl(resolved, ttlSeconds, faults);
              return new Prepared<>(
                  faults,
                  () ->
                      resolved.root().equals(id.root())
                          ? decisions.asTaken(scope, taken -> store.extend(taken, id, ttl, key))
                          : Uni.createFrom().item(new Outcome.NotFound()),
                  null);
            })
        .invoke(observer::extended);
  }

  /** Reads one reservation. */
  public Uni<Answer<Outcome.Finding>> find(SubjectId subject, String resource, ReservationId id) {
    return decisions.close(
        subject,
        resource,
        id,
        Check.NONE,
        Scopes::withoutLimits,
        (on, scope) -> store.find(scope, id));
  }

  /** Charges in one step; every limited meter is named, or fed by the usage that is named. */
  public Uni<Answer<Outcome.Charging>> charge(
      SubjectId subject, String resource, Spent.Named spent, @Nullable IdempotencyKey key) {
    return decisions
        .<Outcome.Charging>decide(
            subject,
            resource,
            key,
            Operation.CHARGE,
            (resolved, scope) -> {
              List<Fault> faults = new ArrayList<>();
              Bill named = Billing.of(resolved, spent, faults);
              Amounts amounts =
                  faults.isEmpty()
                      ? complete(resolved, named.amounts(), false, faults)
                      : unbilled(resolved, spent.amounts(), faults);
              Bill bill = new Bill(amounts, named.breakdown());
              HoldRules hold = resolved.subject().rules().hold();
              Duration kept = Duration.ofSeconds(hold.ttlSeconds()).plus(PROOF);
              return new Prepared<>(faults, () -> store.charge(scope, bill, kept, key), amounts);
            })
        .onItemOrFailure()
        .invoke(observer::charged);
  }

  /**
   * The amounts as they count: {@code requests} is 1 by itself, and what is left out takes its
   * estimate.
   */
  private static Amounts complete(
      Resolved resolved, Amounts named, boolean estimated, List<Fault> faults) {
    faults.addAll(undeclared(resolved, named));
    TreeMap<String, Long> amounts = new TreeMap<>(named.byMeter());
    if (resolved.meters().contains(REQUESTS)) {
      amounts.putIfAbsent(REQUESTS, 1L);
    }
    for (String meter : resolved.limitedMeters()) {
      Long estimate = estimated ? resolved.defaultEstimate(meter) : null;
      if (!amounts.containsKey(meter) && estimate != null) {
        amounts.put(meter, estimate);
      } else if (!amounts.containsKey(meter)) {
        faults.add(
            new Fault(
                path(meter),
                estimated
                    ? "is required: the meter is limited and the plan has no default_estimate for"
                        + " it"
                    : "is required: the meter is limited"));
      }
    }
    return new Amounts(amounts);
  }

  /** The amounts beside a usage with faults: what it would have fed is not known to be missing. */
  private static Amounts unbilled(Resolved resolved, Amounts named, List<Fault> faults) {
    faults.addAll(undeclared(resolved, named));
    return named;
  }

  private static List<Fault> undeclared(Resolved resolved, Amounts named) {
    SequencedSet<String> meters = resolved.meters();
    return named.byMeter().keySet().stream()
        .filter(meter -> !meters.contains(meter))
        .map(
            meter ->
                new Fault(
                    path(meter),
                    "is not a meter of '" + resolved.resource() + "'; its meters are " + meters))
        .toList();
  }

  private static String path(String meter) {
    return "$.amounts." + meter;
  }

  private static Duration ttl(Resolved resolved, @Nullable Integer ttlSeconds, List<Fault> faults) {
    HoldRules hold = resolved.subject().rules().hold();
    if (ttlSeconds != null && ttlSeconds > hold.maxTtlSeconds()) {
      faults.add(
          new Fault(
              "$.ttl_seconds",
              "must be at most " + hold.maxTtlSeconds() + ", the plan's max_ttl_seconds"));
    }
    return Duration.ofSeconds(ttlSeconds == null ? hold.ttlSeconds() : ttlSeconds);
  }

  private String token() {
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
