package dev.tidegate.service;

import dev.tidegate.document.Fault;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Limit;
import dev.tidegate.domain.PeriodQuota;
import dev.tidegate.domain.PeriodQuota.EmergencyRule;
import dev.tidegate.domain.PeriodQuota.RestartRule;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.calendar.PeriodicSchedule;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.service.CallObserver.GrantKind;
import dev.tidegate.service.Decisions.FirstAnswer;
import dev.tidegate.service.Decisions.TimedCall;
import dev.tidegate.service.Resolved.ResolvedLevel;
import dev.tidegate.store.Grant;
import dev.tidegate.store.GrantStore;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.RestartTerms;
import dev.tidegate.store.Scope;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tops quotas up and resets them. */
@ApplicationScoped
public class Granting {

  private final Decisions decisions;
  private final GrantStore store;
  private final CallObserver observer;

  Granting(Decisions decisions, GrantStore store, CallObserver observer) {
    this.decisions = decisions;
    this.store = store;
    this.observer = observer;
  }

  /** Decides a grant, and tells what came of it. */
  private Uni<Answer<Outcome.Granting>> grant(
      GrantKind kind,
      SubjectId subject,
      String resource,
      Grant grant,
      TimedCall<Outcome.Granting> call) {
    return decisions
        .grant(subject, resource, firstAnswer(grant), call)
        .onItemOrFailure()
        .invoke((answer, failure) -> observer.granted(kind, answer, failure));
  }

  /**
   * Adds a purchase to all the limits that it names, or to none.
   *
   * @param amounts by the name of the limit, 1 or more each
   */
  public Uni<Answer<Outcome.Granting>> purchase(
      SubjectId subject, String resource, Amounts amounts, Grant grant) {
    return grant(
        GrantKind.PURCHASE,
        subject,
        resource,
        grant,
        (resolved, scope, now) -> {
          Answer<Outcome.Granting> refusal = refusal(resolved, amounts.byMeter().keySet(), true);
          return refusal == null
              ? decided(store.purchase(own(scope), amounts, grant), resolved)
              : answer(refusal);
        });
  }

  /**
   * Adds an emergency top-up.
   *
   * @param limit null = the only one that has emergency top-ups
   * @param selfService whether the subject itself asks for it
   */
  public Uni<Answer<Outcome.Granting>> topUpInEmergency(
      SubjectId subject,
      String resource,
      @Nullable String limit,
      boolean selfService,
      Grant grant) {
    return grant(
        GrantKind.EMERGENCY,
        subject,
        resource,
        grant,
        (resolved, scope, now) -> {
          ResolvedLevel level = resolved.subject();
          if (selfService && !isSelfService(level, limit)) {
            return answer(new Answer.Forbidden<>("the plan leaves this to operators"));
          }
          List<String> meant = limit == null ? emergencies(level, selfService) : List.of(limit);
          if (meant.size() != 1) {
            return answer(new Answer.Invalid<>(List.of(ambiguous(meant))));
          }
          String name = meant.getFirst();
          EmergencyRule rule = emergencyOf(level, name);
          Answer<Outcome.Granting> refusal = refusal(resolved, Set.of(name), true);
          if (refusal != null) {
            return answer(refusal);
          }
          return rule == null
              ? answer(new Decided<>(new Outcome.TopUpUnsupported(name), resolved))
              : decided(store.topUpInEmergency(own(scope), name, rule.amount(), grant), resolved);
        });
  }

  /**
   * Whether the plan leaves an emergency top-up to operators.
   *
   * @param limit null = the only one that the subject itself may ask for
   */
  public Uni<Boolean> leavesToOperators(
      SubjectId subject, String resource, @Nullable String limit) {
    return decisions
        .resolve(subject, resource)
        .map(
            resolution ->
                resolution instanceof Resolution.Found(Resolved resolved)
                    && !isSelfService(resolved.subject(), limit));
  }

  private static boolean isSelfService(ResolvedLevel level, @Nullable String limit) {
    List<String> allowed = emergencies(level, true);
    return limit == null ? !allowed.isEmpty() : allowed.contains(limit);
  }

  private static Fault ambiguous(List<String> all) {
    return new Fault(
        "$.limit",
        all.isEmpty()
            ? "is required: no limit has emergency top-ups"
            : "is required: more than one limit has emergency top-ups: " + all);
  }

  /** The limits that have emergency top-ups, or those alone that the subject may ask for itself. */
  private static List<String> emergencies(ResolvedLevel level, boolean selfService) {
    List<String> names = new ArrayList<>();
    for (Limit limit : level.rules().limits()) {
      EmergencyRule rule = emergencyOf(level, limit.name());
      if (rule != null && (rule.selfService() || !selfService)) {
        names.add(limit.name());
      }
    }
    return names;
  }

