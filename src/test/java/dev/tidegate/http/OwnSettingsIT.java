package dev.tidegate.http;

import dev.tidegate.k8s.DeployedTest;
import dev.tidegate.observe.HealthTest;
import dev.tidegate.observe.ReadinessTest;
import io.quarkus.test.junit.QuarkusIntegrationTest;

/**
 * The tests of services with settings of their own once more, against the jar or the native
 * executable, which is started for each; a service that already runs cannot take them.
 */
final class OwnSettingsIT {

  private OwnSettingsIT() {}

  @QuarkusIntegrationTest
  static class ClusteredRedis extends ClusteredRedisTest {}

  @QuarkusIntegrationTest
  static class Cors extends CorsTest {}

  @QuarkusIntegrationTest
  static class Deployed extends DeployedTest {}

  @QuarkusIntegrationTest
  static class Health extends HealthTest {}

  @QuarkusIntegrationTest
  static class MetricLabels extends MetricLabelsTest {}

  @QuarkusIntegrationTest
  static class Metrics extends MetricsTest {}

  @QuarkusIntegrationTest
  static class PlansReload extends PlansReloadTest {}

  @QuarkusIntegrationTest
  static class Readiness extends ReadinessTest {}

  @QuarkusIntegrationTest
  static class SecuredRedis extends SecuredRedisTest {}

  @QuarkusIntegrationTest
  static class SentinelRedis extends SentinelRedisTest {}

  @QuarkusIntegrationTest
  static class StoreFailure extends StoreFailureTest {}

  @QuarkusIntegrationTest
  static class UnconfirmedGrant extends UnconfirmedGrantTest {}
}
