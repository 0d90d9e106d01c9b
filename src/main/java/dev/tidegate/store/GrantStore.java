package dev.tidegate.store;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where quotas are topped up and reset. Every call is one atomic step on the subject of its scope,
 * whose parents are left out; what it writes and the event that tells of it are written together or
 * not at all. A failure of the {@code Uni} is a {@link StoreException}.
 */
public interface GrantStore {

  /**
   * Adds a purchase to the current periods, to all limits or to none.
   *
   * @param amounts by the names of limits in the scope, 1 or more each
   */
  Uni<Outcome.Granting> purchase(Scope scope, Amounts amounts, Grant grant);

  /**
   * Adds an emergency top-up, which names a version, to a period quota whose terms allow any.
   *
   * @param amount units that it adds, 1 or more
   */
  Uni<Outcome.Granting> topUpInEmergency(Scope scope, String limit, long amount, Grant grant);

  /** Starts limits anew and leaves their boundaries where they are. */
  Uni<Outcome.Granting> reset(Scope scope, Set<String> limits, Grant grant);

  /**
   * Starts limits anew, with boundaries that are counted from now.
   *
   * @param anchor the caller's idea of now, in whole seconds
   */
  Uni<Outcome.Granting> restart(
      Scope scope, List<RestartTerms> limits, Instant anchor, Grant grant);

  /** The first answer to a keyed grant, or {@link Outcome.NotFound}. */
  Uni<Outcome.Granting> replay(
      SubjectId root, SubjectId subject, long incarnation, IdempotencyKey key);

  /**
   * Reads the audit trail of a subject, of all its lives.
   *
   * @param root in whose slot it lies
   */
  Uni<AuditPage> audit(SubjectId root, SubjectId subject, AuditQuery query);

  /**
   * Which events to read.
   *
   * @param resource the canonical name
   * @param operation null = any
   * @param after where to go on: the {@code next} of the page before; null = with the newest
   * @param count the greatest number of events
   */
  record AuditQuery(
      String resource,
      AuditEvent.@Nullable Operation operation,
      @Nullable String after,
      int count) {}

  /**
   * Some events, the newest first.
   *
   * @param next where to go on; null = these were the last
   */
  record AuditPage(List<AuditEvent> events, @Nullable String next) {

    public AuditPage {
      events = List.copyOf(events);
    }
  }
}
