package dev.tidegate.service;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.store.ConfigurationStore;
import dev.tidegate.store.StoreClock;
import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Sets the service's clock, so that a team can cross a month end in seconds. */
@ApplicationScoped
public class TestClock {

  private static final Logger LOG = Logger.getLogger(TestClock.class);

  private final ConfigurationStore store;
  private final StoreClock clock;
  private final Calendars calendars;
  private final boolean enabled;

  TestClock(
      ConfigurationStore store, StoreClock clock, Calendars calendars, TidegateSettings settings) {
    this.store = store;
    this.clock = clock;
    this.calendars = calendars;
    this.enabled = allowed(settings.testClock().enabled(), ConfigUtils.isProfileActive("prod"));
  }

  /**
   * Whether the clock can be set.
   *
   * @throws IllegalStateException if it should, in the prod profile
   */
  static boolean allowed(boolean enabled, boolean prod) {
    if (enabled && prod) {
      throw new IllegalStateException("tidegate.test-clock.enabled is refused in the prod profile");
    }
    return enabled;
  }

  /** Whether the clock can be set. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Takes up the clock that was set before this process started. */
  public Uni<Void> resume() {
    return store.testClock().invoke(this::resumeAt).replaceWithVoid();
  }

  private void resumeAt(@Nullable Instant stored) {
    if (enabled) {
      apply(stored);
    } else if (stored != null) {
      LOG.warnf(
          "the store was used with a test clock at %s: what was metered then follows it until then",
          stored);
    }
  }

  /**
   * Makes the clock stand still at {@code instant}. It moves forward only, unless nothing is
   * metered yet.
   *
   * @return whether it did
   */
  public Uni<Boolean> set(Instant instant) {
    boolean backward = instant.isBefore(clock.now());
    return allowed(backward).chain(allowed -> allowed ? write(instant) : no());
  }

  /** Lets the store's clock decide again, unless anything is metered; whether it does. */
  public Uni<Boolean> unset() {
    return allowed(clock.pinnedMillis() != 0).chain(allowed -> allowed ? write(null) : no());
  }

  private Uni<Boolean> allowed(boolean onlyWhenEmpty) {
    return onlyWhenEmpty ? store.isEmptyOfState() : Uni.createFrom().item(true);
  }

  private static Uni<Boolean> no() {
    return Uni.createFrom().item(false);
  }

  private Uni<Boolean> write(@Nullable Instant instant) {
    return store.putTestClock(instant).invoke(() -> apply(instant)).replaceWith(true);
  }

  private void apply(@Nullable Instant instant) {
    if (instant == null) {
      clock.unpin();
    } else {
      clock.pin(instant);
    }
    calendars.refreshBoundaries();
  }
}
