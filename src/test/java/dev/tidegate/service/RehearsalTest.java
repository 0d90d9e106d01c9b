package dev.tidegate.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.dev.SchedulerOff;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.redis.datasource.RedisDataSource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The call that a process makes before it is ready. */
@QuarkusTest
@TestProfile(SchedulerOff.class)
class RehearsalTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Author OPERATOR = new Author("ops", "admin");

  private static final String PLAN =
      """
      {"resources": {"claude": {"meters": ["tokens", "requests"], "limits": [
        {"name": "all", "kind": "period", "meter": "tokens", "limit": 10,
         "schedule": {"type": "fixed", "seconds": 60}}]}}}
      """;

  @Inject Rehearsal rehearsal;
  @Inject Configuration configuration;
  @Inject ConfigurationStore store;
  @Inject TidegateSettings settings;
  @Inject RedisDataSource redis;
  @Inject MeterRegistry meters;

  private static <T> T get(Uni<T> uni) {
    return uni.await().atMost(PATIENCE);
  }

  private Set<String> keys() {
    return Set.copyOf(redis.key().keys(settings.redis().keyPrefix() + ":*"));
  }

  private double decisions() {
    return meters.find("tidegate.decisions").counters().stream().mapToDouble(Counter::count).sum();
  }

  private long reservations() {
    return meters
        .find("tidegate.script.duration")
        .tag("command", "take_reservation")
        .timers()
        .stream()
        .mapToLong(Timer::count)
        .sum();
  }

  @Test
  @DisplayName("It runs the script of a reservation, changes nothing and counts as no decision")
  void changesNothing() {
    String name = settings.plans().defaultPlan().orElseThrow();
    get(store.putPlan(name, PLAN, null, OPERATOR));
    try {
      get(configuration.refreshPlans());
      Set<String> keys = keys();
      double decided = decisions();
      long run = reservations();
      get(rehearsal.hold());
      assertTrue(reservations() > run, "no reservation was rehearsed");
      assertEquals(keys, keys());
      assertEquals(decided, decisions());
    } finally {
      get(store.deletePlan(name, null, OPERATOR));
      get(configuration.refreshPlans());
    }
  }
}
