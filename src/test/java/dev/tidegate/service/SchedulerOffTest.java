package dev.tidegate.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.SchedulerOff;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.Usage;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationStore;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.StoreClock;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No answer depends on a timer: one who never looks a boundary up says the same. */
@QuarkusTest
@TestProfile(SchedulerOff.class)
class SchedulerOffTest {

  private static final Instant START = Instant.parse("2030-03-30T22:00:00Z");
  private static final SubjectId READER = new SubjectId("reader");
  private static final String RESOURCE = "claude";

  private static final String PLAN =
      """
      {"resources": {"claude": {
        "meters": ["tokens"],
        "limits": [
          {"name": "second", "kind": "period", "meter": "tokens", "limit": 1000,
           "schedule": {"type": "fixed", "seconds": 1}},
          {"name": "hour", "kind": "period", "meter": "tokens", "limit": 1000,
           "schedule": {"type": "calendar", "unit": "hour", "at_minute": 30}},
          {"name": "day", "kind": "period", "meter": "tokens", "limit": 1000,
           "schedule": {"type": "calendar", "unit": "day", "at": "02:30"}},
          {"name": "week", "kind": "period", "meter": "tokens", "limit": 100000,
           "schedule": {"type": "calendar", "unit": "week", "day_of_week": "SUN", "at": "00:00"}},
          {"name": "month", "kind": "period", "meter": "tokens", "limit": 100000,
           "schedule": {"type": "calendar", "unit": "month", "day_of_month": 31, "at": "00:00"}},
          {"name": "cron", "kind": "period", "meter": "tokens", "limit": 1000,
           "schedule": {"type": "cron", "expr": "*/15 9-17 * * MON-FRI"}},
          {"name": "session", "kind": "period", "meter": "tokens", "limit": 1000,
           "schedule": {"type": "session", "seconds": 18000}}]}}}
      """;

  @Inject Configuration configuration;
  @Inject ConfigurationStore configurationStore;
  @Inject MeteringStore store;
  @Inject StoreClock clock;
  @Inject CallObserver observer;
  @Inject BoundaryTable boundaries;
  @Inject QuotaReading reading;
  @Inject Deadline deadline;
  @Inject DegradedAdmissions degraded;

  @BeforeEach
  void configure() {
    get(configurationStore.putPlan("every-kind", PLAN, null, new Author("anna", "admin")));
    get(configuration.refreshPlans());
    String subject = "{\"plan\": \"every-kind\", \"zone\": \"Europe/Berlin\"}";
    get(
        configurationStore
            .subject(READER)
            .chain(
                before ->
                    configurationStore.putSubject(
                        READER,
                        before,
                        null,
                        subject,
                        null,
                        READER,
                        null,
                        new Author("anna", "admin"))));
    configuration.forget(READER);
  }

  @AfterEach
  void letTheClockGo() {
    clock.unpin();
  }

  private static <T> T get(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(30));
  }

  private static Object outcome(Answer<?> answer) {
    assertTrue(answer instanceof Decided<?>, answer::toString);
    return ((Decided<?>) answer).outcome();
  }

  @Test
  void answersAreTheSameWithoutATable() {
    BoundaryTable none = new BoundaryTable(0);
    Decisions decisions =
        new Decisions(configuration, store, clock, none, deadline, degraded, observer);
    QuotaReading computing = new QuotaReading(decisions, store);
    Random random = new Random(42);
    Instant now = START;
    Set<Object> seen = new HashSet<>();
    for (int n = 0; n < 60; n++) {
      now = now.plusMillis(random.nextInt(n < 40 ? 2_000_000 : 2_000_000_000));
      clock.pin(now);
      Object quota = outcome(get(reading.read(READER, RESOURCE)));
      assertTrue(quota instanceof Outcome.Quota, quota::toString);
      assertEquals(outcome(get(computing.read(READER, RESOURCE))), quota);
      assertEquals(
          outcome(get(computing.readPeriods(READER, RESOURCE))),
          outcome(get(reading.readPeriods(READER, RESOURCE))));
      seen.add(quota);
      if (n % 3 == 0) {
        charge(decisions);
      }
    }
    assertEquals(60, seen.size());
    assertEquals(0, none.hits());
    assertTrue(boundaries.hits() > 0);
  }

  private void charge(Decisions decisions) {
    Metering metering = new Metering(decisions, store, observer);
    Object charged =
        outcome(
            get(
                metering.charge(
                    READER, RESOURCE, new Spent.Named(Amounts.of("tokens", 1), Usage.NONE), null)));
    assertTrue(charged instanceof Outcome.Charged, charged::toString);
  }
}
