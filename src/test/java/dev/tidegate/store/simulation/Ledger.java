package dev.tidegate.store.simulation;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.AuditEvent;
import dev.tidegate.store.Grant;
import dev.tidegate.store.Level;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Outcome.ReservationState;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.QuotaState.LimitState;
import dev.tidegate.store.Scope;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a caller would write down of the answers it got. From it follows what every level must have
 * used and must hold: conservation.
 */
final class Ledger {

  private static final String PERIOD = "period";
  private static final String BUCKET = "token_bucket";
  private static final String SLIDING = "sliding";

  /** One period of one limit of one level, or one rate since its last reset. */
  private record Account(
      String subject, long incarnation, String resource, String kind, String limit, long seq) {

    private Account withSeq(long changed) {
      return new Account(subject, incarnation, resource, kind, limit, changed);
    }
  }

  private record Entry(long atMillis, long amount) {}

  /** What was written of one account. */
  private static final class Book {
    private final List<Entry> entries = new ArrayList<>();
    private @Nullable Object shape;
    private boolean changed;

    /** A granted call came with these terms. */
    private void write(LimitTerms terms) {
      changed |= shape != null && !shape.equals(shapeOf(terms));
      shape = shapeOf(terms);
    }

    /** Whether every granted call has come with these terms. */
    private boolean isAsEver(LimitTerms terms) {
      return !changed && (shape == null || shape.equals(shapeOf(terms)));
    }

    private BigInteger sumFrom(long millis) {
      return entries.stream()
          .filter(entry -> entry.atMillis() >= millis)
          .map(entry -> BigInteger.valueOf(entry.amount()))
          .reduce(BigInteger.ZERO, BigInteger::add);
    }
  }

  private record Hold(Account account, String meter, long amount) {

    private boolean isOf(String kind) {
      return account.kind().equals(kind);
    }

    /** Whether it is taken from the account as soon as the reservation is. */
    private boolean isTakenAtOnce() {
      return isOf(BUCKET) || (isOf(SLIDING) && meter.equals("requests"));
    }
  }

  /** One reservation, as its caller knows it. */
  static final class Taken {
    final ReservationId id;
    final Scope scope;
    final Amounts amounts;
    private final List<Hold> holds = new ArrayList<>();
    private final long takenAtMillis;
    long expiresAtMillis;
    boolean settled;
    boolean released;

    private Taken(ReservationId id, Scope scope, Outcome.Held held) {
      this.id = id;
      this.scope = scope;
      this.amounts = held.amounts();
      this.takenAtMillis = held.state().now().toEpochMilli();
      this.expiresAtMillis = held.expiresAt().toEpochMilli();
    }

    boolean isLive(long nowMillis) {
      return !settled && !released && nowMillis < expiresAtMillis;
    }
  }

  private final Map<Account, Book> books = new HashMap<>();

  /** How often each limit was reset, as the trail tells; of the kinds that count that. */
  private final Map<Account, Long> resets = new HashMap<>();

  private final List<Taken> taken = new ArrayList<>();
  private final Consumer<String> saw;

  /**
   * @param saw told of every check that was made of a rate
   */
  Ledger(Consumer<String> saw) {
    this.saw = saw;
  }

  /** What the events of the trails come to. */
  private final Map<Account, Long> topups = new HashMap<>();

  private final Set<String> events = new HashSet<>();

  /** Every reservation, in the order they were taken. */
  List<Taken> taken() {
    return taken;
  }

  private Book book(Account account) {
    return books.computeIfAbsent(account, created -> new Book());
  }

  private void post(Account account, long atMillis, long amount) {
    book(account).entries.add(new Entry(atMillis, amount));
  }

  /** What a granted call tells of each limit. */
  private interface Line {
    void told(Account account, LimitTerms terms, LimitState state);
  }

  private static void each(Scope scope, QuotaState state, Line line) {
    for (int l = 0; l < scope.levels().size(); l++) {
      Level level = scope.levels().get(l);
      for (int n = 0; n < level.limits().size(); n++) {
        LimitState limit = state.levels().get(l).limits().get(n);
        line.told(account(level, scope.resource(), limit), level.limits().get(n), limit);
      }
    }
  }

