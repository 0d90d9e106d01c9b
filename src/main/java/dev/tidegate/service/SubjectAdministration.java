package dev.tidegate.service;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.document.Fault;
import dev.tidegate.document.LimitFields;
import dev.tidegate.document.PlanReader;
import dev.tidegate.document.Reading;
import dev.tidegate.domain.Limit;
import dev.tidegate.domain.LimitOverride;
import dev.tidegate.domain.Plan;
import dev.tidegate.domain.ResourceRules;
import dev.tidegate.domain.Subject;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.service.Configuration.Member;
import dev.tidegate.service.PlanAdministration.Change;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationStore;
import dev.tidegate.store.ConfigurationStore.Result;
import dev.tidegate.store.ConfigurationStore.Waiting;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads, writes and deletes subjects. */
@ApplicationScoped
public class SubjectAdministration {

  private final ConfigurationStore store;
  private final Configuration configuration;
  private final WaitingChanges waitingChanges;
  private final Deadline deadline;

  SubjectAdministration(
      ConfigurationStore store,
      Configuration configuration,
      WaitingChanges waitingChanges,
      Deadline deadline) {
    this.deadline = deadline;
    this.store = store;
    this.configuration = configuration;
    this.waitingChanges = waitingChanges;
  }

  /** The subject as it is stored now; not registered when nobody did. */
  public Uni<StoredSubject> find(SubjectId id) {
    return deadline.over(refreshed(id));
  }

  private Uni<StoredSubject> refreshed(SubjectId id) {
    configuration.forget(id);
    return configuration.subject(id);
  }

  /**
   * Registers a subject or changes it.
   *
   * @param ifVersion the version it must have; null = any
   */
  public Uni<Change> put(SubjectId id, JsonNode document, @Nullable Long ifVersion, Author author) {
    return switch (PlanReader.subject(document)) {
      case Reading.Invalid<Subject>(List<Fault> faults) ->
          Uni.createFrom().item(new Change.Invalid(faults));
      case Reading.Valid<Subject>(Subject subject) ->
          deadline.over(
              configuration
                  .refreshPlans()
                  .chain(ignored -> refreshed(id))
                  .chain(
                      before ->
                          conflicts(before, ifVersion)
                              ? conflict(before)
                              : write(id, subject, document, before, author)));
    };
  }

  private static boolean conflicts(StoredSubject before, @Nullable Long ifVersion) {
    return ifVersion != null && ifVersion != Math.max(0, before.record().version());
  }

  private static Uni<Change> conflict(StoredSubject before) {
    long version = Math.max(0, before.record().version());
    return Uni.createFrom().item(new Change.NotMade(Result.VERSION_CONFLICT, version));
  }

  private Uni<Change> write(
      SubjectId id, Subject subject, JsonNode document, StoredSubject before, Author author) {
    SubjectId parent = subject.parent();
    Uni<List<Member>> above =
        parent == null
            ? Uni.createFrom().item(List.of())
            : refreshed(parent).chain(ignored -> configuration.chain(parent));
    return above.chain(
        parents -> {
          List<Fault> faults = faultsOf(id, subject, document, parents);
          if (!faults.isEmpty()) {
            return Uni.createFrom().item(new Change.Invalid(faults));
          }
          SubjectId root = parents.isEmpty() ? id : parents.getFirst().stored().record().root();
          return write(id, subject, document, before, root, author);
        });
  }

  private Uni<Change> write(
      SubjectId id,
      Subject subject,
      JsonNode document,
      StoredSubject before,
      SubjectId root,
      Author author) {
    if (!subject.fromNextPeriod()) {
      return write(id, subject, document, before, root, null, author);
    }
    String limitsBefore = limitsBefore(before.subject(), subject);
    return waitingChanges
        .of(id, before.deferred())
        .chain(
            earlier ->
                !limitsBefore.equals(DeferredChange.NOTHING) && earlier.size() >= WaitingChanges.MAX
                    ? Uni.createFrom().item(new Change.Invalid(List.of(tooManyWait())))
                    : write(
                        id,
                        subject,
                        document,
                        before,
                        root,
                        waiting(earlier, limitsBefore),
                        author));
  }

