package dev.tidegate.store;

import dev.tidegate.domain.SubjectId;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who changed what in the configuration. Events are written with the changes, by the {@link
 * ConfigurationStore}; they outlive what they tell of. Failures are {@link StoreException}s.
 */
public interface ConfigurationTrail {

  /**
   * Some changes of a plan, the newest first.
   *
   * @param after where to go on: the {@code next} of the page before; null = with the newest
   * @param count the greatest number of events, 1 to 1000
   */
  Uni<Page> ofPlan(String plan, @Nullable String after, int count);

  /** Some changes of a subject that were made while it lay with {@code root}, the newest first. */
  Uni<Page> ofSubject(SubjectId root, SubjectId subject, @Nullable String after, int count);

  /**
   * Some events, the newest first.
   *
   * @param next where to go on; null = these were the last
   */
  record Page(List<Event> events, @Nullable String next) {

    public Page {
      events = List.copyOf(events);
    }
  }

  /** What was done. */
  enum Operation {
    PUT,
    DELETE,
    IMPORT,

    /** A file made the plan the one of subjects that name none; its document stayed. */
    DEFAULT_ON,

    /** A file made it the default plan no more. */
    DEFAULT_OFF
  }

  /**
   * One change.
   *
   * @param id its place in the trail
   * @param versionBefore 0 = there was none
   * @param version 0 = there is none any more
   * @param revision of the file; 0 = no file
   */
  record Event(
      String id,
      Instant at,
      Operation operation,
      Author by,
      long versionBefore,
      long version,
      long revision,
      Document before,
      Document after) {}

  /**
   * A document at one side of a change.
   *
   * @param bytes its size; 0 = there was none
   * @param json null = there was none, or it was too large to be kept
   */
  record Document(long bytes, @Nullable String json) {}
}
