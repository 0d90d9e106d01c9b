package dev.tidegate.observe;

import dev.tidegate.security.Rotation;
import dev.tidegate.service.BoundaryTable;
import dev.tidegate.service.CurrentPlans;
import dev.tidegate.service.CurrentPlans.Look;
import dev.tidegate.service.DegradedAdmissions;
import dev.tidegate.service.PlansImport;
import dev.tidegate.service.StoreWatch;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Predicate;

/** Shows how the table of boundaries does, and how often calls are let through. */
@ApplicationScoped
class ServiceMeters {

  private static final double MILLIS_PER_SECOND = 1000;

  void register(
      @Observes StartupEvent start,
      BoundaryTable table,
      DegradedAdmissions degraded,
      CurrentPlans plans,
      PlansImport file,
      Rotation keys,
      StoreWatch store,
      MeterRegistry registry) {
    register(plans, registry);
    register(file, registry);
    register(keys, registry);
    Gauge.builder("tidegate.redis.concerns", store, StoreWatch::concerns)
        .description("What endangers what Redis keeps, or keeps it from writing, as of last minute")
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

  private static void register(CurrentPlans plans, MeterRegistry registry) {
    Gauge.builder("tidegate.plans.in.force", plans, CurrentPlans::count)
        .description("Plans that this process decides with")
        .register(registry);
    Gauge.builder("tidegate.plans.generation", plans, CurrentPlans::generation)
        .description("A greater number after every change of any plan; -1 = none were read yet")
        .register(registry);
    Gauge.builder(
            "tidegate.plans.checked.age",
            plans,
            known -> known.age().toMillis() / MILLIS_PER_SECOND)
        .description("Since Redis told last which plans it has")
        .baseUnit("seconds")
        .register(registry);
    FunctionCounter.builder("tidegate.redis.losses", plans, CurrentPlans::losses)
        .description("Times that Redis was found to have lost what it had")
        .register(registry);
    for (Look look : Look.values()) {
      FunctionCounter.builder("tidegate.plans.refreshes", plans, known -> known.looks(look))
          .description("Looks at the plans that Redis has")
          .tag("outcome", look.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
  }

  private static void register(PlansImport file, MeterRegistry registry) {
    Gauge.builder("tidegate.plans.file.revision", file, PlansImport::revision)
        .description("The revision of the plans file that was accepted last; 0 = there is no file")
        .register(registry);
    Gauge.builder("tidegate.plans.file.accepted.timestamp", file, ServiceMeters::secondsOf)
        .description("When that version was accepted; 0 = there is no file")
        .baseUnit("seconds")
        .register(registry);
    Gauge.builder("tidegate.plans.file.refused", file, plans -> plans.isFileRefused() ? 1 : 0)
        .description("1 while the plans file as it is now is refused")
        .register(registry);
    FunctionCounter.builder("tidegate.plans.file.refusals", file, PlansImport::refusals)
        .description("Versions of the plans file that were refused")
        .register(registry);
  }

  private static void register(Rotation keys, MeterRegistry registry) {
    refused("api_keys", keys, Rotation::isApiKeysFileRefused, registry);
    refused("key_set", keys, Rotation::isKeySetRefused, registry);
  }

  private static void refused(
      String file, Rotation keys, Predicate<Rotation> isRefused, MeterRegistry registry) {
    Gauge.builder("tidegate.keys.file.refused", keys, now -> isRefused.test(now) ? 1 : 0)
        .description("1 while a file of keys as it is now is refused")
        .tag("file", file)
        .register(registry);
  }

  private static double secondsOf(PlansImport file) {
    Instant at = file.acceptedAt();
    return at == null ? 0 : at.getEpochSecond();
  }
}
