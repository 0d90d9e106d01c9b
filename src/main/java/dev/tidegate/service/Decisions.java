package dev.tidegate.service;

import dev.tidegate.document.Fault;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.service.Resolved.ResolvedLevel;
import dev.tidegate.store.ConfigurationStore.SubjectRecord;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.MeteringStore.Operation;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Scope;
import dev.tidegate.store.StoreClock;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Brings what is configured and what is stored together: resolves a call, hands it to the store,
 * and decides it anew when the store says that it was decided with something that has changed
 * since.
 */
@ApplicationScoped
class Decisions {

  /** How often a call is decided anew before the service gives up. */
  private static final int MAX_REPEATS = 3;

  private final Configuration configuration;
  private final MeteringStore store;
  private final StoreClock clock;
  private final Scopes scopes;
  private final Deadline deadline;
  private final DegradedAdmissions degraded;
  private final CallObserver observer;

  Decisions(
      Configuration configuration,
      MeteringStore store,
      StoreClock clock,
      BoundaryTable boundaries,
      Deadline deadline,
      DegradedAdmissions degraded,
      CallObserver observer) {
    this.observer = observer;
    this.deadline = deadline;
    this.degraded = degraded;
    this.configuration = configuration;
    this.store = store;
    this.clock = clock;
    this.scopes = new Scopes(boundaries);
  }

  /** A call on what applies to a subject, with the terms of now. */
  interface Call<T> extends BiFunction<Resolved, Scope, Uni<Answer<T>>> {}

  /** What of a call on a reservation does not fit what applies. */
  interface Check {

    /** Everything fits. */
    Check NONE = (resolved, scope) -> Uni.createFrom().item(List.of());

    /** Why the call does not fit what applies; {@code on} is null where nothing does any more. */
    Uni<List<Fault>> faults(@Nullable Resolved on, Scope scope);
  }

  /** A call on a reservation; what applies is null where nothing does any more. */
  interface Closing<T> {

    /** Makes the call by these levels. */
    Uni<T> by(@Nullable Resolved on, Scope scope);
  }

  /**
   * A call that spends, as far as it can be said without the store.
   *
   * @param faults why the call does not fit what applies to the subject
   * @param call made when nothing speaks against it
   * @param admits what may be let through when the store does not answer; null = nothing
   */
  record Prepared<T>(List<Fault> faults, Supplier<Uni<T>> call, @Nullable Amounts admits) {

    Prepared {
      faults = List.copyOf(faults);
    }
  }

  /** Looks up the first answer to a keyed call. */
  interface FirstAnswer<T> {

    /** The first answer of that life of a subject; empty where there is none. */
    Uni<Optional<T>> find(SubjectId root, SubjectId subject, long incarnation);
  }

  /** A call on what applies to a subject, with the terms of {@code now}. */
  interface TimedCall<T> {

    Uni<Answer<T>> on(Resolved resolved, Scope scope, Instant now);
  }

  /** How a call is prepared on what applies to a subject, with the terms of now. */
  interface Preparation<T> extends BiFunction<Resolved, Scope, Prepared<T>> {}

  /**
   * Decides a call that spends: refused where it does not fit the plan or the resource is disabled,
   * repeated where its key was used before, let through where the store does not answer and every
   * limit wants it so.
   */
  <T extends Outcome> Uni<Answer<T>> decide(
      SubjectId subject,
      String resource,
      @Nullable IdempotencyKey key,
      Operation operation,
      Preparation<T> preparation) {
    return deadline
        .over(decideInStore(subject, resource, key, operation, preparation))
        .onFailure(StoreException.class)
        .recoverWithUni(
            failure -> {
              Answer<T> answer =
                  DegradedAdmissions.mayAnswer(failure, operation, key)
                      ? degraded.answer(subject, resource, preparation)
                      : null;
              return answer == null
                  ? Uni.createFrom().failure(failure)
                  : Uni.createFrom().item(answer);
            });
  }

  private <T extends Outcome> Uni<Answer<T>> decideInStore(
      SubjectId subject,
      String resource,
      @Nullable IdempotencyKey key,
      Operation operation,
      Preparation<T> preparation) {
    return attempt(
        subject,
        resource,
        Try.first(clock.now()),
        absent ->
            repeatedOr(
                absent.record().root(),
                subject,
                absent.record().incarnation(),
                operation,
                key,
                new Answer.Unknown<>(absent.what(), absent.detail())),
        (resolved, scope, now) -> {
          Prepared<T> prepared = preparation.apply(resolved, scope);
          Answer<T> refusal = refusal(resolved, prepared.faults());
          return refusal == null
              ? prepared.call().get().map(outcome -> new Decided<>(outcome, resolved))
              : repeatedOr(
                      resolved.root(),
                      subject,
                      resolved.subject().incarnation(),
                      operation,
                      key,
                      refusal)
                  .map(answer -> on(resolved, answer));
        });
  }

