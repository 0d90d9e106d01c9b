package dev.tidegate.service;

import dev.tidegate.config.TidegateSettings;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.subscription.Cancellable;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Brings the service up: settings checked, clock and plans taken over, boundaries filled. */
@ApplicationScoped
class StartUp {

  private static final Logger LOG = Logger.getLogger(StartUp.class);

  private Cancellable following = () -> {};

  @Produces
  @Singleton
  BoundaryTable boundaries(TidegateSettings settings) {
    return new BoundaryTable(settings.boundaries().maxRows());
  }

  void start(
      @Observes StartupEvent event,
      TestClock clock,
      PlansImport plansImport,
      PlanAdministration plans) {
    plansImport.readFile();
    clock
        .resume()
        .chain(plansImport::importRead)
        .chain(plans::refresh)
        .subscribe()
        .with(done -> LOG.debug("plans are read"), StartUp::failed);
    following = plans.follow();
  }

  void stop(@Observes ShutdownEvent event) {
    following.cancel();
  }

  /** The scheduler goes on trying to read the plans; until then the service is not ready. */
  private static void failed(Throwable failure) {
    LOG.errorf("the plans could not be taken over: %s", failure.getMessage());
  }
}
