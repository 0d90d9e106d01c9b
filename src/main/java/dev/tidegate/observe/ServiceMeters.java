package dev.tidegate.observe;

import dev.tidegate.service.BoundaryTable;
import dev.tidegate.service.DegradedAdmissions;
import dev.tidegate.service.Warnings;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Shows how the table of boundaries does, and how often limits are warned of. */
@ApplicationScoped
class ServiceMeters {

  void register(
      @Observes StartupEvent start,
      BoundaryTable table,
      Warnings warnings,
      DegradedAdmissions degraded,
      MeterRegistry registry) {
    FunctionCounter.builder("tidegate.warnings", warnings, Warnings::given)
        .description("Warnings in metering answers: limits spent as far as warn_at_percent says")
        .register(registry);
    FunctionCounter.builder("tidegate.degraded.admissions", degraded, DegradedAdmissions::given)
        .description("Calls that were let through because the store did not answer")
        .register(registry);
    Gauge.builder("tidegate.boundaries.rows", table, BoundaryTable::size)
        .description("Pairs of a schedule and a zone whose next boundaries are in the table")
        .register(registry);
    FunctionCounter.builder("tidegate.boundaries.hits", table, BoundaryTable::hits)
        .description("Look-ups of a period that found it in the table")
        .register(registry);
    FunctionCounter.builder("tidegate.boundaries.misses", table, BoundaryTable::misses)
        .description("Look-ups of a period that had to compute it")
        .register(registry);
  }
}
