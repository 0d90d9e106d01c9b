package dev.tidegate.service;

import dev.tidegate.domain.Subject;
import dev.tidegate.store.ConfigurationStore.SubjectRecord;
import java.util.List;

/**
 * A subject as it is kept.
 *
 * @param record where and in which version
 * @param subject what is configured of it; {@link Subject#UNREGISTERED} when nothing is
 * @param deferred changes of its limits that wait for their periods to end, the earliest first
 */
public record StoredSubject(SubjectRecord record, Subject subject, List<DeferredChange> deferred) {

  /** Whether anybody registered it. */
  public boolean isRegistered() {
    return record.document() != null;
  }
}
