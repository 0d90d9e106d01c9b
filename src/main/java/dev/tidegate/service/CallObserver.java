package dev.tidegate.service;

import dev.tidegate.store.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Is told what came of every call, so that services decide and others count. Of an answer and a
 * failure one is there. What it does is quick, and never fails.
 */
public interface CallObserver {

  /** What a grant is. */
  enum GrantKind {
    PURCHASE,
    EMERGENCY,
    RESET,
    RESTART
  }

  /** A reservation, or a dry run of one. */
  void reserved(
      boolean dryRun, @Nullable Answer<Outcome.Reserving> answer, @Nullable Throwable failure);

  /** A charge. */
  void charged(@Nullable Answer<Outcome.Charging> answer, @Nullable Throwable failure);

  /** A settlement that got an answer. */
  void settled(Answer<Outcome.Settling> answer);

  /** A release that got an answer. */
  void released(Answer<Outcome.Releasing> answer);

  /** An extension that got an answer. */
  void extended(Answer<Outcome.Extending> answer);

  /** A top-up or a reset. */
  void granted(
      GrantKind kind, @Nullable Answer<Outcome.Granting> answer, @Nullable Throwable failure);

  /** A call is decided anew, because it was decided with something stale. */
  void decidedAnew(Outcome.Stale stale);
}
