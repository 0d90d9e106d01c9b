package dev.tidegate.service;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.QuotaState.LimitState;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Tells which changes of a subject's limits still wait for the end of a period. */
@ApplicationScoped
class WaitingChanges {

  /** How many may wait at a time; each costs two arguments in every call. */
  static final int MAX = 64;

  private final QuotaReading quotas;

  WaitingChanges(QuotaReading quotas) {
    this.quotas = quotas;
  }

  /**
   * Those of a subject's changes that still wait. A change is over once a later period has begun
   * than the one that it came in: what is read says so, whatever schedule the period is of. What
   * cannot be read may still wait.
   */
  Uni<List<DeferredChange>> of(SubjectId id, List<DeferredChange> changes) {
    Set<String> resources =
        changes.stream()
            .flatMap(change -> change.before().keySet().stream())
            .collect(Collectors.toSet());
    Uni<List<DeferredChange>> waiting = Uni.createFrom().item(changes);
    for (String resource : resources) {
      waiting =
          waiting.chain(
              some ->
                  quotas
                      .read(id, resource)
                      .map(
                          answer ->
                              answer
                                      instanceof
                                      Decided<Outcome.Reading>(Outcome.Quota quota, Resolved on)
                                  ? stillWaiting(some, resource, startsOf(quota.state()))
                                  : some));
    }
    return waiting;
  }

  private static List<DeferredChange> stillWaiting(
      List<DeferredChange> changes, String resource, Map<String, Instant> starts) {
    return changes.stream()
        .map(change -> change.stillWaiting(resource, starts))
        .filter(change -> !change.before().isEmpty())
        .toList();
  }

  /** When the current periods began; no period that a session has yet to open began before now. */
  private static Map<String, Instant> startsOf(QuotaState state) {
    Map<String, Instant> starts = new HashMap<>();
    for (LimitState limit : state.levels().getFirst().limits()) {
      if (limit.hasPeriods()) {
        var period = limit.period();
        starts.put(limit.name(), period == null ? state.now() : period.start());
      }
    }
    return starts;
  }
}
