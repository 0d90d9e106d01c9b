package dev.tidegate.service;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** How long a use of the store may take, all its trips together. */
@ApplicationScoped
class Deadline {

  private final Duration allTrips;

  Deadline(TidegateSettings settings) {
    this.allTrips = Duration.ofMillis(settings.redis().deadlineMillis());
  }

  /** The same, but that it fails, and makes no further trip, when it takes too long. */
  <T> Uni<T> over(Uni<T> use) {
    return use.ifNoItem()
        .after(allTrips)
        .failWith(
            () -> new StoreException(Kind.UNANSWERED, "the store did not answer it all in time"));
  }
}
