package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.domain.calendar.PeriodicSchedule;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Calls a store on behalf of one subject and its parents; most amounts are tokens. */
final class Caller {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final AtomicLong TOKENS = new AtomicLong();

  private final StoreUnderTest under;
  private final ContractFixture fixture;
  List<PlanLevel> levels;
  String resource = "claude";
  Duration ttl = Duration.ofMinutes(1);

  /** The restarts that the caller takes its own limits to be counted from, by limit. */
  Map<String, Instant> anchors = Map.of();

  /** The generation of the plans that calls are decided with. */
  long plans = Scope.ANY_PLANS;

  /** The version that grants name; null = none. */
  @Nullable Long ifVersion;

  /** The key that grants bear; null = none. */
  @Nullable IdempotencyKey grantKey;

  /** The caller's idea of now when it is not the store's. */
  @Nullable Instant ideaOfNow;

  Caller(ContractFixture fixture, StoreUnderTest under, PlanLevel... levels) {
    this.fixture = fixture;
    this.under = under;
    this.levels = List.of(levels);
  }

  Scope scope() {
    Instant now = ideaOfNow == null ? Instant.ofEpochMilli(fixture.nowMillis) : ideaOfNow;
    return PlanLevel.scope(
        levels,
        resource,
        plans,
        now,
        level -> level.equals(levels.getFirst()) ? anchors : Map.of());
  }

  /** The same call without any limit, as when its plan is gone. */
  Scope bareScope() {
    List<PlanLevel> bare = levels.stream().map(level -> level.withLimits(List.of())).toList();
    return PlanLevel.scope(bare, resource, plans, Instant.ofEpochMilli(fixture.nowMillis));
  }

  ReservationId newId() {
    String token = "t%015d".formatted(TOKENS.incrementAndGet());
    return new ReservationId(token, levels.getLast().subject());
  }

  static <T> T await(Uni<T> uni) {
    return uni.await().atMost(PATIENCE);
  }

  static Amounts tokens(long amount) {
    return Amounts.of("tokens", amount);
  }

  Outcome.Reserving reserve(long amount) {
    return reserve(newId(), tokens(amount), null);
  }

  Outcome.Reserving reserve(ReservationId id, Amounts amounts, @Nullable IdempotencyKey key) {
    return await(under.store().reserve(scope(), id, amounts, ttl, false, key));
  }

  Outcome.Reserving dryRun(long amount, @Nullable IdempotencyKey key) {
    return await(under.store().reserve(scope(), newId(), tokens(amount), ttl, true, key));
  }

  Outcome.Reserving dryRun(Amounts amounts) {
    return await(under.store().reserve(scope(), newId(), amounts, ttl, true, null));
  }

  /** Reserves what must be granted. */
  ReservationId hold(long amount) {
    return hold(tokens(amount));
  }

  ReservationId hold(Amounts amounts) {
    ReservationId id = newId();
    assertInstanceOf(Outcome.Held.class, reserve(id, amounts, null));
    return id;
  }

  /** Reserves what must be refused. */
  Outcome.Refused refused(long amount) {
    return assertInstanceOf(Outcome.Refused.class, reserve(amount));
  }

  Outcome.Settling settle(ReservationId id, long amount) {
    return settle(id, tokens(amount), null);
  }

  Outcome.Settling settle(
      ReservationId id, @Nullable Amounts amounts, @Nullable IdempotencyKey key) {
    return await(under.store().settle(scope(), id, amounts == null ? null : Bill.of(amounts), key));
  }

  /** Settles what must be charged. */
  Outcome.Settled settled(ReservationId id, long amount) {
    return assertInstanceOf(Outcome.Settled.class, settle(id, amount));
  }

  Outcome.Releasing release(ReservationId id) {
    return release(id, null);
  }

  Outcome.Releasing release(ReservationId id, @Nullable IdempotencyKey key) {
    return await(under.store().release(bareScope(), id, key));
  }

  Outcome.Extending extend(ReservationId id, Duration longer) {
    return extend(id, longer, null);
  }

  Outcome.Extending extend(ReservationId id, Duration longer, @Nullable IdempotencyKey key) {
    return await(under.store().extend(bareScope(), id, longer, key));
  }

  Outcome.Finding find(ReservationId id) {
    return await(under.store().find(bareScope(), id));
  }

  Outcome.Found found(ReservationId id) {
    return assertInstanceOf(Outcome.Found.class, find(id));
  }

  Outcome.Charging charge(long amount) {
    return charge(tokens(amount), null);
  }

  Outcome.Charging charge(Amounts amounts, @Nullable IdempotencyKey key) {
    return await(under.store().charge(scope(), Bill.of(amounts), Duration.ofDays(1), key));
  }

  /** Charges what must be granted. */
  void charged(long amount) {
    assertInstanceOf(Outcome.Charged.class, charge(amount));
  }

