package dev.tidegate.store.model;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.Breakdown;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.ClosedPeriod;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Level;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Outcome.ReservationState;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.Scope;
import io.smallrye.mutiny.Uni;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The metering store in memory, as simple as it can be: nothing is summed up, everything is derived
 * from a list of reservations and a map of periods whenever it is asked for.
 */
public final class ModelMeteringStore implements MeteringStore {

  private static final long DAY_MILLIS = ModelReservation.DAY_MILLIS;

  private record LevelId(SubjectId root, SubjectId subject, long incarnation, String resource) {}

  private final Map<LevelId, ModelLevel> levels = new HashMap<>();
  private final Map<ReservationId, ModelReservation> reservations = new HashMap<>();
  private final Map<SubjectId, Long> recordVersions = new HashMap<>();
  final RememberedAnswers answers = new RememberedAnswers();
  long clockMillis;

  /** Sets the clock, in epoch milliseconds; it may go back. */
  public synchronized void setClock(long nowMillis) {
    clockMillis = nowMillis;
  }

  /** Sets the version of a subject's record; 0 = unregistered. */
  public synchronized void setRecordVersion(SubjectId subject, long version) {
    recordVersions.put(subject, version);
  }

  /** The greatest number of live reservations at a level of the scope. */
  public synchronized int liveReservations(Scope scope) {
    long now = nowMillis(scope.levels(), scope);
    return scope.levels().stream()
        .mapToInt(level -> level(scope, level).live(now).size())
        .max()
        .orElseThrow();
  }

  @Override
  public synchronized Uni<Outcome.Reserving> reserve(
      Scope scope,
      ReservationId id,
      Amounts amounts,
      Duration ttl,
      boolean dryRun,
      @Nullable IdempotencyKey key) {
    Outcome earlier = answers.find(scope, key, clockMillis);
    if (earlier != null) {
      return answer((Outcome.Reserving) earlier);
    }
    Viewed viewed = view(scope.levels(), scope);
    if (viewed.stale() != null) {
      return answer(viewed.stale());
    }
    CallView view = viewed.view();
    Outcome.Refused refused = view.refusal(amounts, true);
    if (dryRun) {
      return answer(refused == null ? new Outcome.Fits(view.state()) : refused);
    }
    if (refused != null) {
      view.storeLapses();
      return answer(refused);
    }
    long now = view.nowMillis();
    ModelReservation taken =
        new ModelReservation(
            scope.subject().subject(),
            scope.resource(),
            chain(scope),
            now,
            now + ttl.toMillis(),
            amounts);
    for (LevelView level : view.levels()) {
      List<Account> accounts = level.storeUse();
      level.level().add(taken);
      for (int n = 0; n < accounts.size(); n++) {
        String name = level.limits().get(n).terms().name();
        String meter = level.limits().get(n).terms().meter();
        long amount = CallView.amountOf(meter, amounts);
        Account account = accounts.get(n);
        account.take(meter, amount, now);
        taken.holds.add(new ModelReservation.Hold(level.level(), name, account, meter, amount));
      }
    }
    reservations.put(id, taken);
    Outcome.Held held =
        new Outcome.Held(
            id, Instant.ofEpochMilli(taken.expiresAtMillis), amounts, stateNow(scope, now), false);
    answers.keep(scope, key, held, now + ttl.toMillis() + DAY_MILLIS);
    return answer(held);
  }

  @Override
  public synchronized Uni<Outcome.Charging> charge(
      Scope scope, Bill bill, Duration kept, @Nullable IdempotencyKey key) {
    Amounts amounts = bill.amounts();
    Outcome earlier = answers.find(scope, key, clockMillis);
    if (earlier != null) {
      return answer((Outcome.Charging) earlier);
    }
    Viewed viewed = view(scope.levels(), scope);
    if (viewed.stale() != null) {
      return answer(viewed.stale());
    }
    CallView view = viewed.view();
    Outcome.Refused refused = view.refusal(amounts, false);
    if (refused != null) {
      view.storeLapses();
      return answer(refused);
    }
    for (LevelView level : view.levels()) {
      List<Account> accounts = level.storeUse();
      for (int n = 0; n < accounts.size(); n++) {
        String meter = level.limits().get(n).terms().meter();
        accounts.get(n).charge(CallView.amountOf(meter, amounts), view.nowMillis());
      }
    }
    viewAt(scope.levels(), scope, view.nowMillis()).view().spend(bill);
    Outcome.Charged charged =
        new Outcome.Charged(amounts, stateNow(scope, view.nowMillis()), false);
    answers.keep(scope, key, charged, view.nowMillis() + kept.toMillis());
    return answer(charged);
  }

