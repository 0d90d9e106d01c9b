package dev.tidegate.service;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.config.TidegateSettings.RedisSettings;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** How long a use of the store may take, all its trips together. */
@ApplicationScoped
class Deadline {

  private final Duration allTrips;
  private final Duration allTripsOfGrant;

  Deadline(TidegateSettings settings) {
    RedisSettings redis = settings.redis();
    this.allTrips = Duration.ofMillis(redis.deadlineMillis());
    boolean waits = redis.grantsWaitReplicas() > 0 || redis.grantsWaitAof();
    this.allTripsOfGrant = waits ? allTrips.plusMillis(redis.grantsWaitMillis()) : allTrips;
  }

  /** The same, but that it fails, and makes no further trip, when it takes too long. */
  <T> Uni<T> over(Uni<T> use) {
    return over(use, allTrips);
  }

  /** The same of a grant, which may have to wait for copies. */
  <T> Uni<T> overGrant(Uni<T> use) {
    return over(use, allTripsOfGrant);
  }

  private static <T> Uni<T> over(Uni<T> use, Duration atMost) {
    return use.ifNoItem()
        .after(atMost)
        .failWith(
            () -> new StoreException(Kind.UNANSWERED, "the store did not answer it all in time"));
  }
}