  Outcome.Reading reading() {
    return await(under.store().read(scope()));
  }

  List<Insight> insights() {
    return assertInstanceOf(Outcome.Quota.class, reading()).insights();
  }

  Outcome.Settling settleBill(ReservationId id, Bill bill) {
    return await(under.store().settle(scope(), id, bill, null));
  }

  /** Charges a bill that must be granted. */
  void chargedBill(Bill bill) {
    assertInstanceOf(
        Outcome.Charged.class,
        await(under.store().charge(scope(), bill, Duration.ofDays(1), null)));
  }

  QuotaState read() {
    return assertInstanceOf(Outcome.Quota.class, reading()).state();
  }

  LevelState level(int index) {
    return read().levels().get(index);
  }

  /** The first limit of the subject. */
  LimitState limit() {
    return level(0).limits().getFirst();
  }

  List<ClosedPeriod> closed() {
    Outcome.ReadingPeriods outcome = await(under.store().readPeriods(scope()));
    return assertInstanceOf(Outcome.Periods.class, outcome).closed().stream()
        .sorted(Comparator.comparing(ClosedPeriod::limit).thenComparingLong(ClosedPeriod::seq))
        .toList();
  }

  Outcome.Replaying replay(MeteringStore.Operation operation, IdempotencyKey key) {
    Scope scope = scope();
    return await(
        under
            .store()
            .replay(
                scope.root(),
                scope.subject().subject(),
                scope.subject().incarnation(),
                operation,
                key));
  }

  Grant grant() {
    return new Grant("olga", "operator", ifVersion, "a reason", grantKey);
  }

  Outcome.Granting purchase(String limit, long amount) {
    return purchase(Amounts.of(limit, amount));
  }

  Outcome.Granting purchase(Amounts amounts) {
    return await(under.grants().purchase(scope(), amounts, grant()));
  }

  /** Adds what must be granted. */
  Outcome.ToppedUp bought(String limit, long amount) {
    return assertInstanceOf(Outcome.ToppedUp.class, purchase(limit, amount));
  }

  /**
   * Asks for an emergency top-up on a version; from then on the plan allows so many of them.
   *
   * @param perDay whether they are counted by the day, of UTC
   */
  Outcome.Granting emergency(String limit, long amount, int max, boolean perDay, long version) {
    return emergency(
        limit, amount, new PlanLimit.Cap(max, perDay ? ZoneOffset.UTC : null), version);
  }

  /** Asks for an emergency top-up on a version; from then on the plan has that cap. */
  Outcome.Granting emergency(String limit, long amount, PlanLimit.Cap cap, long version) {
    cap(limit, cap);
    ifVersion = version;
    Outcome.Granting outcome =
        await(under.grants().topUpInEmergency(scope(), limit, amount, grant()));
    ifVersion = null;
    return outcome;
  }

  /** Gives a limit of the first level a cap on emergency top-ups. */
  void cap(String limit, PlanLimit.Cap cap) {
    List<PlanLevel> changed = new ArrayList<>(levels);
    PlanLevel own = changed.getFirst();
    changed.set(
        0,
        own.withLimits(
            own.limits().stream()
                .map(each -> each.name().equals(limit) ? each.withCap(cap) : each)
                .toList()));
    levels = changed;
  }

  Outcome.Granting reset(String... limits) {
    return await(under.grants().reset(scope(), Set.of(limits), grant()));
  }

  /** Resets what must be there. */
  Outcome.WasReset wasReset(String... limits) {
    return assertInstanceOf(Outcome.WasReset.class, reset(limits));
  }

  /** Restarts the limits of these names, which may be restarted {@code max} times in 30 days. */
  Outcome.Granting restart(int max, String... limits) {
    Instant now = ideaOfNow == null ? Instant.ofEpochMilli(fixture.nowMillis) : ideaOfNow;
    Instant anchor = now.truncatedTo(ChronoUnit.SECONDS);
    List<RestartTerms> terms = new ArrayList<>();
    for (PlanLimit limit : levels.getFirst().limits()) {
      if (List.of(limits).contains(limit.name())) {
        PeriodicSchedule restarted = Objects.requireNonNull(limit.restartedAt(anchor));
        Period around = restarted.periodAt(anchor, limit.zone());
        terms.add(new RestartTerms(limit.name(), around, max, 30));
      }
    }
    return await(under.grants().restart(scope(), terms, anchor, grant()));
  }

  /** The whole audit trail, the newest event first. */
  List<AuditEvent> trail() {
    Scope scope = scope();
    return await(
            under
                .grants()
                .audit(
                    scope.root(),
                    scope.subject().subject(),
                    new GrantStore.AuditQuery(resource, null, null, 1000)))
        .events();
  }

  static Amounts amounts(String meter, long amount, String other, long otherAmount) {
    return Amounts.of(Map.of(meter, amount, other, otherAmount));
  }
}