  @Override
  public synchronized Uni<Outcome.Settling> settle(
      Scope scope, ReservationId id, @Nullable Bill bill, @Nullable IdempotencyKey key) {
    Outcome earlier = answers.find(scope, key, clockMillis);
    if (earlier != null) {
      return answer((Outcome.Settling) earlier);
    }
    long now = nowMillis(scope.levels(), scope);
    ModelReservation reservation = known(scope, id, now);
    if (reservation == null) {
      return answer(new Outcome.NotFound());
    }
    Map<String, Long> resolved =
        new TreeMap<>(bill == null ? reservation.amounts.byMeter() : bill.amounts().byMeter());
    Long requests = reservation.amounts.byMeter().get("requests");
    if (requests != null) {
      resolved.putIfAbsent("requests", requests);
    }
    for (String meter : reservation.amounts.byMeter().keySet()) {
      if (!resolved.containsKey(meter)) {
        return answer(new Outcome.Unnamed(meter));
      }
    }
    Amounts charged = Amounts.of(resolved);
    Outcome.Settled first = reservation.settled;
    if (first != null) {
      Outcome.Settled replay = first.again();
      return answer(first.charged().equals(charged) ? replay : new Outcome.AlreadySettled(replay));
    }
    if (!reservation.chain.equals(chain(scope))) {
      return answer(new Outcome.StaleLevels(Instant.ofEpochMilli(now), reservation.chain));
    }
    Outcome.StaleConfiguration stale = staleConfiguration(scope.levels(), scope, now);
    if (stale != null) {
      return answer(stale);
    }
    Viewed viewed = view(scope.levels(), scope);
    if (viewed.stale() != null) {
      return answer(viewed.stale());
    }
    String tooMuch = overflow(scope, reservation, charged, now);
    if (tooMuch != null) {
      return answer(new Outcome.SettleOverflow(tooMuch));
    }
    ReservationState before = reservation.state(now);
    boolean late = before != ReservationState.HELD;
    viewed.view().levels().forEach(LevelView::storeRollOver);
    for (ModelReservation.Hold hold : reservation.holds) {
      Account account = hold.level().accountOf(hold);
      long due = account.due(hold, CallView.amountOf(hold.meter(), charged), before);
      account.settle(due, reservation, now);
    }
    Bill settled = new Bill(charged, bill == null ? Breakdown.NONE : bill.breakdown());
    scope.levels().forEach(level -> spend(level(scope, level), reservation, settled, now));
    reservation.closedAs = ReservationState.SETTLED;
    reservation.settled =
        new Outcome.Settled(
            late, charged, above(charged, reservation.amounts), stateNow(scope, now), false);
    answers.keep(scope, key, reservation.settled, reservation.expiresAtMillis + DAY_MILLIS);
    return answer(reservation.settled);
  }

  private static Amounts above(Amounts charged, Amounts reserved) {
    Map<String, Long> above = new TreeMap<>();
    charged
        .byMeter()
        .forEach(
            (meter, amount) -> {
              long more = amount - reserved.byMeter().getOrDefault(meter, 0L);
              if (more > 0) {
                above.put(meter, more);
              }
            });
    return Amounts.of(above);
  }

  @Override
  public synchronized Uni<Outcome.Releasing> release(
      Scope scope, ReservationId id, @Nullable IdempotencyKey key) {
    Outcome earlier = answers.find(scope, key, clockMillis);
    if (earlier != null) {
      return answer((Outcome.Releasing) earlier);
    }
    long now = nowMillis(scope.levels(), scope);
    ModelReservation reservation = known(scope, id, now);
    if (reservation == null) {
      return answer(new Outcome.NotFound());
    }
    boolean changed = reservation.isLive(now);
    if (changed) {
      if (!reservation.chain.equals(chain(scope))) {
        return answer(new Outcome.StaleLevels(Instant.ofEpochMilli(now), reservation.chain));
      }
      for (ModelReservation.Hold hold : reservation.holds) {
        hold.level().accountOf(hold).release(hold, reservation, now);
      }
      reservation.closedAs = ReservationState.RELEASED;
      scope.levels().forEach(level -> level(scope, level).lastMillis = now);
    }
    Outcome.Closed closed = new Outcome.Closed(reservation.state(now), changed, false);
    answers.keep(scope, key, closed, reservation.expiresAtMillis + DAY_MILLIS);
    return answer(closed);
  }

