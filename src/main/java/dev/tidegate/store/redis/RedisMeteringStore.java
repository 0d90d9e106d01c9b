package dev.tidegate.store.redis;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.Breakdown;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Level;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Outcome.ReservationState;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.Scope;
import dev.tidegate.store.StoreClock;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Metering in Redis: each call is one script. */
final class RedisMeteringStore implements MeteringStore {

  private final ScriptRunner scripts;
  private final Keys keys;
  private final StoreClock clock;
  private final int historyKept;
  private final LongConsumer lapses;

  /**
   * @param historyKept closed periods kept per limit, 1 or more
   * @param lapses told how many lapsed leases a call came upon
   */
  RedisMeteringStore(
      ScriptRunner scripts, Keys keys, StoreClock clock, int historyKept, LongConsumer lapses) {
    this.scripts = scripts;
    this.keys = keys;
    this.clock = clock;
    this.historyKept = historyKept;
    this.lapses = lapses;
  }

  @Override
  public Uni<Outcome.Reserving> reserve(
      Scope scope,
      ReservationId id,
      Amounts amounts,
      Duration ttl,
      boolean dryRun,
      @Nullable IdempotencyKey key) {
    Arguments arguments =
        begin().add(id.token()).add(ttl).add(dryRun).add(key).add(amounts).add(scope, historyKept);
    return run(Script.TAKE_RESERVATION, keysOf(scope, id, key), arguments)
        .map(
            reply ->
                switch (reply.status()) {
                  case HELD -> held(scope.root(), reply, false);
                  case REPLAYED -> held(scope.root(), reply, true);
                  case FITS -> new Outcome.Fits(reply.state());
                  case KEY_REUSED -> new Outcome.KeyReused();
                  case DENIED, TOO_MANY_HOLDS, EXCEEDS, OVERFLOW -> reply.refused();
                  default -> stale(reply);
                });
  }

  @Override
  public Uni<Outcome.Settling> settle(
      Scope scope, ReservationId id, @Nullable Bill bill, @Nullable IdempotencyKey key) {
    Arguments arguments =
        begin()
            .add(id.token())
            .add(bill == null)
            .add(key)
            .add(bill == null ? Amounts.NONE : bill.amounts())
            .add(bill == null ? Breakdown.NONE : bill.breakdown())
            .add(scope, historyKept);
    return run(Script.SETTLE_RESERVATION, keysOf(scope, id, key), arguments)
        .map(
            reply ->
                switch (reply.status()) {
                  case SETTLED -> settled(reply);
                  case REPLAYED -> settledBefore(reply);
                  case ALREADY_SETTLED -> new Outcome.AlreadySettled(settledBefore(reply));
                  case UNNAMED -> new Outcome.Unnamed(reply.text());
                  case OVERFLOW -> new Outcome.SettleOverflow(reply.text());
                  case NOT_FOUND -> new Outcome.NotFound();
                  case KEY_REUSED -> new Outcome.KeyReused();
                  default -> stale(reply);
                });
  }

  @Override
  public Uni<Outcome.Releasing> release(
      Scope scope, ReservationId id, @Nullable IdempotencyKey key) {
    Arguments arguments = begin().add(id.token()).add(key).add(scope, historyKept);
    return run(Script.RELEASE_RESERVATION, keysOf(scope, id, key), arguments)
        .map(
            reply ->
                switch (reply.status()) {
                  case CLOSED -> new Outcome.Closed(state(reply), reply.flag(), false);
                  case REPLAYED -> new Outcome.Closed(state(reply), false, true);
                  case NOT_FOUND -> new Outcome.NotFound();
                  case KEY_REUSED -> new Outcome.KeyReused();
                  default -> stale(reply);
                });
  }

  @Override
  public Uni<Outcome.Extending> extend(
      Scope scope, ReservationId id, Duration ttl, @Nullable IdempotencyKey key) {
    Arguments arguments = begin().add(id.token()).add(ttl).add(key).add(scope, historyKept);
    return run(Script.EXTEND_RESERVATION, keysOf(scope, id, key), arguments)
        .map(
            reply ->
                switch (reply.status()) {
                  case EXTENDED -> extended(reply, false);
                  case REPLAYED -> extended(reply, true);
                  case CLOSED -> new Outcome.NotExtendable(state(reply));
                  case NOT_FOUND -> new Outcome.NotFound();
                  case KEY_REUSED -> new Outcome.KeyReused();
                  default -> stale(reply);
                });
  }

  @Override
  public Uni<Outcome.Finding> find(Scope scope, ReservationId id) {
    Level subject = scope.subject();
    String state = keys.ofLevel(scope.root(), subject, scope.resource()).get(1);
    Arguments arguments = begin().add(subject.subject().value()).add(scope.resource());
    return run(Script.READ_RESERVATION, List.of(keys.reservation(id), state), arguments)
        .map(
            reply ->
                switch (reply.status()) {
                  case FOUND ->
                      new Outcome.Found(
                          state(reply),
                          reply.instant(),
                          reply.instant(),
                          reply.amounts(),
                          reply.amounts());
                  case NOT_FOUND -> new Outcome.NotFound();
                  default -> throw reply.malformed("the status " + reply.status());
                });
  }

