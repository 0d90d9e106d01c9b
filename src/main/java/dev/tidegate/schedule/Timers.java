package dev.tidegate.schedule;

import dev.tidegate.security.Rotation;
import dev.tidegate.service.Calendars;
import dev.tidegate.service.PlansImport;
import dev.tidegate.service.StartUp;
import dev.tidegate.service.StoreWatch;
import dev.tidegate.store.StoreException;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/** What happens by itself. No answer depends on it. */
@ApplicationScoped
class Timers {

  private static final Logger LOG = Logger.getLogger(Timers.class);

  private final StartUp startUp;
  private final Calendars calendars;
  private final Rotation rotation;
  private final PlansImport plansImport;
  private final StoreWatch store;
  private final AtomicBoolean storeIsAway = new AtomicBoolean();

  Timers(
      StartUp startUp,
      Calendars calendars,
      Rotation rotation,
      PlansImport plansImport,
      StoreWatch store) {
    this.plansImport = plansImport;
    this.store = store;
    this.startUp = startUp;
    this.calendars = calendars;
    this.rotation = rotation;
  }

  /**
   * Takes over what the store has if it was away at start, imports the plans file should the store
   * have lost it, and sees plans that another process has changed.
   */
  @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> refreshPlans() {
    if (!startUp.hasTried()) {
      return Uni.createFrom().voidItem();
    }
    return startUp
        .takeOver()
        .invoke(this::tellOfStore)
        .onFailure(StoreException.class)
        .invoke(this::tellOfNoStore)
        .onFailure(StoreException.class)
        .recoverWithNull();
  }

  /** Once, and not each second for as long as the store is away. */
  private void tellOfNoStore(Throwable failure) {
    if (!storeIsAway.getAndSet(true)) {
      LOG.warnf("plans are as old as they are until the store is back: %s", failure.getMessage());
    }
  }

  private void tellOfStore() {
    if (storeIsAway.getAndSet(false)) {
      LOG.info("the store is back, and plans are as new as they are there");
    }
  }

  /** Keeps the table of the next boundaries ahead of time. */
  @Scheduled(every = "1m", delayed = "1m")
  void refreshBoundaries() {
    calendars.refreshBoundaries();
  }

  /** Sees a plans file that was changed; what is accepted of it is imported with the next look. */
  @Scheduled(every = "5s", delayed = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  void readPlansFile() {
    plansImport.refresh();
  }

  /** Looks at the settings of the store, which may be changed while it runs. */
  @Scheduled(every = "1m", delayed = "1m", concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> watchStore() {
    return store.look().replaceWithVoid().onFailure(StoreException.class).recoverWithNull();
  }

  /** Sees API keys and issuers' keys that were changed in their files. */
  @Scheduled(every = "5s", delayed = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  void rotateKeys() {
    rotation.refresh();
  }
}
