package dev.tidegate.service;

import dev.tidegate.service.Answer.Missing;
import dev.tidegate.store.ConfigurationStore.SubjectRecord;

/** Whether anything applies to a subject on a resource. */
sealed interface Resolution {

  /** This does. */
  record Found(Resolved resolved) implements Resolution {}

  /**
   * Nothing does.
   *
   * @param record of the subject
   */
  record Absent(Missing what, String detail, SubjectRecord record) implements Resolution {}
}