  private static @Nullable EmergencyRule emergencyOf(ResolvedLevel level, String name) {
    PeriodQuota quota = level.quota(name);
    return quota == null ? null : quota.grants().emergency();
  }

  /**
   * Starts limits anew with their boundaries where they are. Works where the resource is disabled.
   *
   * @param limits names; none = all
   */
  public Uni<Answer<Outcome.Granting>> reset(
      SubjectId subject, String resource, Set<String> limits, Grant grant) {
    return grant(
        GrantKind.RESET,
        subject,
        resource,
        grant,
        (resolved, scope, now) -> {
          SequencedSet<String> named = named(resolved.subject(), limits);
          Answer<Outcome.Granting> refusal = refusal(resolved, limits, false);
          return refusal == null
              ? decided(store.reset(own(scope), named, grant), resolved)
              : answer(refusal);
        });
  }

  /**
   * Starts limits anew with boundaries that are counted from now. Works where the resource is
   * disabled.
   *
   * @param limits names; none = all
   */
  public Uni<Answer<Outcome.Granting>> restart(
      SubjectId subject, String resource, Set<String> limits, Grant grant) {
    return grant(
        GrantKind.RESTART,
        subject,
        resource,
        grant,
        (resolved, scope, now) -> {
          Answer<Outcome.Granting> refusal = refusal(resolved, limits, false);
          if (refusal != null) {
            return answer(refusal);
          }
          Instant anchor = now.truncatedTo(ChronoUnit.SECONDS);
          List<RestartTerms> all = new ArrayList<>();
          for (String name : named(resolved.subject(), limits)) {
            RestartTerms terms = restart(resolved.subject(), name, anchor);
            if (terms == null) {
              return answer(new Decided<>(new Outcome.RestartUnsupported(name), resolved));
            }
            all.add(terms);
          }
          return decided(store.restart(own(scope), all, anchor, grant), resolved);
        });
  }

  /** The terms of a restart, or null when the limit cannot be restarted. */
  private static @Nullable RestartTerms restart(ResolvedLevel level, String name, Instant anchor) {
    PeriodQuota quota = level.quota(name);
    if (quota == null || !(quota.schedule() instanceof PeriodicSchedule schedule)) {
      return null;
    }
    ZoneId zone = Scopes.zoneOf(quota, level);
    PeriodicSchedule restarted = schedule.restartedAt(anchor, zone);
    if (restarted == null) {
      return null;
    }
    RestartRule rule = quota.grants().restart();
    return new RestartTerms(
        name,
        restarted.periodAt(anchor, zone),
        rule == null ? 0 : rule.max(),
        rule == null ? 1 : rule.perDays());
  }

  /** The limits that a reset is about, in the order of the plan. */
  private static SequencedSet<String> named(ResolvedLevel level, Set<String> limits) {
    SequencedSet<String> named = new LinkedHashSet<>();
    level.rules().limits().stream()
        .map(Limit::name)
        .filter(name -> limits.isEmpty() || limits.contains(name))
        .forEach(named::add);
    return named;
  }

  /** Why the plan does not let a grant through; null when it does. */
  private static @Nullable Answer<Outcome.Granting> refusal(
      Resolved resolved, Set<String> limits, boolean spends) {
    SequencedSet<String> known = named(resolved.subject(), Set.of());
    for (String limit : limits) {
      if (!known.contains(limit)) {
        return new Answer.Unknown<>(
            Answer.Missing.LIMIT,
            "the subject's plan has no limit '" + limit + "' on '" + resolved.resource() + "'");
      }
    }
    ResolvedLevel disabled = spends ? resolved.disabledLevel() : null;
    return disabled == null ? null : new Answer.Disabled<>(disabled.subject());
  }

  private static Scope own(Scope scope) {
    return scope.ofSubject();
  }

  private static Uni<Answer<Outcome.Granting>> answer(Answer<Outcome.Granting> answer) {
    return Uni.createFrom().item(answer);
  }

  private static Uni<Answer<Outcome.Granting>> decided(
      Uni<Outcome.Granting> outcome, Resolved resolved) {
    return outcome.map(decided -> new Decided<>(decided, resolved));
  }

  private FirstAnswer<Outcome.Granting> firstAnswer(Grant grant) {
    IdempotencyKey key = grant.key();
    return (root, subject, incarnation) ->
        key == null
            ? Uni.createFrom().item(Optional.empty())
            : store
                .replay(root, subject, incarnation, key)
                .map(
                    first ->
                        first instanceof Outcome.NotFound ? Optional.empty() : Optional.of(first));
  }
}
