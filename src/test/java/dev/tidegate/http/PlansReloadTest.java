package dev.tidegate.http;

import static dev.tidegate.dev.WatchedPlans.plans;
import static dev.tidegate.dev.WatchedPlans.publish;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.WatchedPlans;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A plans file that is changed while the service runs. */
@QuarkusTest
@TestProfile(WatchedPlans.class)
class PlansReloadTest extends HttpSuite {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static void await(long expected, LongSupplier actual) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    long last = actual.getAsLong();
    while (last != expected && System.nanoTime() < end) {
      last = actual.getAsLong();
    }
    assertEquals(expected, last);
  }

  private static long metric(String name) {
    return (long) Scrape.now().sum("tidegate_plans_file_" + name);
  }

  private static long tokensOfThePlan() {
    return as(ADMIN).get("/v1/plans/watched").jsonPath().getLong("resources.api.limits[0].limit");
  }

  private static long nextRevision() {
    return metric("revision") + 1;
  }

  private long tokens;

  /** Each test begins with a good version in force, whatever became of the one before. */
  @BeforeEach
  void aGoodVersion() {
    if (metric("refused") == 1) {
      tokens = 10_000;
      publish(plans(nextRevision(), tokens));
      await(tokens, PlansReloadTest::tokensOfThePlan);
    }
    tokens = tokensOfThePlan();
  }

  /** Publishes what is refused, and returns what the log says of it. */
  private String refusalOf(String content) {
    long before = metric("refusals_total");
    int logged = WatchedPlans.logged().size();
    publish(content);
    await(before + 1, () -> metric("refusals_total"));
    assertEquals(1, metric("refused"));
    assertEquals(tokens, tokensOfThePlan());
    assertStatus(200, charge(fresh("s"), 1));
    List<String> lines = WatchedPlans.logged();
    assertEquals(logged + 1, lines.size(), lines::toString);
    return lines.getLast();
  }

  private void assertAcceptedAgain() {
    tokens = tokens + 1_000_000;
    long revision = nextRevision();
    publish(plans(revision, tokens));
    await(tokens, PlansReloadTest::tokensOfThePlan);
    assertEquals(0, metric("refused"));
    assertEquals(revision, metric("revision"));
  }

  @Test
  void aVersionWithAGreaterRevisionIsInForceSoon() {
    long before = metric("accepted_timestamp_seconds");
    assertAcceptedAgain();
    assertTrue(metric("accepted_timestamp_seconds") >= before);
    assertTrue(before > 1_700_000_000);
    String audit = as(ADMIN).get("/v1/plans/watched/audit").jsonPath().getString("events[0].by");
    assertEquals(WatchedPlans.FILE.toString(), audit);
  }

  @Test
  void aVersionAtFaultIsRefusedWithThePathOfEveryFault() {
    String bad = plans(nextRevision(), 5).replace("limit: 5", "limit: -5, nonsense: 1");
    String line = refusalOf(bad);
    String limit = "$.plans.watched.resources.api.limits[0]";
    assertTrue(line.contains(WatchedPlans.FILE.toString()), line);
    assertTrue(line.contains(limit + ".limit must be"), line);
    assertTrue(line.contains(limit + ".nonsense"), line);
    assertAcceptedAgain();
  }

  @Test
  void aVersionThatIsNoYamlIsRefusedWithLineAndColumn() {
    String line = refusalOf("revision: 99\nplans:\n  watched: {resources: [\n");
    assertTrue(line.contains("line 4, column 1"), line);
    assertAcceptedAgain();
  }

  @Test
  void aChangeWithoutAGreaterRevisionIsRefusedUntilItIsTakenBack() {
    long revision = metric("revision");
    String line = refusalOf(plans(revision, 7));
    assertTrue(line.contains("$.revision must be greater than " + revision), line);
    publish(plans(revision, tokens));
    await(0, () -> metric("refused"));
    assertAcceptedAgain();
  }

  @Test
  void aFileThatIsAwayChangesNothing() throws IOException {
    Path data = WatchedPlans.FILE.resolveSibling("..data");
    Path version = Files.readSymbolicLink(data);
    Files.delete(data);
    await(1, () -> metric("refused"));
    assertEquals(tokens, tokensOfThePlan());
    Files.createSymbolicLink(data, version);
    await(0, () -> metric("refused"));
    assertEquals(tokens, tokensOfThePlan());
  }

  @Test
  void aFileWithNothingInItIsRefused() {
    String line = refusalOf("");
    assertTrue(line.contains("plans.yaml is refused"), line);
    assertAcceptedAgain();
  }
}
