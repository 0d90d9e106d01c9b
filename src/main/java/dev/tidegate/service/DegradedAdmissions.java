package dev.tidegate.service;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.service.Decisions.Preparation;
import dev.tidegate.service.Decisions.Prepared;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.MeteringStore.Operation;
import dev.tidegate.store.StoreClock;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls through when the store does not answer, where every limit of a subject and its parents
 * wants it so, and counts them.
 */
@ApplicationScoped
public class DegradedAdmissions {

  private final Configuration configuration;
  private final StoreClock clock;
  private final Scopes scopes;
  private final LongAdder given = new LongAdder();

  DegradedAdmissions(Configuration configuration, StoreClock clock, BoundaryTable boundaries) {
    this.configuration = configuration;
    this.clock = clock;
    this.scopes = new Scopes(boundaries);
  }

  /** How many calls were let through so far. */
  public long given() {
    return given.sum();
  }

  /**
   * Whether a call that failed so may be let through. A charge that may have been made, and that
   * its caller could not make again without being charged twice, may not.
   */
  static boolean mayAnswer(
      StoreException failure, Operation operation, @Nullable IdempotencyKey key) {
    return failure.isTransient()
        && (operation != Operation.CHARGE || key != null || failure.kind() != Kind.UNANSWERED);
  }

  /** What can be said with what this process knows; null = nothing. */
  <T> @Nullable Answer<T> answer(SubjectId subject, String resource, Preparation<T> preparation) {
    if (!(configuration.resolveKnown(subject, resource)
            instanceof Resolution.Found(Resolved resolved))
        || !resolved.isOpenOnStoreFailure()) {
      return null;
    }
    Prepared<T> prepared =
        preparation.apply(resolved, scopes.at(resolved, clock.now(), Anchors.NONE));
    Answer<T> refusal = Decisions.refusal(resolved, prepared.faults());
    Amounts admits = prepared.admits();
    if (refusal != null || admits == null) {
      return refusal;
    }
    given.increment();
    return new Answer.Degraded<>(admits);
  }
}