  /**
   * Decides a grant. A refusal that is decided without the store comes after the first answer to
   * the same key, but for {@link Answer.Forbidden}.
   */
  <T extends Outcome> Uni<Answer<T>> grant(
      SubjectId subject, String resource, FirstAnswer<T> first, TimedCall<T> call) {
    return deadline.overGrant(grantInStore(subject, resource, first, call));
  }

  private <T extends Outcome> Uni<Answer<T>> grantInStore(
      SubjectId subject, String resource, FirstAnswer<T> first, TimedCall<T> call) {
    return attempt(
        subject,
        resource,
        Try.first(clock.now()),
        absent ->
            firstOr(
                first.find(absent.record().root(), subject, absent.record().incarnation()),
                null,
                new Answer.Unknown<>(absent.what(), absent.detail())),
        (resolved, scope, now) ->
            call.on(resolved, scope, now)
                .chain(
                    answer ->
                        isFinal(answer)
                            ? Uni.createFrom().item(answer)
                            : firstOr(
                                first.find(
                                    resolved.root(), subject, resolved.subject().incarnation()),
                                resolved,
                                answer)));
  }

  /** Whether the store has decided, or was not to be asked. */
  private static boolean isFinal(Answer<?> answer) {
    return switch (answer) {
      case Decided<?>(Object outcome, Resolved on) -> !(outcome instanceof Outcome.Unsupported);
      case Answer.Forbidden<?> forbidden -> true;
      default -> false;
    };
  }

  private static <T> Uni<Answer<T>> firstOr(
      Uni<Optional<T>> found, @Nullable Resolved on, Answer<T> refusal) {
    return found.map(
        first -> first.<Answer<T>>map(outcome -> new Decided<>(outcome, on)).orElse(refusal));
  }

  private static <T> Answer<T> on(Resolved resolved, Answer<T> answer) {
    return answer instanceof Decided<T> decided
        ? new Decided<>(decided.outcome(), resolved)
        : answer;
  }

  /** Why a call is refused without asking the store, or null. */
  static <T> @Nullable Answer<T> refusal(Resolved resolved, List<Fault> faults) {
    if (!faults.isEmpty()) {
      return new Answer.Invalid<>(faults);
    }
    ResolvedLevel disabled = resolved.disabledLevel();
    return disabled == null ? null : new Answer.Disabled<>(disabled.subject());
  }

  /** What applies to a subject on a resource, as far as this process knows. */
  Uni<Resolution> resolve(SubjectId subject, String resource) {
    return deadline.over(configuration.resolve(subject, resource));
  }

  /** Decides a read; it works where the resource is disabled, too. */
  <T extends Outcome> Uni<Answer<T>> read(SubjectId subject, String resource, Call<T> call) {
    return deadline.over(
        attempt(
            subject,
            resource,
            Try.first(clock.now()),
            absent -> Uni.createFrom().item(new Answer.Unknown<>(absent.what(), absent.detail())),
            (resolved, scope, now) -> call.apply(resolved, scope)));
  }

  /**
   * Decides a call on a reservation that must work whatever is configured by now: where nothing
   * applies any more, the reservation alone tells where it was taken.
   */
  <T extends Outcome> Uni<Answer<T>> close(
      SubjectId subject,
      String resource,
      ReservationId id,
      Check check,
      UnaryOperator<Scope> narrowing,
      Closing<T> call) {
    return deadline.over(
        attempt(
            subject,
            resource,
            Try.first(clock.now()),
            absent -> checked(null, bare(absent.record(), subject, resource, id), check, call),
            (resolved, whole, now) -> {
              Scope scope =
                  resolved.root().equals(id.root())
                      ? narrowing.apply(whole)
                      : Scopes.ofUnresolved(
                          id.root(),
                          subject,
                          resolved.subject().incarnation(),
                          resolved.resource());
              return checked(resolved, scope, check, call);
            }));
  }

