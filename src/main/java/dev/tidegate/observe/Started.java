package dev.tidegate.observe;

import dev.tidegate.service.StartUp;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/** Started once the settings and the plans file were found good; the store may come later. */
@ApplicationScoped
@Startup
class Started implements HealthCheck {

  private final StartUp startUp;

  Started(StartUp startUp) {
    this.startUp = startUp;
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("service").status(startUp.hasStarted()).build();
  }
}
