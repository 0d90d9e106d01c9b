package dev.tidegate.schedule;

import dev.tidegate.service.Calendars;
import dev.tidegate.service.PlanAdministration;
import dev.tidegate.service.PlansImport;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/** What happens by itself. No answer depends on it. */
@ApplicationScoped
class Timers {

  private final PlansImport plansImport;
  private final PlanAdministration plans;
  private final Calendars calendars;

  Timers(PlansImport plansImport, PlanAdministration plans, Calendars calendars) {
    this.plansImport = plansImport;
    this.plans = plans;
    this.calendars = calendars;
  }

  /** Imports the plans file if the store was away at start, and sees plans that another process has changed. */
  @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> refreshPlans() {
    return plansImport.importRead().chain(plans::refresh);
  }

  /** Keeps the table of the next boundaries ahead of time. */
  @Scheduled(every = "1m", delayed = "1m")
  void refreshBoundaries() {
    calendars.refreshBoundaries();
  }
}