  @Override
  public Uni<Outcome.Charging> charge(
      Scope scope, Bill bill, Duration kept, @Nullable IdempotencyKey key) {
    Arguments arguments =
        begin()
            .add(kept)
            .add(key)
            .add(bill.amounts())
            .add(bill.breakdown())
            .add(scope, historyKept);
    List<String> all = new ArrayList<>();
    all.add(idempotencyKey(scope, key));
    addLevels(all, scope);
    return run(Script.TAKE_CHARGE, all, arguments)
        .map(
            reply ->
                switch (reply.status()) {
                  case CHARGED -> new Outcome.Charged(reply.amounts(), reply.state(), false);
                  case REPLAYED -> new Outcome.Charged(reply.amounts(), reply.state(), true);
                  case KEY_REUSED -> new Outcome.KeyReused();
                  case DENIED, EXCEEDS, OVERFLOW -> reply.refused();
                  default -> stale(reply);
                });
  }

  @Override
  public Uni<Outcome.Reading> read(Scope scope) {
    List<String> all = new ArrayList<>();
    addLevels(all, scope);
    return run(Script.READ_QUOTA, all, begin().add(scope, historyKept))
        .map(
            reply ->
                switch (reply.status()) {
                  case STATE -> quota(reply);
                  default -> stale(reply);
                });
  }

  private static Outcome.Quota quota(Reply reply) {
    QuotaState state = reply.state();
    return new Outcome.Quota(state, reply.insights(state));
  }

  @Override
  public Uni<Outcome.ReadingPeriods> readPeriods(Scope scope) {
    Scope subject = scope.ofSubject();
    List<String> all = new ArrayList<>();
    addLevels(all, subject);
    return run(Script.READ_PERIODS, all, begin().add(subject, historyKept))
        .map(
            reply ->
                switch (reply.status()) {
                  case PERIODS -> reply.periods();
                  default -> stale(reply);
                });
  }

  @Override
  public Uni<Outcome.Replaying> replay(
      SubjectId root,
      SubjectId subject,
      long incarnation,
      Operation operation,
      IdempotencyKey key) {
    List<String> all = List.of(keys.idempotency(root, subject, incarnation, key.value()));
    return run(Script.READ_REPLAY, all, begin().add(key))
        .map(
            reply ->
                switch (reply.status()) {
                  case REPLAYED -> replayed(root, operation, reply);
                  case KEY_REUSED -> new Outcome.KeyReused();
                  case NOT_FOUND -> new Outcome.NotFound();
                  default -> throw reply.malformed("the status " + reply.status());
                });
  }

  private static Outcome.Replaying replayed(SubjectId root, Operation operation, Reply reply) {
    return switch (operation) {
      case RESERVE -> held(root, reply, true);
      case SETTLE -> settledBefore(reply);
      case RELEASE -> new Outcome.Closed(state(reply), false, true);
      case EXTEND -> extended(reply, true);
      case CHARGE -> new Outcome.Charged(reply.amounts(), reply.state(), true);
    };
  }

  private Arguments begin() {
    return new Arguments().add(clock.pinnedMillis());
  }

  private Uni<Reply> run(Script script, List<String> all, Arguments arguments) {
    return scripts
        .run(script, all, arguments)
        .invoke(
            reply -> {
              clock.observe(reply.now());
              if (reply.swept() > 0) {
                lapses.accept(reply.swept());
              }
            });
  }

  private List<String> keysOf(Scope scope, ReservationId id, @Nullable IdempotencyKey key) {
    List<String> all = new ArrayList<>(2 + 6 * scope.levels().size());
    all.add(keys.reservation(id));
    all.add(idempotencyKey(scope, key));
    addLevels(all, scope);
    return all;
  }

  private void addLevels(List<String> all, Scope scope) {
    for (Level level : scope.levels()) {
      all.addAll(keys.ofLevel(scope.root(), level, scope.resource()));
    }
  }

  private String idempotencyKey(Scope scope, @Nullable IdempotencyKey key) {
    Level subject = scope.subject();
    String value = key == null ? "" : key.value();
    return keys.idempotency(scope.root(), subject.subject(), subject.incarnation(), value);
  }

  private static Outcome.Stale stale(Reply reply) {
    Outcome.Stale stale = reply.stale();
    if (stale == null) {
      throw reply.malformed("the status " + reply.status());
    }
    return stale;
  }

  private static Outcome.Held held(SubjectId root, Reply reply, boolean replayed) {
    ReservationId id = new ReservationId(reply.text(), root);
    return new Outcome.Held(id, reply.instant(), reply.amounts(), reply.state(), replayed);
  }

  private static Outcome.Settled settled(Reply reply) {
    boolean late = reply.flag();
    Amounts charged = reply.amounts();
    QuotaState state = reply.state();
    return new Outcome.Settled(late, charged, reply.amounts(), state, false);
  }

  /** The first reply does not tell again what was charged above the reservation. */
  private static Outcome.Settled settledBefore(Reply reply) {
    return new Outcome.Settled(reply.flag(), reply.amounts(), Amounts.NONE, reply.state(), true);
  }

  private static Outcome.Extended extended(Reply reply, boolean replayed) {
    return new Outcome.Extended(reply.instant(), reply.flag(), replayed);
  }

  private static ReservationState state(Reply reply) {
    return ReservationState.valueOf(reply.text().toUpperCase(Locale.ROOT));
  }
}