  void held(Scope scope, ReservationId id, Outcome.Held held) {
    if (held.replayed()) {
      return;
    }
    Taken reservation = new Taken(id, scope, held);
    each(
        scope,
        held.state(),
        (account, terms, limit) -> {
          long amount = held.amounts().byMeter().getOrDefault(limit.meter(), 0L);
          Hold hold = new Hold(account, limit.meter(), amount);
          book(account).write(terms);
          reservation.holds.add(hold);
          if (hold.isTakenAtOnce()) {
            post(account, reservation.takenAtMillis, amount);
          }
        });
    taken.add(reservation);
  }

  void charged(Scope scope, Outcome.Charged charged) {
    if (charged.replayed()) {
      return;
    }
    each(
        scope,
        charged.state(),
        (account, terms, limit) -> {
          book(account).write(terms);
          post(
              account,
              charged.state().now().toEpochMilli(),
              charged.charged().byMeter().getOrDefault(limit.meter(), 0L));
        });
  }

  void settled(Taken reservation, Scope scope, Outcome.Settled settled) {
    if (settled.replayed()) {
      return;
    }
    each(scope, settled.state(), (account, terms, limit) -> book(account).write(terms));
    reservation.settled = true;
    for (Hold hold : reservation.holds) {
      long amount = settled.charged().byMeter().getOrDefault(hold.meter(), 0L);
      boolean taken = hold.isTakenAtOnce() && !reservation.released && !isForgotten(hold);
      long due = taken ? amount - hold.amount() : amount;
      if (hold.isOf(BUCKET) && !reservation.released && isForgotten(hold)) {
        due = Math.max(0, amount - hold.amount());
      }
      long now = settled.state().now().toEpochMilli();
      post(latest(hold.account()), due < 0 ? reservation.takenAtMillis : now, due);
    }
  }

  void closed(Taken reservation, Outcome.Closed closed) {
    if (!closed.replayed()
        && closed.state() == ReservationState.RELEASED
        && !reservation.released) {
      reservation.released = true;
      for (Hold hold : reservation.holds) {
        if (hold.isTakenAtOnce() && !isForgotten(hold)) {
          post(hold.account(), reservation.takenAtMillis, -hold.amount());
        }
      }
    }
  }

  /** Where a hold is settled: a rate that was reset since counts it anew. */
  private Account latest(Account account) {
    return account.kind().equals(SLIDING) || account.kind().equals(BUCKET)
        ? account.withSeq(resets.getOrDefault(account.withSeq(0), 0L))
        : account;
  }

  private boolean isForgotten(Hold hold) {
    return !latest(hold.account()).equals(hold.account());
  }

  void extended(Taken reservation, Outcome.Extended extended) {
    if (!extended.replayed()) {
      reservation.expiresAtMillis = extended.expiresAt().toEpochMilli();
    }
  }

  /** Whether a grant is to have an event. */
  static boolean writes(Grant grant, Outcome.Granting outcome) {
    return switch (outcome) {
      case Outcome.ToppedUp toppedUp -> {
        boolean any = toppedUp.granted().byMeter().values().stream().anyMatch(n -> n > 0);
        yield !toppedUp.replayed() && (any || grant.key() != null);
      }
      case Outcome.WasReset reset -> !reset.replayed() && (reset.changed() || grant.key() != null);
      default -> false;
    };
  }

  /**
   * Replays what the trail tells of a grant.
   *
   * @param trail its newest events, the newest first
   * @return what is wrong with it; null = nothing is
   */
  @Nullable String granted(
      Scope scope, Grant grant, Outcome.Granting outcome, List<AuditEvent> trail) {
    Level level = scope.subject();
    String of = scope.root() + "/" + level.subject();
    List<AuditEvent> added =
        trail.stream().filter(event -> events.add(of + " " + event.id())).toList();
    if (added.size() != (writes(grant, outcome) ? 1 : 0)) {
      return outcome + " has left the events " + added;
    }
    for (AuditEvent event : added) {
      for (AuditEvent.Change change : event.limits()) {
        Account account = account(scope, change);
        topups.merge(account, change.granted(), Long::sum);
        resets.merge(account.withSeq(0), account.seq(), Math::max);
      }
      for (LimitTerms terms : level.limits()) {
        book(latest(account(scope, terms, 0))).write(terms);
      }
    }
    return null;
  }