  private static Waiting waiting(List<DeferredChange> earlier, String limitsBefore) {
    return new Waiting(earlier.stream().map(DeferredChange::toDeferral).toList(), limitsBefore);
  }

  private static Fault tooManyWait() {
    return new Fault(
        "$.effective",
        "must be 'now': " + WaitingChanges.MAX + " changes wait for their periods to end already");
  }

  private Uni<Change> write(
      SubjectId id,
      Subject subject,
      JsonNode document,
      StoredSubject before,
      SubjectId root,
      @Nullable Waiting waiting,
      Author author) {
    SubjectId oldParent = before.subject().parent();
    return store
        .putSubject(
            id,
            before.record(),
            oldParent,
            document.toString(),
            subject.parent(),
            root,
            waiting,
            author)
        .invoke(() -> configuration.forget(id))
        .map(Change::of);
  }

  private String limitsBefore(Subject before, Subject after) {
    Plans plans = configuration.plans();
    return DeferredChange.toRecord(
        plans.applyingTo(before.plan()), before, plans.applyingTo(after.plan()), after);
  }

  private List<Fault> faultsOf(
      SubjectId id, Subject subject, JsonNode document, List<Member> parents) {
    List<Fault> faults = new ArrayList<>();
    String plan = subject.plan();
    if (plan != null && !configuration.plans().byName().containsKey(plan)) {
      faults.add(new Fault("$.plan", "must be a plan that exists; there is no '" + plan + "'"));
    }
    SubjectId parent = subject.parent();
    if (Objects.equals(parent, id) || parents.stream().anyMatch(above -> above.id().equals(id))) {
      faults.add(new Fault("$.parent", "must not make a cycle"));
    } else if (parent != null && !parents.getFirst().stored().isRegistered()) {
      faults.add(
          new Fault("$.parent", "must be a registered subject; there is no '" + parent + "'"));
    } else if (parents.size() >= Subject.MAX_LEVELS) {
      faults.add(
          new Fault(
              "$.parent",
              "must leave at most " + Subject.MAX_LEVELS + " levels, the subject's counted"));
    }
    addOverrideFaults(subject, document.path("overrides"), faults);
    return faults;
  }

  private void addOverrideFaults(Subject subject, JsonNode overrides, List<Fault> faults) {
    Plan plan = configuration.plans().applyingTo(subject.plan());
    for (Map.Entry<String, Map<String, LimitOverride>> entry : subject.overrides().entrySet()) {
      String path = "$.overrides." + entry.getKey();
      ResourceRules rules = plan == null ? null : plan.resources().get(entry.getKey());
      if (rules == null) {
        faults.add(new Fault(path, "must be a resource of the subject's plan"));
        continue;
      }
      JsonNode fields = overrides.path(entry.getKey()).path("limits");
      for (String name : entry.getValue().keySet()) {
        addOverrideFaults(rules.limit(name), fields.path(name), path + ".limits." + name, faults);
      }
    }
  }

  /** An override names a limit of the plan, and fields that a limit of its kind has. */
  private static void addOverrideFaults(
      @Nullable Limit limit, JsonNode fields, String path, List<Fault> faults) {
    if (limit == null) {
      faults.add(new Fault(path, "must be a limit of the resource in the plan"));
      return;
    }
    for (Map.Entry<String, JsonNode> field : fields.properties()) {
      if (!LimitFields.has(limit, field.getKey())) {
        faults.add(
            new Fault(
                path + "." + field.getKey(),
                "is not a field of a limit of kind " + LimitFields.kindOf(limit)));
      }
    }
  }

  /** Ends this life of a subject: it is an unregistered one from then on, and starts full. */
  public Uni<Change> delete(SubjectId id, @Nullable Long ifVersion, Author author) {
    return deadline.over(refreshed(id).chain(before -> delete(id, ifVersion, before, author)));
  }

  private Uni<Change> delete(
      SubjectId id, @Nullable Long ifVersion, StoredSubject before, Author author) {
    if (!before.isRegistered()) {
      return Uni.createFrom().item(new Change.NotMade(Result.NOT_FOUND, 0));
    }
    if (conflicts(before, ifVersion)) {
      return conflict(before);
    }
    return store
        .deleteSubject(id, before.record(), before.subject().parent(), author)
        .invoke(() -> configuration.forget(id))
        .map(Change::of);
  }
}
