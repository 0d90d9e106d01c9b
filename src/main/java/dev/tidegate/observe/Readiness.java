package dev.tidegate.observe;

import dev.tidegate.service.Configuration;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheckResponse;

/**
 * Ready once the plans were read. A store that goes away later does not take the service out,
 * unless the settings want it so.
 */
@ApplicationScoped
@org.eclipse.microprofile.health.Readiness
class Readiness implements AsyncHealthCheck {

  private final Configuration configuration;

  Readiness(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public Uni<HealthCheckResponse> call() {
    return configuration
        .isReady()
        .map(ready -> HealthCheckResponse.named("plans").status(ready).build());
  }
}
