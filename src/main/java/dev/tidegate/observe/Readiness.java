package dev.tidegate.observe;

import dev.tidegate.service.Configuration;
import dev.tidegate.service.StartUp;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheckResponse;

/**
 * Ready once the plans were read and calls were rehearsed. A store that goes away later does not
 * take the service out, unless the settings want it so.
 */
@ApplicationScoped
@org.eclipse.microprofile.health.Readiness
class Readiness implements AsyncHealthCheck {

  private final StartUp startUp;
  private final Configuration configuration;

  Readiness(StartUp startUp, Configuration configuration) {
    this.startUp = startUp;
    this.configuration = configuration;
  }

  @Override
  public Uni<HealthCheckResponse> call() {
    return configuration
        .isReady()
        .map(ready -> ready && startUp.hasTakenOver())
        .map(ready -> HealthCheckResponse.named("plans").status(ready).build());
  }
}
