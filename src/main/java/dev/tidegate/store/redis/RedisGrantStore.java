package dev.tidegate.store.redis;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.AuditEvent;
import dev.tidegate.store.Grant;
import dev.tidegate.store.GrantStore;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Level;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.RestartTerms;
import dev.tidegate.store.Scope;
import dev.tidegate.store.StoreClock;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongConsumer;

/** Grants in Redis: each call is one script. */
final class RedisGrantStore implements GrantStore {

  private final ScriptRunner scripts;
  private final GrantScripts grants;
  private final Keys keys;
  private final StoreClock clock;
  private final int historyKept;
  private final Retention audit;
  private final LongConsumer lapses;

  /**
   * @param grants what runs the scripts that grant
   * @param historyKept closed periods kept per limit, 1 or more
   * @param lapses told how many lapsed leases a grant came upon
   */
  RedisGrantStore(
      ScriptRunner scripts,
      GrantScripts grants,
      Keys keys,
      StoreClock clock,
      int historyKept,
      Retention audit,
      LongConsumer lapses) {
    this.lapses = lapses;
    this.scripts = scripts;
    this.grants = grants;
    this.keys = keys;
    this.clock = clock;
    this.historyKept = historyKept;
    this.audit = audit;
  }

  @Override
  public Uni<Outcome.Granting> purchase(Scope scope, Amounts amounts, Grant grant) {
    return run(Script.ADD_PURCHASE, scope, grant, begin(grant).add(amounts));
  }

  @Override
  public Uni<Outcome.Granting> topUpInEmergency(
      Scope scope, String limit, long amount, Grant grant) {
    return run(Script.ADD_EMERGENCY, scope, grant, begin(grant).add(limit).add(amount));
  }

  @Override
  public Uni<Outcome.Granting> reset(Scope scope, Set<String> limits, Grant grant) {
    Arguments arguments = begin(grant).add(limits.size());
    limits.forEach(arguments::add);
    return run(Script.RESET_LIMITS, scope, grant, arguments);
  }

  @Override
  public Uni<Outcome.Granting> restart(
      Scope scope, List<RestartTerms> limits, Instant anchor, Grant grant) {
    Arguments arguments = begin(grant).add(anchor).add(limits.size());
    for (RestartTerms limit : limits) {
      arguments
          .add(limit.limit())
          .add(limit.period().end())
          .add(limit.period().ordinal())
          .add(limit.max())
          .add(limit.perDays());
    }
    return run(Script.RESTART_LIMITS, scope, grant, arguments);
  }

  /** What every grant comes with; see {@code lib/grant.lua}. */
  private Arguments begin(Grant grant) {
    IdempotencyKey key = grant.key();
    Long ifVersion = grant.ifVersion();
    return new Arguments()
        .add(clock.pinnedMillis())
        .add(key)
        .add(key == null ? "" : key.value())
        .add(ifVersion == null ? -1 : ifVersion)
        .add(grant.by())
        .add(grant.role())
        .add(grant.reason() == null ? "" : grant.reason())
        .add(audit.kept())
        .add(audit.events());
  }

  private Uni<Outcome.Granting> run(Script script, Scope whole, Grant grant, Arguments arguments) {
    Scope scope = whole.ofSubject();
    Level subject = scope.subject();
    IdempotencyKey key = grant.key();
    List<String> all = new ArrayList<>();
    all.add(
        keys.idempotency(
            scope.root(),
            subject.subject(),
            subject.incarnation(),
            key == null ? "" : key.value()));
    all.add(keys.audit(scope.root(), subject.subject()));
    all.addAll(keys.ofLevel(scope.root(), subject, scope.resource()));
    return run(script, all, arguments.add(scope, historyKept))
        .invoke(reply -> countLapses(scope, reply))
        .map(RedisGrantStore::outcome);
  }

  /** A lapse of a member is told by the call that comes upon it at the root. */
  private void countLapses(Scope scope, Reply reply) {
    if (reply.swept() > 0 && scope.subject().subject().equals(scope.root())) {
      lapses.accept(reply.swept());
    }
  }

  private Uni<Reply> run(Script script, List<String> all, Arguments arguments) {
    return grants.run(script, all, arguments).invoke(reply -> clock.observe(reply.now()));
  }

