package dev.tidegate.store;

import dev.tidegate.domain.SubjectId;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where plans and subjects are kept, as JSON documents with versions. Failures are {@link
 * StoreException}s.
 */
public interface ConfigurationStore {

  /**
   * What is told of changes that any process makes, without end. Messages can be lost, namely all
   * before each {@link Change#SUBSCRIBED}.
   */
  Multi<Change> changes();

  /** What is told of changes. */
  enum Change {

    /** From now on changes are told; what was read before may be out of date. */
    SUBSCRIBED,

    /** A plan has changed. */
    PLANS
  }

  /** A number that is a greater one after every change of any plan. */
  Uni<Long> plansGeneration();

  /** The revision of the plans file that was imported last; 0 = none was. */
  Uni<Long> importedRevision();

  /** All plans. */
  Uni<Plans> plans();

  /**
   * Writes a plan, if it has version {@code ifVersion} (0 = does not exist) or that is null. Like
   * every change it is recorded with its author, in one step; the document that is there already
   * changes nothing and keeps its version.
   */
  Uni<Written> putPlan(String name, String document, @Nullable Long ifVersion, Author author);

  /** Deletes a plan, if it has version {@code ifVersion} or that is null. */
  Uni<Written> deletePlan(String name, @Nullable Long ifVersion, Author author);

  /**
   * Takes over the plans of a file, if its revision is greater than the last one's; whether it was.
   */
  Uni<Boolean> importPlans(
      long revision, @Nullable String defaultPlan, Map<String, String> plans, Author author);

  /** What is known of a subject, with the root that it lies with. */
  Uni<SubjectRecord> subject(SubjectId subject);

  /** The roots that a subject lay with before, the last one first, 32 at most. */
  Uni<List<SubjectId>> formerRoots(SubjectId subject);

  /** What is known of a parent, in the slot of {@code root}. */
  Uni<SubjectRecord> subjectAt(SubjectId root, SubjectId subject);

  /**
   * Writes a subject.
   *
   * @param before the record that the change was decided with
   * @param oldParent its parent so far
   * @param parent its parent from now on
   * @param root the root from now on
   * @param waiting what waits for periods to end; null = everything changes now, also what waited
   */
  Uni<Written> putSubject(
      SubjectId subject,
      SubjectRecord before,
      @Nullable SubjectId oldParent,
      String document,
      @Nullable SubjectId parent,
      SubjectId root,
      @Nullable Waiting waiting,
      Author author);

  /** Ends the life of a subject that {@code before} tells of. */
  Uni<Written> deleteSubject(
      SubjectId subject, SubjectRecord before, @Nullable SubjectId oldParent, Author author);

  /** The test clock as it was set last, or empty. */
  Uni<@Nullable Instant> testClock();

  /** Sets the test clock; null turns it off. */
  Uni<Void> putTestClock(@Nullable Instant now);

  /** Whether nothing at all is metered yet. */
  Uni<Boolean> isEmptyOfState();

  /**
   * All plans at one moment.
   *
   * @param revision of the file imported last; 0 = none
   * @param defaultPlan of that file
   */
  record Plans(
      long generation,
      long revision,
      @Nullable String defaultPlan,
      Map<String, PlanRecord> byName) {

    public Plans {
      byName = Map.copyOf(byName);
    }
  }

  /**
   * A stored plan.
   *
   * @param managedByFile whether a file owns it
   */
  record PlanRecord(long version, boolean managedByFile, String document) {}

  /**
   * A stored subject.
   *
   * @param root where it lies
   * @param version 0 = never written, less = deleted
   * @param incarnation which life this is, from 0
   * @param document null = not registered
   * @param deferrals changes of limits that wait for their periods to end, the earliest first
   */
  record SubjectRecord(
      SubjectId root,
      long version,
      long incarnation,
      @Nullable String document,
      List<Deferral> deferrals) {

    public SubjectRecord {
      deferrals = List.copyOf(deferrals);
    }
  }

  /**
   * A change of limits that counts from the end of the periods that were running at that instant.
   *
   * @param limitsBefore JSON of the limits until then
   */
  record Deferral(Instant changedAt, String limitsBefore) {}

  /**
   * What waits after a change of a subject.
   *
   * @param earlier changes that waited before and still do, the earliest first
   * @param limitsBefore JSON of the limits that this change puts off, as they were; <code>{}</code>
   *     = none
   */
  record Waiting(List<Deferral> earlier, String limitsBefore) {

    public Waiting {
      earlier = List.copyOf(earlier);
    }
  }

  /** What came of a write. */
  enum Result {
    DONE,
    NOT_FOUND,
    VERSION_CONFLICT,
    HAS_STATE,
    HAS_MEMBERS,
    NO_PARENT,
    MANAGED_BY_FILE
  }

  /**
   * What came of a write.
   *
   * @param version written, or found where it conflicts; else 0
   */
  record Written(Result result, long version) {}
}