  @Override
  public synchronized Uni<Outcome.Extending> extend(
      Scope scope, ReservationId id, Duration ttl, @Nullable IdempotencyKey key) {
    Outcome earlier = answers.find(scope, key, clockMillis);
    if (earlier != null) {
      return answer((Outcome.Extending) earlier);
    }
    long now = nowMillis(scope.levels(), scope);
    ModelReservation reservation = known(scope, id, now);
    if (reservation == null) {
      return answer(new Outcome.NotFound());
    }
    ReservationState state = reservation.state(now);
    if (state != ReservationState.HELD) {
      return answer(new Outcome.NotExtendable(state));
    }
    if (!reservation.chain.equals(chain(scope))) {
      return answer(new Outcome.StaleLevels(Instant.ofEpochMilli(now), reservation.chain));
    }
    Outcome.StaleConfiguration stale = staleConfiguration(scope.levels(), scope, now);
    if (stale != null) {
      return answer(stale);
    }
    long longest = reservation.takenAtMillis + DAY_MILLIS;
    long wanted = now + ttl.toMillis();
    reservation.expiresAtMillis = Math.max(reservation.expiresAtMillis, Math.min(wanted, longest));
    Outcome.Extended extended =
        new Outcome.Extended(
            Instant.ofEpochMilli(reservation.expiresAtMillis), wanted > longest, false);
    answers.keep(scope, key, extended, reservation.expiresAtMillis + DAY_MILLIS);
    return answer(extended);
  }

  @Override
  public synchronized Uni<Outcome.Finding> find(Scope scope, ReservationId id) {
    long now = nowMillis(List.of(scope.subject()), scope);
    ModelReservation reservation = known(scope, id, now);
    if (reservation == null) {
      return answer(new Outcome.NotFound());
    }
    Outcome.Settled settled = reservation.settled;
    return answer(
        new Outcome.Found(
            reservation.state(now),
            Instant.ofEpochMilli(reservation.takenAtMillis),
            Instant.ofEpochMilli(reservation.expiresAtMillis),
            reservation.amounts,
            settled == null ? Amounts.NONE : settled.charged()));
  }

  @Override
  public synchronized Uni<Outcome.Reading> read(Scope scope) {
    Viewed viewed = view(scope.levels(), scope);
    return answer(
        viewed.stale() != null
            ? viewed.stale()
            : new Outcome.Quota(viewed.view().state(), viewed.view().insights()));
  }

  @Override
  public synchronized Uni<Outcome.ReadingPeriods> readPeriods(Scope scope) {
    Viewed viewed = view(List.of(scope.subject()), scope);
    if (viewed.stale() != null) {
      return answer(viewed.stale());
    }
    CallView view = viewed.view();
    Set<String> planned =
        scope.subject().limits().stream()
            .filter(limit -> !(limit instanceof LimitTerms.Bucket))
            .filter(limit -> !(limit instanceof LimitTerms.Sliding))
            .map(LimitTerms::name)
            .collect(Collectors.toSet());
    List<ClosedPeriod> closed = level(scope, scope.subject()).closed(view.nowMillis(), planned);
    return answer(new Outcome.Periods(view.state(), closed, view.levels().getFirst().anchors()));
  }

  @Override
  public synchronized Uni<Outcome.Replaying> replay(
      SubjectId root,
      SubjectId subject,
      long incarnation,
      Operation operation,
      IdempotencyKey key) {
    Outcome earlier = answers.find(root, subject, incarnation, key, clockMillis);
    return answer(earlier == null ? new Outcome.NotFound() : (Outcome.Replaying) earlier);
  }

  /** What a call finds: either of the two is null. */
  record Viewed(Outcome.@Nullable Stale stale, @Nullable CallView found) {

    CallView view() {
      if (found == null) {
        throw new IllegalStateException("stale: " + stale);
      }
      return found;
    }
  }

  Viewed view(List<Level> called, Scope scope) {
    long now = nowMillis(called, scope);
    Outcome.StaleConfiguration stale = staleConfiguration(called, scope, now);
    return stale == null ? viewAt(called, scope, now) : new Viewed(stale, null);
  }

  private List<Outcome.Anchor> otherAnchors(List<Level> called, Scope scope, long now) {
    List<Outcome.Anchor> anchors = new ArrayList<>();
    for (int l = 0; l < called.size(); l++) {
      ModelLevel level = level(scope, called.get(l));
      for (LimitTerms limit : called.get(l).limits()) {
        Outcome.Anchor other = PeriodView.otherAnchor(level, limit, now, l);
        if (other != null) {
          anchors.add(other);
        }
      }
    }
    return anchors;
  }