  private <T extends Outcome> Uni<Answer<T>> checked(
      @Nullable Resolved on, Scope scope, Check check, Closing<T> call) {
    return check
        .faults(on, scope)
        .chain(
            faults ->
                faults.isEmpty()
                    ? asTaken(scope, taken -> call.by(on, taken))
                        .map(outcome -> new Decided<>(outcome, on))
                    : Uni.createFrom().item(new Answer.Invalid<>(faults)));
  }

  private static Scope bare(
      SubjectRecord record, SubjectId subject, String resource, ReservationId id) {
    return Scopes.ofUnresolved(id.root(), subject, record.incarnation(), resource);
  }

  /**
   * Makes a call on a reservation, once more by the levels that it was taken by if these are
   * others.
   */
  <T extends Outcome> Uni<T> asTaken(Scope scope, Function<Scope, Uni<T>> call) {
    return call.apply(scope)
        .chain(
            outcome ->
                outcome instanceof Outcome.StaleLevels stale
                    ? call.apply(Scopes.asTaken(scope, stale.levels()))
                    : Uni.createFrom().item(outcome));
  }

  /**
   * One try to decide a call.
   *
   * @param now the instant to decide for
   * @param anchors of restarted limits
   * @param repeats how many tries went before
   */
  private record Try(Instant now, Anchors anchors, int repeats) {

    static Try first(Instant now) {
      return new Try(now, Anchors.NONE, 0);
    }

    /** The next try, for what the store said. */
    Try next(Instant at, Anchors named) {
      return new Try(at, named, repeats + 1);
    }
  }

  private <T extends Outcome> Uni<Answer<T>> attempt(
      SubjectId subject,
      String resource,
      Try current,
      Function<Resolution.Absent, Uni<Answer<T>>> absent,
      TimedCall<T> call) {
    return configuration
        .resolve(subject, resource)
        .chain(
            resolution ->
                switch (resolution) {
                  case Resolution.Absent nothing -> absent.apply(nothing);
                  case Resolution.Found(Resolved resolved) -> {
                    Scope scope = scopes.at(resolved, current.now(), current.anchors());
                    yield call.on(resolved, scope, current.now())
                        .chain(
                            answer ->
                                orAnew(answer, subject, resource, scope, current, absent, call));
                  }
                });
  }

  /** The answer, or that of another try when it was decided with something stale. */
  private <T extends Outcome> Uni<Answer<T>> orAnew(
      Answer<T> answer,
      SubjectId subject,
      String resource,
      Scope scope,
      Try current,
      Function<Resolution.Absent, Uni<Answer<T>>> absent,
      TimedCall<T> call) {
    if (!(answer instanceof Decided<T>(T outcome, Resolved on))
        || !(outcome instanceof Outcome.Stale stale)) {
      return Uni.createFrom().item(answer);
    }
    if (current.repeats() == MAX_REPEATS) {
      return Uni.createFrom()
          .failure(new StoreException(Kind.REFUSED, "what was decided was stale each time"));
    }
    return renew(subject, stale, scope, current)
        .chain(next -> attempt(subject, resource, next, absent, call));
  }

  /** Forgets what was stale, and returns what to decide for. */
  private Uni<Try> renew(SubjectId subject, Outcome.Stale stale, Scope scope, Try current) {
    observer.decidedAnew(stale);
    return switch (stale) {
      case Outcome.StalePeriod(Instant now) ->
          Uni.createFrom().item(current.next(now, current.anchors()));
      case Outcome.StaleAnchors(Instant now, List<Outcome.Anchor> anchors) ->
          Uni.createFrom().item(current.next(now, current.anchors().with(anchors, scope)));
      case Outcome.StaleConfiguration(Instant now, long plansSeen) ->
          configuration
              .renew(subject, plansSeen)
              .replaceWith(() -> current.next(now, current.anchors()));
      case Outcome.StaleLevels(Instant now, String levels) -> {
        configuration.forget(subject);
        yield Uni.createFrom().item(current.next(now, current.anchors()));
      }
    };
  }

  /** The first answer to a keyed call, if there was one; else the refusal. */
  @SuppressWarnings("unchecked") // an operation's first answer is one of its own outcomes
  private <T extends Outcome> Uni<Answer<T>> repeatedOr(
      SubjectId root,
      SubjectId subject,
      long incarnation,
      Operation operation,
      @Nullable IdempotencyKey key,
      Answer<T> refusal) {
    if (key == null) {
      return Uni.createFrom().item(refusal);
    }
    return store
        .replay(root, subject, incarnation, operation, key)
        .map(first -> first instanceof Outcome.NotFound ? refusal : new Decided<>((T) first, null));
  }
}
