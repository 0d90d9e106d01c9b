package dev.tidegate.observe;

import dev.tidegate.service.StoreWatch;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreHealth.Condition;
import dev.tidegate.store.StoreHealth.Finding;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.health.api.HealthGroup;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Locale;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/**
 * Whether Redis answers, runs scripts, takes writes, and is set up so that it keeps them. It is a
 * group of its own and takes no pod out: restarting or avoiding one would not mend a Redis.
 */
@ApplicationScoped
@HealthGroup("redis")
class RedisCheck implements AsyncHealthCheck {

  private final StoreWatch store;

  RedisCheck(StoreWatch store) {
    this.store = store;
  }

  @Override
  public Uni<HealthCheckResponse> call() {
    return store
        .look()
        .chain(condition -> store.runScript().replaceWith(() -> of(condition)))
        .onFailure(StoreException.class)
        .recoverWithItem(RedisCheck::failed);
  }

  private static HealthCheckResponse of(Condition condition) {
    HealthCheckResponseBuilder response = named().withData("scripts", "they run");
    for (Finding finding : condition.findings()) {
      response.withData(finding.aspect().name().toLowerCase(Locale.ROOT), finding.detail());
    }
    return response.status(condition.concerns().isEmpty()).build();
  }

  private static HealthCheckResponse failed(Throwable failure) {
    return named().withData("failure", String.valueOf(failure.getMessage())).down().build();
  }

  private static HealthCheckResponseBuilder named() {
    return HealthCheckResponse.named("redis");
  }
}
