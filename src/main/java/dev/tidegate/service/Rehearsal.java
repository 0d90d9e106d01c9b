package dev.tidegate.service;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Plan;
import dev.tidegate.domain.ResourceRules;
import dev.tidegate.domain.SubjectId;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.TreeMap;

/**
 * A call that changes nothing and counts nowhere, made before a process is ready. A cold process
 * loads by it what calls take, which on a JVM is longer than they have.
 */
@ApplicationScoped
class Rehearsal {

  /** Of nobody: with it no state is read that anybody has. */
  private static final SubjectId NOBODY = new SubjectId("rehearsal");

  /** Each loads more, until one is in time. */
  private static final int ATTEMPTS = 5;

  private final Configuration configuration;
  private final Metering metering;

  Rehearsal(Configuration configuration, Metering metering) {
    this.configuration = configuration;
    this.metering = metering;
  }

  /** Makes the call by the default plan, if there is one; that it fails is no matter. */
  Uni<Void> hold() {
    Plan plan = configuration.plans().applyingTo(null);
    ResourceRules any =
        plan == null ? null : plan.resources().values().stream().findFirst().orElse(null);
    if (any == null) {
      return Uni.createFrom().voidItem();
    }
    TreeMap<String, Long> amounts = new TreeMap<>();
    any.meters().forEach(meter -> amounts.put(meter, 1L));
    return metering
        .rehearse(NOBODY, any.name(), Amounts.of(amounts))
        .onFailure()
        .retry()
        .atMost(ATTEMPTS - 1)
        .onFailure()
        .recoverWithNull();
  }
}
