package dev.tidegate.store.redis;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.store.ConfigurationStore;
import dev.tidegate.store.GrantStore;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.StoreClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.redis.datasource.ReactiveRedisDataSource;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Puts the Redis adapter together. */
@ApplicationScoped
class RedisProducer {

  /** One lane per event loop, of which there are two per processor. */
  private static final int LANES_PER_PROCESSOR = 2;

  @Produces
  @Singleton
  RedisLanes lanes(Vertx vertx, Redis redis, TidegateSettings settings) {
    int count = LANES_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    return new RedisLanes(
        vertx, redis, count, Duration.ofMillis(settings.redis().deadlineMillis()));
  }

  @Produces
  @Singleton
  ScriptRunner scripts(RedisLanes lanes) {
    return new ScriptRunner(lanes, ScriptCatalogue.load());
  }

  @Produces
  @Singleton
  Keys keys(TidegateSettings settings) {
    return new Keys(settings.redis().keyPrefix());
  }

  @Produces
  @Singleton
  StoreClock clock() {
    return new StoreClock();
  }

  @Produces
  @Singleton
  MeteringStore metering(
      ScriptRunner scripts,
      Keys keys,
      StoreClock clock,
      TidegateSettings settings,
      MeterRegistry registry) {
    Counter lapses =
        Counter.builder("tidegate.reservations.lapsed")
            .description("Reservations whose lease ended before they were settled or released")
            .register(registry);
    return new RedisMeteringStore(
        scripts, keys, clock, settings.closedPeriodsKept(), lapses::increment);
  }

  @Produces
  @Singleton
  GrantStore grants(ScriptRunner scripts, Keys keys, StoreClock clock, TidegateSettings settings) {
    TidegateSettings.AuditSettings audit = settings.audit();
    return new RedisGrantStore(
        scripts,
        keys,
        clock,
        settings.closedPeriodsKept(),
        new RedisGrantStore.Retention(Duration.ofDays(audit.keptDays()), audit.maxEvents()));
  }

  @Produces
  @Singleton
  ConfigurationStore configuration(
      ScriptRunner scripts, Keys keys, StoreClock clock, ReactiveRedisDataSource redis) {
    ChangeFeed feed = new ChangeFeed(redis.pubsub(String.class), keys.changes());
    return new RedisConfigurationStore(scripts, keys, clock, feed.changes());
  }
}
