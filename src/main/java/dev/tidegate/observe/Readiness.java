package dev.tidegate.observe;

import dev.tidegate.service.Configuration;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;

/** Ready once the plans were read; a Redis that goes away later does not take the service out. */
@ApplicationScoped
@org.eclipse.microprofile.health.Readiness
class Readiness implements HealthCheck {

  private final Configuration configuration;

  Readiness(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("plans").status(configuration.isLoaded()).build();
  }
}