  /** What contradicts the ledger in a read of the scope; null = nothing does. */
  @Nullable String contradiction(Scope scope, QuotaState state) {
    List<String> found = new ArrayList<>();
    each(
        scope,
        state,
        (account, terms, limit) -> {
          String expected = contradiction(account, terms, limit, state.now().toEpochMilli());
          if (expected != null) {
            found.add("%s should have used %s, but is %s".formatted(account, expected, limit));
          }
        });
    return found.isEmpty() ? null : found.getFirst();
  }

  private @Nullable String contradiction(
      Account account, LimitTerms terms, LimitState limit, long now) {
    Book book = book(account);
    BigInteger least = book.sumFrom(Long.MIN_VALUE);
    BigInteger most = least;
    long topup = topups.getOrDefault(account, 0L);
    switch (terms) {
      case LimitTerms.Periodic periodic -> {}
      case LimitTerms.Session session -> {
        if (limit.period() == null) {
          return null;
        }
      }
      case LimitTerms.Bucket bucket -> least = BigInteger.ZERO;
      case LimitTerms.Sliding sliding -> {
        long window = sliding.window().toMillis();
        long bucket = Math.ceilDiv(window, sliding.buckets());
        least = topup > 0 ? BigInteger.ZERO : book.sumFrom(now - window + bucket);
        most = book.sumFrom(now - window - bucket);
      }
    }
    boolean rate = account.kind().equals(BUCKET) || account.kind().equals(SLIDING);
    if (rate && !book.isAsEver(terms)) {
      return null;
    }
    if (rate && limit.used() > 0) {
      saw.accept("conserved " + account.kind());
    }
    BigInteger used = BigInteger.valueOf(limit.used());
    long held = heldOf(account, now);
    boolean toppedUp = rate || topup == limit.topup();
    boolean spent = used.compareTo(least) >= 0 && used.compareTo(most) <= 0;
    return spent && toppedUp && held == limit.held()
        ? null
        : "%d to %d, hold %d and be topped up by %d".formatted(least, most, held, topup);
  }

  /** What of the terms has to stay the same for the books to be comparable. */
  private static Object shapeOf(LimitTerms terms) {
    return switch (terms) {
      case LimitTerms.Bucket bucket -> bucket.capacity();
      case LimitTerms.Sliding sliding -> List.of(sliding.window(), sliding.buckets());
      case LimitTerms.Periodic periodic -> "";
      case LimitTerms.Session session -> "";
    };
  }

  private long heldOf(Account account, long nowMillis) {
    return taken.stream()
        .filter(reservation -> reservation.isLive(nowMillis))
        .flatMap(reservation -> reservation.holds.stream())
        .filter(hold -> hold.account().equals(account) && !hold.isTakenAtOnce())
        .mapToLong(Hold::amount)
        .sum();
  }

  private static Account account(Scope scope, AuditEvent.Change change) {
    LimitTerms terms =
        scope.subject().limits().stream()
            .filter(limit -> limit.name().equals(change.limit()))
            .findFirst()
            .orElseThrow();
    return account(scope, terms, change.after().seq());
  }

  private static Account account(Scope scope, LimitTerms terms, long seq) {
    Level level = scope.subject();
    String kind =
        switch (terms) {
          case LimitTerms.Bucket bucket -> BUCKET;
          case LimitTerms.Sliding sliding -> SLIDING;
          case LimitTerms.Periodic periodic -> PERIOD;
          case LimitTerms.Session session -> PERIOD;
        };
    return new Account(
        level.subject().value(), level.incarnation(), scope.resource(), kind, terms.name(), seq);
  }

  private static Account account(Level level, String resource, LimitState limit) {
    String kind = limit.hasPeriods() ? PERIOD : limit.kind();
    return new Account(
        level.subject().value(), level.incarnation(), resource, kind, limit.name(), limit.seq());
  }
}
