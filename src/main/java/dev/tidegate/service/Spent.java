package dev.tidegate.service;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Usage;

/** What a call says that it cost. */
public sealed interface Spent {

  /** What is held. */
  record AsHeld() implements Spent {}

  /**
   * What is named.
   *
   * @param amounts of meters that {@code usage} does not feed
   * @param usage by category, billed by the weights of the plan
   */
  record Named(Amounts amounts, Usage usage) implements Spent {}
}
