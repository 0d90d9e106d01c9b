package dev.tidegate.observe;

import dev.tidegate.service.BoundaryTable;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Shows how the table of boundaries does. */
@ApplicationScoped
class BoundaryMeters {

  void register(@Observes StartupEvent start, BoundaryTable table, MeterRegistry registry) {
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
