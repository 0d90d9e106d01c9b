package dev.tidegate.service;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.store.StoreException;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Brings the service up, and goes on trying while the store is away. */
@ApplicationScoped
public class StartUp {

  private static final Logger LOG = Logger.getLogger(StartUp.class);

  /** A cold process may need another attempt; what fails longer than that is told. */
  private static final int QUIET_ATTEMPTS = 3;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  private final TidegateSettings settings;
  private final StoreWatch store;
  private final CurrentPlans known;
  private final TestClock clock;
  private final PlansImport plansImport;
  private final PlanAdministration plans;
  private final Rehearsal rehearsal;
  private volatile boolean hasStarted;
  private volatile boolean hasMetStore;
  private volatile boolean hasTried;
  private volatile boolean hasTakenOver;
  private boolean hasEnded;
  private Cancellable following = () -> {};

  StartUp(
      TidegateSettings settings,
      StoreWatch store,
      TestClock clock,
      PlansImport plansImport,
      CurrentPlans known,
      PlanAdministration plans,
      Rehearsal rehearsal) {
    this.rehearsal = rehearsal;
    this.settings = settings;
    this.known = known;
    this.store = store;
    this.clock = clock;
    this.plansImport = plansImport;
    this.plans = plans;
  }

  @Produces
  @Singleton
  static BoundaryTable boundaries(TidegateSettings settings) {
    return new BoundaryTable(settings.boundaries().maxRows());
  }

  /** Settings are checked at once; the store may come later. */
  void start(@Observes StartupEvent event) {
    SettingsCheck.check(settings);
    plansImport.readFile();
    takeOver()
        .onFailure(StoreException.class)
        .retry()
        .withBackOff(FIRST_PAUSE)
        .atMost(QUIET_ATTEMPTS)
        .onFailure()
        .invoke(StartUp::failed)
        .onFailure()
        .recoverWithNull()
        .subscribe()
        .with(done -> follow());
    hasStarted = true;
  }

  private synchronized void follow() {
    hasTried = true;
    if (!hasEnded) {
      following = plans.follow();
    }
  }

  /** Whether the settings and the plans file were found good. */
  public boolean hasStarted() {
    return hasStarted;
  }

  /** Whether the first attempts to take over are at their end, whatever came of them. */
  public boolean hasTried() {
    return hasTried;
  }

  /** Whether the plans were taken over once, and calls rehearsed. */
  public boolean hasTakenOver() {
    return hasTakenOver;
  }

  synchronized void stop(@Observes ShutdownEvent event) {
    hasEnded = true;
    following.cancel();
  }

  /**
   * Takes over what the store has: at first its clock and what is to be said of its settings, then
   * and each time again the plans, those of the file before the others.
   */
  public Uni<Void> takeOver() {
    return meetStore()
        .chain(plansImport::importIfNewer)
        .onFailure()
        .invoke(known::noteFailure)
        .chain(plans::refresh)
        .chain(() -> hasTakenOver ? Uni.createFrom().voidItem() : rehearsal.hold())
        .invoke(() -> hasTakenOver = true);
  }

  private Uni<Void> meetStore() {
    return hasMetStore
        ? Uni.createFrom().voidItem()
        : store
            .warmUp()
            .chain(clock::resume)
            .chain(store::look)
            .invoke(() -> hasMetStore = true)
            .replaceWithVoid();
  }

  /** The scheduler goes on trying; until then the service is not ready. */
  private static void failed(Throwable failure) {
    LOG.logf(
        failure instanceof StoreException ? Logger.Level.WARN : Logger.Level.ERROR,
        "the plans could not be taken over yet: %s",
        failure.getMessage());
  }
}
