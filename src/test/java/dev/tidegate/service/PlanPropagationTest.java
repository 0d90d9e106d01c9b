package dev.tidegate.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.dev.SchedulerOff;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.PeriodQuota;
import dev.tidegate.domain.ResourceRules;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.Usage;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationStore;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.StoreClock;
import dev.tidegate.store.StoreException;
import io.quarkus.redis.datasource.RedisDataSource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Law 22: a plan that one process changes counts in every other, without any timer. */
@QuarkusTest
@TestProfile(SchedulerOff.class)
class PlanPropagationTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String RESOURCE = "claude";

  @Inject Configuration configuration;
  @Inject ConfigurationStore store;
  @Inject MeteringStore meteringStore;
  @Inject Metering metering;
  @Inject StoreClock clock;
  @Inject CallObserver observer;
  @Inject TidegateSettings settings;
  @Inject RedisDataSource redis;

  private static final Author AUTHOR = new Author("anna", "admin");

  private final String plan = "plan-" + UUID.randomUUID();
  private final SubjectId subject = new SubjectId("subject-of-" + plan);

  @BeforeEach
  void configure() {
    get(store.putPlan(plan, document(100), null, AUTHOR));
    get(
        store
            .subject(subject)
            .chain(
                before ->
                    store.putSubject(
                        subject,
                        before,
                        null,
                        "{\"plan\": \"%s\"}".formatted(plan),
                        null,
                        subject,
                        null,
                        AUTHOR)));
    await(() -> knownLimit() == 100);
  }

  private static String document(long limit) {
    return """
    {"resources": {"claude": {"meters": ["tokens"], "limits": [
      {"name": "day", "kind": "period", "meter": "tokens", "limit": %d,
       "schedule": {"type": "calendar", "unit": "day"}}]}}}
    """
        .formatted(limit);
  }

  private static <T> T get(Uni<T> uni) {
    return uni.await().atMost(PATIENCE);
  }

  private static void await(BooleanSupplier condition) {
    Instant end = Instant.now().plus(PATIENCE);
    while (!condition.getAsBoolean()) {
      assertTrue(Instant.now().isBefore(end), "did not come true in time");
      Thread.onSpinWait();
    }
  }

  /** The limit as this process knows it, without asking anybody; 0 = it does not know the plan. */
  private long knownLimit() {
    StoredPlan known = configuration.plans().byName().get(plan);
    return known == null ? 0 : limitOf(known);
  }

  private static long limitOf(StoredPlan stored) {
    ResourceRules rules = stored.plan().resource(RESOURCE);
    Long amount = rules == null ? null : ((PeriodQuota) rules.limits().getFirst()).amount();
    return amount == null ? -1 : amount;
  }

  private String plansKey() {
    return settings.redis().keyPrefix() + ":1:plans";
  }

  /** Changes the plan as another process does whose message nobody hears. */
  private void changeUnheard(long limit) {
    long generation = redis.hash(String.class).hincrby(plansKey(), "g", 1);
    redis.hash(String.class).hset(plansKey(), "p:" + plan, generation + " api " + document(limit));
  }

  /** What metering says in another process, which has just started. */
  private Metering elsewhere() {
    CurrentPlans plans = new CurrentPlans(store, settings);
    Configuration fresh = new Configuration(store, plans, settings);
    BoundaryTable none = new BoundaryTable(0);
    Decisions decisions =
        new Decisions(
            fresh,
            meteringStore,
            clock,
            none,
            new Deadline(settings),
            new DegradedAdmissions(fresh, clock, none),
            observer);
    return new Metering(decisions, meteringStore, observer);
  }

  /** The store, which does not tell its plans while it is away. */
  private ConfigurationStore leaving(AtomicBoolean away) {
    Class<ConfigurationStore> type = ConfigurationStore.class;
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                away.get() && method.getName().equals("plans")
                    ? Uni.createFrom()
                        .failure(new StoreException(StoreException.Kind.AWAY, "it has left"))
                    : method.invoke(store, arguments)));
  }

  private Object charge(Metering by, long tokens) {
    Spent.Named spent = new Spent.Named(Amounts.of("tokens", tokens), Usage.NONE);
    Answer<Outcome.Charging> answer = get(by.charge(subject, RESOURCE, spent, null));
    return assertInstanceOf(Decided.class, answer).outcome();
  }

  @Test
  void aChangeIsTold() {
    get(store.putPlan(plan, document(200), null, AUTHOR));
    await(() -> knownLimit() == 200);
    get(store.deletePlan(plan, null, AUTHOR));
    await(() -> knownLimit() == 0);
  }

  @Test
  void aChangeThatNobodyHeardOfIsSeenByTheNextCallThatTakesThePlansForOld() {
    changeUnheard(50);
    await(() -> charge(metering, 0) instanceof Outcome.Charged && knownLimit() == 50);
    assertInstanceOf(Outcome.Refused.class, charge(metering, 60));
  }

  @Test
  void aSubscriptionThatBreaksIsMadeAgainAndThePlansAreRead() {
    changeUnheard(70);
    redis.execute("CLIENT", "KILL", "TYPE", "pubsub");
    await(() -> knownLimit() == 70);
    get(store.putPlan(plan, document(80), null, AUTHOR));
    await(() -> knownLimit() == 80);
  }

  @Test
  void aStoreThatLeavesWhileThePlansAreReadAgainTakesNothingWithIt() {
    AtomicBoolean away = new AtomicBoolean();
    ConfigurationStore leaving = leaving(away);
    Configuration known = new Configuration(leaving, new CurrentPlans(leaving, settings), settings);
    get(known.resolve(subject, RESOURCE));
    away.set(true);
    assertThrows(StoreException.class, () -> get(known.startAfresh()));
    assertInstanceOf(Resolution.Found.class, known.resolveKnown(subject, RESOURCE));
    away.set(false);
    get(known.startAfresh());
    assertNull(known.resolveKnown(subject, RESOURCE));
  }

  @Test
  void noCallIsDecidedWithOlderPlansThanTheOneBefore() {
    assertInstanceOf(Outcome.Charged.class, charge(metering, 1));
    changeUnheard(10);
    assertInstanceOf(Outcome.Charged.class, charge(elsewhere(), 5));
    assertInstanceOf(Outcome.Refused.class, charge(metering, 5));
    assertEquals(10, knownLimit());
  }

  @Test
  void plansThatTheStoreHasLostAreNotWaitedFor() {
    String before = redis.hash(String.class).hget(plansKey(), "g");
    changeUnheard(90);
    assertInstanceOf(Outcome.Charged.class, charge(elsewhere(), 5));
    redis.hash(String.class).hset(plansKey(), "g", before);
    assertInstanceOf(Outcome.Charged.class, charge(metering, 5));
    assertInstanceOf(Outcome.Charged.class, charge(metering, 5));
    get(store.putPlan(plan, document(20), null, AUTHOR));
    await(() -> knownLimit() == 20);
    assertInstanceOf(Outcome.Refused.class, charge(metering, 6));
  }
}
