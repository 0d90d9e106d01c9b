package dev.tidegate.http;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/**
 * The tests of the HTTP API once more, against what was packaged: the jar, the native executable,
 * or a service that already runs.
 */
final class PackagedIT {

  private PackagedIT() {}

  @QuarkusIntegrationTest
  static class Amounts extends AmountsTest {}

  @QuarkusIntegrationTest
  static class Bodies extends BodiesTest {}

  @QuarkusIntegrationTest
  static class Boundaries extends BoundariesTest {}

  @QuarkusIntegrationTest
  static class ClientsGuide extends ClientsGuideTest {}

  @QuarkusIntegrationTest
  static class Concurrency extends ConcurrencyTest {}

  @QuarkusIntegrationTest
  static class ConfigurationAudit extends ConfigurationAuditTest {}

  @QuarkusIntegrationTest
  static class Edge extends EdgeTest {}

  @QuarkusIntegrationTest
  static class Fuzz extends FuzzTest {}

  @QuarkusIntegrationTest
  static class Idempotency extends IdempotencyTest {}

  @QuarkusIntegrationTest
  static class Identifiers extends IdentifiersTest {}

  @QuarkusIntegrationTest
  static class Insight extends InsightTest {}

  @QuarkusIntegrationTest
  static class Leases extends LeasesTest {}

  @QuarkusIntegrationTest
  static class LimitChanges extends LimitChangesTest {}

  @QuarkusIntegrationTest
  static class OperationsGuide extends OperationsGuideTest {}

  @QuarkusIntegrationTest
  static class OrderOfChecks extends OrderOfChecksTest {}

  @QuarkusIntegrationTest
  static class Plans extends PlansTest {}

  @QuarkusIntegrationTest
  static class Pools extends PoolsTest {}

  @QuarkusIntegrationTest
  static class QuotaView extends QuotaViewTest {}

  @QuarkusIntegrationTest
  static class RateLimitFields extends RateLimitFieldsTest {}

  @QuarkusIntegrationTest
  static class Rates extends RatesTest {}

  @QuarkusIntegrationTest
  static class RequestIds extends RequestIdsTest {}

  @QuarkusIntegrationTest
  static class Reservations extends ReservationsTest {}

  @QuarkusIntegrationTest
  static class Resets extends ResetsTest {}

  @QuarkusIntegrationTest
  static class ReturnSpread extends ReturnSpreadTest {}

  @QuarkusIntegrationTest
  static class Roles extends RolesTest {}

  @QuarkusIntegrationTest
  static class SchedulePreview extends SchedulePreviewTest {}

  @QuarkusIntegrationTest
  static class ScriptFlush extends ScriptFlushTest {}

  @QuarkusIntegrationTest
  static class ServedDocument extends ServedDocumentTest {}

  @QuarkusIntegrationTest
  static class Settlements extends SettlementsTest {}

  @QuarkusIntegrationTest
  static class StoredRecords extends StoredRecordsTest {}

  @QuarkusIntegrationTest
  static class Subjects extends SubjectsTest {}

  @QuarkusIntegrationTest
  static class TestClock extends TestClockTest {}

  @QuarkusIntegrationTest
  static class Tokens extends TokensTest {}

  @QuarkusIntegrationTest
  static class TopUps extends TopUpsTest {}

  @QuarkusIntegrationTest
  static class Usage extends UsageTest {}

  @QuarkusIntegrationTest
  static class Zones extends ZonesTest {}
}
