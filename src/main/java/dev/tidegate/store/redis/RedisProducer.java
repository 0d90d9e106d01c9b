package dev.tidegate.store.redis;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.store.ConfigurationStore;
import dev.tidegate.store.ConfigurationTrail;
import dev.tidegate.store.GrantStore;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.StoreClock;
import dev.tidegate.store.StoreHealth;
import io.micrometer.core.instrument.MeterRegistry;
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

  /**
   * Makes the way to Redis.
   *
   * @param unused the client of the platform; it is made with the options that the lanes take over
   */
  @Produces
  @Singleton
  RedisWay way(Vertx vertx, LaneClients clients, Redis unused, TidegateSettings settings) {
    return clients.open(vertx, lanes(), Duration.ofMillis(settings.redis().deadlineMillis()));
  }

  private static int lanes() {
    return LANES_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
  }

  @Produces
  @Singleton
  ScriptRunner scripts(RedisWay way, RedisMeters meters) {
    meters.watch(way);
    return new ScriptRunner(way, ScriptCatalogue.load(), meters);
  }

  /** A connection that waits for copies stands still, so that grants then have their own. */
  @Produces
  @Singleton
  GrantScripts grantScripts(
      Vertx vertx,
      LaneClients clients,
      ScriptRunner scripts,
      TidegateSettings settings,
      RedisMeters meters) {
    Copies copies = Copies.of(settings.redis());
    if (!copies.areWanted()) {
      return new GrantScripts(scripts, copies);
    }
    Duration deadline = Duration.ofMillis(settings.redis().deadlineMillis()).plus(copies.within());
    RedisWay own = clients.open(vertx, lanes(), deadline);
    return new GrantScripts(new ScriptRunner(own, ScriptCatalogue.load(), meters), copies);
  }

  @Produces
  @Singleton
  RedisMeters meters(MeterRegistry registry) {
    return new RedisMeters(registry);
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
      RedisMeters meters) {
    return new RedisMeteringStore(
        scripts, keys, clock, settings.closedPeriodsKept(), meters::lapsed);
  }

  /** Two documents of 32 KiB each are the largest event, so a trail has 64 MiB at most. */
  private static final int CONFIGURATION_EVENTS = 1000;

  private static Retention retention(TidegateSettings settings) {
    TidegateSettings.AuditSettings audit = settings.audit();
    return new Retention(Duration.ofDays(audit.keptDays()), audit.maxEvents());
  }

  @Produces
  @Singleton
  GrantStore grants(
      ScriptRunner scripts,
      GrantScripts grants,
      Keys keys,
      StoreClock clock,
      TidegateSettings settings,
      RedisMeters meters) {
    return new RedisGrantStore(
        scripts,
        grants,
        keys,
        clock,
        settings.closedPeriodsKept(),
        retention(settings),
        meters::lapsed);
  }

  @Produces
  @Singleton
  ConfigurationStore configuration(
      ScriptRunner scripts, Keys keys, StoreClock clock, TidegateSettings settings, Redis redis) {
    ChangeFeed feed = new ChangeFeed(redis, keys.changes());
    return new RedisConfigurationStore(
        scripts, keys, clock, retention(settings).atMost(CONFIGURATION_EVENTS), feed.changes());
  }

  @Produces
  @Singleton
  StoreHealth health(ScriptRunner scripts, Keys keys, StoreClock clock, TidegateSettings settings) {
    return new RedisHealth(
        scripts, keys, clock, Copies.of(settings.redis()), settings.redis().persistence());
  }

  @Produces
  @Singleton
  ConfigurationTrail trail(
      ScriptRunner scripts, Keys keys, StoreClock clock, TidegateSettings settings) {
    return new RedisConfigurationTrail(
        scripts, keys, clock, retention(settings).atMost(CONFIGURATION_EVENTS));
  }
}
