package dev.tidegate.service;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.document.Fault;
import dev.tidegate.document.PlanReader;
import dev.tidegate.document.Reading;
import dev.tidegate.domain.Plan;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationStore;
import dev.tidegate.store.ConfigurationStore.Result;
import dev.tidegate.store.ConfigurationStore.Written;
import dev.tidegate.store.StoreException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Reads, writes and deletes plans. */
@ApplicationScoped
public class PlanAdministration {

  private static final Logger LOG = Logger.getLogger(PlanAdministration.class);

  private final ConfigurationStore store;
  private final Configuration configuration;
  private final Calendars calendars;
  private volatile long boundariesOf = -1;
  private final PlansImport plansImport;
  private final Deadline deadline;

  PlanAdministration(
      ConfigurationStore store,
      Configuration configuration,
      Calendars calendars,
      PlansImport plansImport,
      Deadline deadline) {
    this.plansImport = plansImport;
    this.deadline = deadline;
    this.store = store;
    this.configuration = configuration;
    this.calendars = calendars;
  }

  /** What came of a change. */
  public sealed interface Change {

    /** It was made; the version that came of it, 0 after a deletion. */
    record Made(long version) implements Change {}

    /** It was not made; {@code version} is the present one where versions conflict. */
    record NotMade(Result why, long version) implements Change {}

    /** The document is at fault. */
    record Invalid(List<Fault> faults) implements Change {

      public Invalid {
        faults = List.copyOf(faults);
      }
    }

    /** What the store says of a write. */
    static Change of(Written written) {
      return written.result() == Result.DONE
          ? new Made(written.version())
          : new NotMade(written.result(), written.version());
    }
  }

  /** Reads plans again where they have changed, and with them the table of boundaries. */
  public Uni<Void> refresh() {
    return configuration.refreshPlans().invoke(this::refreshBoundaries).replaceWithVoid();
  }

  private void refreshBoundaries() {
    long generation = configuration.plans().generation();
    if (generation != boundariesOf) {
      boundariesOf = generation;
      calendars.refreshBoundaries();
    }
  }

  /** Follows the changes that any process makes, until it is cancelled. */
  Cancellable follow() {
    return store
        .changes()
        .onItem()
        .transformToUniAndConcatenate(this::follow)
        .subscribe()
        .with(done -> {}, failure -> LOG.error("changes are no longer followed", failure));
  }

  private Uni<Void> follow(ConfigurationStore.Change change) {
    Uni<Void> read =
        switch (change) {
          case SUBSCRIBED ->
              plansImport
                  .importIfNewer()
                  .chain(configuration::startAfresh)
                  .invoke(this::refreshBoundaries);
          case PLANS -> refresh();
        };
    return read.onFailure(StoreException.class)
        .invoke(failure -> LOG.warnf("plans are as old as they are: %s", failure.getMessage()))
        .onFailure(StoreException.class)
        .recoverWithNull();
  }

  /** The plan of that name as it is stored now, or null. */
  public Uni<@Nullable StoredPlan> find(String name) {
    return deadline.over(refresh().map(ignored -> configuration.plans().byName().get(name)));
  }

  /**
   * Writes a plan.
   *
   * @param ifVersion the version it must have; null = any
   */
  public Uni<Change> put(String name, JsonNode document, @Nullable Long ifVersion, Author author) {
    return switch (PlanReader.plan(name, document)) {
      case Reading.Invalid<Plan>(List<Fault> faults) ->
          Uni.createFrom().item(new Change.Invalid(faults));
      case Reading.Valid<Plan> valid ->
          deadline.over(
              store
                  .putPlan(name, document.toString(), ifVersion, author)
                  .call(this::refresh)
                  .map(Change::of));
    };
  }

  /** Deletes a plan; its subjects fall to the default plan. */
  public Uni<Change> delete(String name, @Nullable Long ifVersion, Author author) {
    return deadline.over(
        store.deletePlan(name, ifVersion, author).call(this::refresh).map(Change::of));
  }
}
