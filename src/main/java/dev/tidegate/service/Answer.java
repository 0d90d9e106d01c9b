package dev.tidegate.service;

import dev.tidegate.document.Fault;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a service answers: an outcome, or why there is none. */
public sealed interface Answer<T> {

  /**
   * It was decided.
   *
   * @param on what applied to the subject; null when a first answer was repeated although nothing
   *     applies any more
   */
  record Decided<T>(T outcome, @Nullable Resolved on) implements Answer<T> {}

  /** What the call is about does not exist. */
  record Unknown<T>(Missing what, String detail) implements Answer<T> {}

  /** The resource is disabled, for the subject or for this parent of it. */
  record Disabled<T>(SubjectId level) implements Answer<T> {}

  /** The caller may do this to some subjects, and not to this one. */
  record Forbidden<T>(String detail) implements Answer<T> {}

  /** The call does not fit what applies to the subject. */
  record Invalid<T>(List<Fault> faults) implements Answer<T> {

    public Invalid {
      faults = List.copyOf(faults);
    }
  }

  /**
   * The store does not answer, and every limit lets calls through then; nothing is held or charged.
   *
   * @param amounts what the call would have taken
   */
  record Degraded<T>(Amounts amounts) implements Answer<T> {}

  /** What there is not. */
  enum Missing {
    SUBJECT,
    PLAN,
    RESOURCE,
    LIMIT,
    RESERVATION
  }
}