  Viewed viewAt(List<Level> called, Scope scope, long now) {
    List<Outcome.Anchor> anchors = otherAnchors(called, scope, now);
    if (!anchors.isEmpty()) {
      return new Viewed(new Outcome.StaleAnchors(Instant.ofEpochMilli(now), anchors), null);
    }
    List<LevelView> views = new ArrayList<>();
    for (Level level : called) {
      LevelView view = LevelView.of(level, scope.plansGeneration(), level(scope, level), now);
      if (view == null) {
        return new Viewed(new Outcome.StalePeriod(Instant.ofEpochMilli(now)), null);
      }
      views.add(view);
    }
    return new Viewed(null, new CallView(now, views));
  }

  QuotaState stateNow(Scope scope, long now) {
    return viewAt(scope.levels(), scope, now).view().state();
  }

  /** What a call answers that was decided with what is configured no more, or null. */
  private Outcome.@Nullable StaleConfiguration staleConfiguration(
      List<Level> called, Scope scope, long now) {
    if (called.stream().noneMatch(level -> isConfiguredOtherwise(level, scope))) {
      return null;
    }
    long seen = called.stream().mapToLong(it -> level(scope, it).plansSeen).max().orElseThrow();
    return new Outcome.StaleConfiguration(Instant.ofEpochMilli(now), seen);
  }

  private boolean isConfiguredOtherwise(Level called, Scope scope) {
    long plans = scope.plansGeneration();
    return called.recordVersion() != Level.ANY_VERSION
        && (called.recordVersion() != recordVersions.getOrDefault(called.subject(), 0L)
            || (plans != Scope.ANY_PLANS && plans < level(scope, called).plansSeen));
  }

  /** The clock, but never before the last instant that a level of the call remembers. */
  private long nowMillis(List<Level> called, Scope scope) {
    long now = clockMillis;
    for (Level level : called) {
      now = Math.max(now, level(scope, level).lastMillis);
    }
    return now;
  }

  private ModelLevel level(Scope scope, Level level) {
    LevelId id = new LevelId(scope.root(), level.subject(), level.incarnation(), scope.resource());
    return levels.computeIfAbsent(id, created -> new ModelLevel());
  }

  private @Nullable ModelReservation known(Scope scope, ReservationId id, long now) {
    ModelReservation found = reservations.get(id);
    boolean known =
        found != null
            && found.subject.equals(scope.subject().subject())
            && found.resource.equals(scope.resource())
            && !found.isForgotten(now);
    return known ? found : null;
  }

  private static void spend(ModelLevel level, ModelReservation reservation, Bill bill, long now) {
    List<ModelUsage.Counted> counted =
        reservation.holds.stream()
            .filter(hold -> hold.level() == level)
            .map(hold -> counted(hold))
            .toList();
    level.usage.spend(now, counted, bill);
  }

  private static ModelUsage.Counted counted(ModelReservation.Hold hold) {
    Long group = hold.account() instanceof ModelPeriod period ? (Long) period.group : null;
    return new ModelUsage.Counted(hold.limit(), hold.meter(), group);
  }

  /** What was settled or charged of a meter at a level from an instant on, inclusive. */
  public synchronized BigDecimal spentSince(
      Scope scope, Level level, String meter, long fromMillis) {
    return level(scope, level).usage.since(meter, fromMillis);
  }

  private @Nullable String overflow(
      Scope scope, ModelReservation reservation, Amounts charged, long now) {
    for (ModelReservation.Hold hold : reservation.holds) {
      Account account = hold.level().accountOf(hold);
      long amount = CallView.amountOf(hold.meter(), charged);
      long due = account.due(hold, amount, reservation.state(now));
      if (account.overflows(due, termsOf(scope, hold), now)) {
        return hold.meter();
      }
    }
    return null;
  }

  /** What the plan says now of the limit that something is held of; null = nothing. */
  private @Nullable LimitTerms termsOf(Scope scope, ModelReservation.Hold hold) {
    return scope.levels().stream()
        .filter(level -> level(scope, level) == hold.level())
        .flatMap(level -> level.limits().stream())
        .filter(limit -> limit.name().equals(hold.limit()))
        .findFirst()
        .orElse(null);
  }

  private static String chain(Scope scope) {
    return scope.levels().stream()
        .map(
            level -> {
              String subject = level.subject().value();
              int length = subject.getBytes(StandardCharsets.UTF_8).length;
              return level.incarnation() + ":" + length + ":" + subject;
            })
        .collect(Collectors.joining(","));
  }

  private static <T extends Outcome> Uni<T> answer(T outcome) {
    return Uni.createFrom().item(outcome);
  }
}