  private static Outcome.Granting outcome(Reply reply) {
    return switch (reply.status()) {
      case REPLAYED -> outcome(reply, reply.nextStatus(), true);
      case KEY_REUSED -> new Outcome.KeyReused();
      case NOT_FOUND -> new Outcome.NotFound();
      default -> {
        Outcome.Stale stale = reply.stale();
        yield stale == null ? outcome(reply, reply.status(), false) : stale;
      }
    };
  }

  private static Outcome.Granting outcome(Reply reply, Status status, boolean replayed) {
    return switch (status) {
      case GRANTED -> new Outcome.ToppedUp(reply.amounts(), reply.state(), replayed);
      case RESET -> reset(reply, replayed);
      case CONFLICT -> new Outcome.VersionConflict(reply.number(), replayed);
      case TOPUP_CAPPED -> new Outcome.TopUpCapReached(reply.text(), reply.instant(), replayed);
      case RESTART_CAPPED -> new Outcome.RestartCapReached(reply.text(), reply.instant(), replayed);
      case OVERFLOW -> new Outcome.TopUpOverflow(reply.text(), replayed);
      default -> throw reply.malformed("the status " + status);
    };
  }

  private static Outcome.WasReset reset(Reply reply, boolean replayed) {
    boolean changed = reply.flag();
    List<Outcome.LimitReset> limits = new ArrayList<>();
    int count = reply.count();
    for (int n = 0; n < count; n++) {
      String limit = reply.text();
      limits.add(new Outcome.LimitReset(limit, reply.flag() ? reply.closedPeriod(limit) : null));
    }
    return new Outcome.WasReset(limits, reply.state(), changed, replayed);
  }

  @Override
  public Uni<Outcome.Granting> replay(
      SubjectId root, SubjectId subject, long incarnation, IdempotencyKey key) {
    List<String> all = List.of(keys.idempotency(root, subject, incarnation, key.value()));
    Arguments arguments = new Arguments().add(clock.pinnedMillis()).add(key);
    return run(Script.READ_REPLAY, all, arguments).map(RedisGrantStore::outcome);
  }

  @Override
  public Uni<AuditPage> audit(SubjectId root, SubjectId subject, AuditQuery query) {
    AuditEvent.Operation operation = query.operation();
    Arguments arguments =
        new Arguments()
            .add(clock.pinnedMillis())
            .add(audit.kept())
            .add(query.after() == null ? "" : query.after())
            .add(query.count())
            .add(query.resource())
            .add(operation == null ? "" : word(operation));
    return scripts
        .run(Script.READ_AUDIT, List.of(keys.audit(root, subject)), arguments)
        .invoke(reply -> clock.observe(reply.now()))
        .map(
            reply ->
                switch (reply.status()) {
                  case AUDIT -> page(reply);
                  default -> throw reply.malformed("the status " + reply.status());
                });
  }

  private static String word(AuditEvent.Operation operation) {
    return operation.name().toLowerCase(Locale.ROOT);
  }

  private static AuditPage page(Reply reply) {
    String next = reply.optionalText();
    List<AuditEvent> events = new ArrayList<>();
    int count = reply.count();
    for (int n = 0; n < count; n++) {
      events.add(event(reply));
    }
    return new AuditPage(events, next);
  }

  /** One event; see {@code lib/audit.lua}. */
  private static AuditEvent event(Reply reply) {
    String id = reply.text();
    String operation = reply.text();
    Instant at = reply.instant();
    String by = reply.text();
    String role = reply.text();
    String resource = reply.text();
    long before = reply.number();
    long version = reply.number();
    String reason = reply.optionalText();
    String key = reply.optionalText();
    List<AuditEvent.Change> limits = new ArrayList<>();
    int count = reply.count();
    for (int n = 0; n < count; n++) {
      limits.add(new AuditEvent.Change(reply.text(), reply.number(), quota(reply), quota(reply)));
    }
    return new AuditEvent(
        id,
        at,
        AuditEvent.Operation.valueOf(operation.toUpperCase(Locale.ROOT)),
        by,
        role,
        resource,
        before,
        version,
        reason,
        key,
        limits);
  }

  private static AuditEvent.Quota quota(Reply reply) {
    long seq = reply.number();
    Long amount = reply.optionalAmount();
    long topup = reply.number();
    long used = reply.number();
    long held = reply.number();
    return new AuditEvent.Quota(seq, amount, topup, used, held, reply.optionalInstant());
  }
}
