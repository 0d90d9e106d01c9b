package dev.tidegate.observe;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.domain.calendar.TimeZoneData;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.info.runtime.spi.InfoContributor;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Tells which time-zone data boundaries are computed with: in the log, at {@code /q/info} and as a
 * meter, so that processes that differ are seen.
 */
@ApplicationScoped
class TimeZoneDataReport implements InfoContributor {

  private static final Logger LOG = Logger.getLogger(TimeZoneDataReport.class);

  void start(@Observes StartupEvent start, TidegateSettings settings, MeterRegistry registry) {
    settings.tzdata().oldest().ifPresent(TimeZoneData::requireNotOlder);
    String version = TimeZoneData.version();
    LOG.infof("time-zone data %s", version);
    if (TimeZoneData.isOlder(version, TimeZoneData.PINNED)) {
      LOG.warnf(
          "the time-zone data is older than %s, which releases have: resets in zones whose rules"
              + " changed since come at other instants; take a JDK that was updated since",
          TimeZoneData.PINNED);
    }
    Gauge.builder("tidegate.tzdata.info", () -> 1)
        .description("1 for the version of the time-zone data that boundaries are computed with")
        .tag("version", version)
        .register(registry);
  }

  @Override
  public String name() {
    return "tzdata";
  }

  @Override
  public String displayName() {
    return "Time-zone data";
  }

  @Override
  public Map<String, Object> data() {
    return Map.of("version", TimeZoneData.version());
  }
}
