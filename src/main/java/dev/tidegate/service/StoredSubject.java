package dev.tidegate.service;

import dev.tidegate.domain.Subject;
import dev.tidegate.store.ConfigurationStore.SubjectRecord;

/**
 * A subject as it is kept.
 *
 * @param record where and in which version
 * @param subject what is configured of it; {@link Subject#UNREGISTERED} when nothing is
 */
public record StoredSubject(SubjectRecord record, Subject subject) {

  /** Whether anybody registered it. */
  public boolean isRegistered() {
    return record.document() != null;
  }
}
