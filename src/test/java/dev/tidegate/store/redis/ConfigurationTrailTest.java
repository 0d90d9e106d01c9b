package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.SampleTerms.ANN;
import static dev.tidegate.store.redis.SampleTerms.TEAM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationStore.Result;
import dev.tidegate.store.ConfigurationStore.SubjectRecord;
import dev.tidegate.store.ConfigurationStore.Waiting;
import dev.tidegate.store.ConfigurationStore.Written;
import dev.tidegate.store.ConfigurationTrail.Document;
import dev.tidegate.store.ConfigurationTrail.Event;
import dev.tidegate.store.ConfigurationTrail.Operation;
import dev.tidegate.store.ConfigurationTrail.Page;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Every change of what is configured has one event, written with it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConfigurationTrailTest {

  private static final Author ANNA = new Author("anna", "admin");
  private static final Author FILE = Author.ofFile("/etc/plans.yaml");
  private static final Document NONE = new Document(0, null);
  private static final long FIRST = RedisFixture.NOW.getEpochSecond();

  private final RedisFixture fixture = RedisFixture.open();

  @BeforeEach
  void fresh() {
    fixture.fresh();
  }

  @AfterAll
  void close() {
    fixture.close();
  }

  private RedisConfigurationStore store() {
    return fixture.configuration();
  }

  private Written putPlan(String name, String document) {
    return RedisFixture.get(store().putPlan(name, document, null, ANNA));
  }

  private void importPlans(long revision, Map<String, String> plans) {
    RedisFixture.get(store().importPlans(revision, null, plans, FILE));
  }

  private List<Event> planEvents(String name) {
    return RedisFixture.get(fixture.trail().ofPlan(name, null, 1000)).events();
  }

  private SubjectRecord record(SubjectId subject) {
    return RedisFixture.get(store().subject(subject));
  }

  private Written put(
      SubjectId subject,
      String document,
      @Nullable SubjectId oldParent,
      @Nullable SubjectId parent,
      @Nullable String limitsBefore) {
    SubjectId root = parent == null ? subject : parent;
    Waiting waiting = limitsBefore == null ? null : new Waiting(List.of(), limitsBefore);
    return RedisFixture.get(
        store()
            .putSubject(
                subject, record(subject), oldParent, document, parent, root, waiting, ANNA));
  }

  private Written put(SubjectId subject, String document) {
    return put(subject, document, null, null, null);
  }

  private List<Event> events(SubjectId root, SubjectId subject) {
    return RedisFixture.get(fixture.trail().ofSubject(root, subject, null, 1000)).events();
  }

  private static Document document(String json) {
    return new Document(json.length(), json);
  }

  private static List<String> operations(List<Event> events) {
    return events.stream()
        .map(event -> event.operation() + " " + event.versionBefore() + " " + event.version())
        .toList();
  }

  @Test
  void anEventTellsWhoChangedWhatWhen() {
    putPlan("free", "{\"a\":1}");
    putPlan("free", "{\"a\":2}");

    Event event = planEvents("free").getFirst();
    assertEquals(
        new Event(
            RedisFixture.NOW.toEpochMilli() + "-1",
            RedisFixture.NOW,
            Operation.PUT,
            ANNA,
            FIRST,
            FIRST + 1,
            0,
            document("{\"a\":1}"),
            document("{\"a\":2}")),
        event);
  }

  @Test
  void theTrailOfAPlanOutlivesIt() {
    putPlan("free", "{\"a\":1}");
    putPlan("other", "{}");
    RedisFixture.get(store().deletePlan("free", null, ANNA));
    putPlan("free", "{\"a\":3}");

    assertEquals(
        List.of("PUT 0 " + (FIRST + 3), "DELETE " + FIRST + " 0", "PUT 0 " + FIRST),
        operations(planEvents("free")));
    assertEquals(document("{\"a\":1}"), planEvents("free").get(1).before());
    assertEquals(NONE, planEvents("free").get(1).after());
  }

  private void assertWritesNothing(Runnable call) {
    SortedMap<String, String> before = fixture.contents();
    call.run();
    assertEquals(before, fixture.contents());
  }

  @Test
  void whatChangesNothingWritesNothingAndKeepsItsVersion() {
    putPlan("free", "{\"a\":1}");
    put(ANN, "{\"a\":1}");
    assertWritesNothing(
        () -> assertEquals(new Written(Result.DONE, FIRST), putPlan("free", "{\"a\":1}")));
    assertWritesNothing(() -> assertEquals(new Written(Result.DONE, 1), put(ANN, "{\"a\":1}")));
    assertWritesNothing(
        () -> assertEquals(new Written(Result.DONE, 1), put(ANN, "{\"a\":1}", null, null, "{}")));
  }

  @Test
  void theSameDocumentIsAChangeWhereItEndsTheWaitingOfAnother() {
    put(ANN, "{}");
    put(ANN, "{\"a\":1}", null, null, "{\"x\":1}");
    assertEquals(new Written(Result.DONE, 3), put(ANN, "{\"a\":1}"));
    assertEquals(3, events(ANN, ANN).size());
    assertEquals(List.of(), record(ANN).deferrals());
  }

  @Test
  void aRefusedChangeHasNoEvent() {
    putPlan("free", "{}");
    assertWritesNothing(() -> RedisFixture.get(store().putPlan("free", "{\"b\":1}", 1L, ANNA)));
    assertWritesNothing(() -> RedisFixture.get(store().deletePlan("free", 1L, ANNA)));
    assertWritesNothing(() -> RedisFixture.get(store().deletePlan("none", null, ANNA)));
  }

  @Test
  void anImportHasAnEventForEachPlanThatItChanges() {
    putPlan("own", "{}");
    putPlan("taken", "{\"a\":1}");
    importPlans(3, Map.of("taken", "{\"a\":1}", "same", "{}", "gone", "{}"));
    importPlans(4, Map.of("taken", "{\"a\":2}", "same", "{}"));

    assertEquals(1, planEvents("own").size());
    assertEquals(1, planEvents("same").size());
    assertEquals(List.of(4L, 3L, 0L), planEvents("taken").stream().map(Event::revision).toList());
    Event taken = planEvents("taken").getFirst();
    assertEquals(FILE, taken.by());
    assertEquals(Operation.IMPORT, taken.operation());
    assertEquals(document("{\"a\":1}"), taken.before());
    assertEquals(
        List.of("IMPORT " + (FIRST + 2) + " 0", "IMPORT 0 " + (FIRST + 2)),
        operations(planEvents("gone")));
    assertEquals(
        planEvents("same").getFirst().version(),
        Objects.requireNonNull(RedisFixture.get(store().plans()).byName().get("same")).version());
    assertWritesNothing(() -> importPlans(4, Map.of("taken", "{\"a\":9}")));
  }

  private static List<String> operationsAt(long revision, List<Event> events) {
    return events.stream()
        .filter(event -> event.revision() == revision)
        .map(event -> "" + event.operation())
        .toList();
  }

  @Test
  void anImportThatOnlyChangesTheDefaultPlanHasAnEventOfThePlanBeforeAndOfTheOneAfter() {
    Map<String, String> plans = Map.of("free", "{}", "pro", "{}");
    RedisFixture.get(store().importPlans(3, "free", plans, FILE));
    RedisFixture.get(store().importPlans(4, "pro", plans, FILE));
    RedisFixture.get(store().importPlans(5, "pro", plans, FILE));
    RedisFixture.get(store().importPlans(6, null, plans, FILE));

    assertEquals(List.of("DEFAULT_ON", "IMPORT"), operationsAt(3, planEvents("free")));
    assertEquals(List.of("DEFAULT_OFF"), operationsAt(4, planEvents("free")));
    assertEquals(List.of("DEFAULT_ON"), operationsAt(4, planEvents("pro")));
    assertEquals(List.of("DEFAULT_OFF"), operationsAt(6, planEvents("pro")));
    assertEquals(3, planEvents("free").size());
    assertEquals(3, planEvents("pro").size());
    Event on = planEvents("pro").get(1);
    assertEquals(FILE, on.by());
    assertEquals(on.versionBefore(), on.version());
    assertEquals(new Document(0, null), on.after());
  }

  @Test
  void aDocumentThatIsTooLargeIsToldByItsSize() {
    String large = "{\"a\":\"" + "x".repeat(40_000) + "\"}";
    putPlan("free", large);

    assertEquals(new Document(large.length(), null), planEvents("free").getFirst().after());
  }

  @Test
  void theTrailOfASubjectGoesThroughAllItsLives() {
    put(ANN, "{\"a\":1}");
    put(ANN, "{\"a\":2}");
    RedisFixture.get(store().deleteSubject(ANN, record(ANN), null, ANNA));
    put(ANN, "{\"a\":3}");

    assertEquals(
        List.of("PUT 0 4", "DELETE 2 0", "PUT 1 2", "PUT 0 1"), operations(events(ANN, ANN)));
    assertEquals(document("{\"a\":2}"), events(ANN, ANN).get(1).before());
  }

  @Test
  void aMoveHasOneEventAtTheRootThatItLeaves() {
    put(TEAM, "{}");
    put(ANN, "{\"a\":1}", null, TEAM, null);
    put(ANN, "{\"a\":2}", TEAM, TEAM, null);
    put(ANN, "{\"a\":3}", TEAM, null, null);

    assertEquals(List.of("PUT 0 1"), operations(events(ANN, ANN)));
    assertEquals(List.of("PUT 2 3", "PUT 1 2"), operations(events(TEAM, ANN)));
    assertEquals(document("{\"a\":3}"), events(TEAM, ANN).getFirst().after());
  }

  @Test
  void aMoveThatIsRefusedHasNoEvent() {
    put(TEAM, "{}");
    Calls.given(Calls.charge(now -> SampleTerms.ann(9L, now), 1)).accept(fixture);
    assertEquals(Result.HAS_STATE, put(ANN, "{}", null, TEAM, null).result());
    assertEquals(List.of(), events(ANN, ANN));
    assertEquals(List.of(), events(TEAM, ANN));
  }

  @Test
  void pagesGoOnWhereTheyEnded() {
    for (int n = 1; n <= 5; n++) {
      putPlan("free", "{\"a\":" + n + "}");
      putPlan("other", "{\"a\":" + n + "}");
    }
    Page page = RedisFixture.get(fixture.trail().ofPlan("free", null, 2));
    Page rest = RedisFixture.get(fixture.trail().ofPlan("free", page.next(), 1000));

    assertEquals(2, page.events().size());
    assertEquals(page.events().getLast().id(), page.next());
    assertEquals(3, rest.events().size());
    assertNull(rest.next());
    assertEquals(document("{\"a\":3}"), rest.events().getFirst().after());
  }

  @Test
  @DisplayName("a trail is bounded by age")
  void oldEventsGo() {
    putPlan("free", "{\"a\":1}");
    fixture.clock().pin(RedisFixture.NOW.plus(RedisFixture.AUDIT_KEPT).plus(Duration.ofMillis(1)));
    assertEquals(List.of(), planEvents("free"));
    putPlan("free", "{\"a\":2}");
    assertEquals(1, planEvents("free").size());
    assertTrue(planEvents("free").getFirst().versionBefore() > 0);
  }
}
