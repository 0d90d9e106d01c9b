package dev.tidegate.store.model;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Level;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Scope;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The first answers to calls with an idempotency key. */
final class RememberedAnswers {

  private record KeyOf(SubjectId root, SubjectId subject, long incarnation, String key) {}

  private record Answer(String fingerprint, Outcome outcome, long untilMillis) {}

  private final Map<KeyOf, Answer> answers = new HashMap<>();

  /** The first answer, as a replay, or that the key was reused; null = the call is a new one. */
  @Nullable Outcome find(Scope scope, @Nullable IdempotencyKey key, long nowMillis) {
    Level level = scope.subject();
    return key == null
        ? null
        : find(scope.root(), level.subject(), level.incarnation(), key, nowMillis);
  }

  @Nullable Outcome find(
      SubjectId root, SubjectId subject, long incarnation, IdempotencyKey key, long nowMillis) {
    Answer answer = answers.get(new KeyOf(root, subject, incarnation, key.value()));
    if (answer == null || answer.untilMillis() <= nowMillis) {
      return null;
    }
    return answer.fingerprint().equals(key.fingerprint())
        ? replayed(answer.outcome())
        : new Outcome.KeyReused();
  }

  void keep(Scope scope, @Nullable IdempotencyKey key, Outcome outcome, long untilMillis) {
    if (key != null) {
      Level level = scope.subject();
      answers.put(
          new KeyOf(scope.root(), level.subject(), level.incarnation(), key.value()),
          new Answer(key.fingerprint(), outcome, untilMillis));
    }
  }

  /** The same answer, marked as that to an earlier call. */
  static Outcome replayed(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Held o -> new Outcome.Held(o.id(), o.expiresAt(), o.amounts(), o.state(), true);
      case Outcome.Settled o -> o.again();
      case Outcome.Closed o -> o.again();
      case Outcome.Extended o -> new Outcome.Extended(o.expiresAt(), o.capped(), true);
      case Outcome.Charged o -> new Outcome.Charged(o.charged(), o.state(), true);
      case Outcome.ToppedUp o -> new Outcome.ToppedUp(o.granted(), o.state(), true);
      case Outcome.WasReset o -> new Outcome.WasReset(o.limits(), o.state(), o.changed(), true);
      case Outcome.VersionConflict o -> new Outcome.VersionConflict(o.version(), true);
      case Outcome.TopUpCapReached o ->
          new Outcome.TopUpCapReached(o.limit(), o.nextAvailableAt(), true);
      case Outcome.RestartCapReached o ->
          new Outcome.RestartCapReached(o.limit(), o.nextAvailableAt(), true);
      case Outcome.TopUpOverflow o -> new Outcome.TopUpOverflow(o.limit(), true);
      default -> throw new IllegalArgumentException("never remembered: " + outcome);
    };
  }
}
