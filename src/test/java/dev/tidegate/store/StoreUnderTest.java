package dev.tidegate.store;

import dev.tidegate.domain.SubjectId;

/** A store with a clock that is set by hand, empty at first. */
public interface StoreUnderTest extends AutoCloseable {

  /** The store. */
  MeteringStore store();

  /** Grants on the same store. */
  GrantStore grants();

  /** Sets the store's clock, in epoch milliseconds; it may go back. */
  void setClock(long nowMillis);

  /** Sets the version of a subject's record in the slot of {@code root}; 0 = unregistered. */
  void setRecordVersion(SubjectId root, SubjectId subject, long version);

  /** Does what may happen to a store at any time without anyone noticing. */
  default void disturb() {}

  @Override
  default void close() {}
}
