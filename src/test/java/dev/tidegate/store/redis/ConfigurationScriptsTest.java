package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.SampleTerms.ANN;
import static dev.tidegate.store.redis.SampleTerms.TEAM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationStore.Result;
import dev.tidegate.store.ConfigurationStore.SubjectRecord;
import dev.tidegate.store.ConfigurationStore.Written;
import dev.tidegate.store.redis.RedisFixture.Stored;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The scripts that write what is configured: every status, and nothing written where they refuse.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConfigurationScriptsTest {

  private static final SubjectRecord UNKNOWN = new SubjectRecord(ANN, 0, 0, null, List.of());

  private static final Author ANNA = new Author("anna", "admin");

  private final RedisFixture fixture = RedisFixture.open();
  private int documents;

  /** A document that none before was like. */
  private String another() {
    documents++;
    return last();
  }

  private String last() {
    return "{\"n\":" + documents + "}";
  }

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

  private Written putPlan(String name, @Nullable Long ifVersion) {
    return RedisFixture.get(store().putPlan(name, another(), ifVersion, ANNA));
  }

  private Written deletePlan(String name, @Nullable Long ifVersion) {
    return RedisFixture.get(store().deletePlan(name, ifVersion, ANNA));
  }

  private SubjectRecord record(SubjectId subject) {
    return RedisFixture.get(store().subject(subject));
  }

  private Written put(
      SubjectId subject, @Nullable SubjectId oldParent, @Nullable SubjectId parent) {
    SubjectId root = parent == null ? subject : parent;
    return RedisFixture.get(
        store()
            .putSubject(subject, record(subject), oldParent, another(), parent, root, null, ANNA));
  }

  private void assertRefuses(Result result, long version, Supplier<Written> call) {
    SortedMap<String, String> before = fixture.contents();
    assertEquals(new Written(result, version), call.get());
    assertEquals(before, fixture.contents());
  }

  /** The version of the first plan: the seconds since 1970. */
  private static final long FIRST = RedisFixture.NOW.getEpochSecond();

  @Test
  void aPlansVersionNeverComesTwice() {
    assertEquals(new Written(Result.DONE, FIRST), putPlan("free", 0L));
    assertEquals(new Written(Result.DONE, FIRST + 1), putPlan("free", null));
    assertEquals(new Written(Result.DONE, 0), deletePlan("free", FIRST + 1));
    assertEquals(new Written(Result.DONE, FIRST + 3), putPlan("free", 0L));
    assertEquals(FIRST + 3, RedisFixture.get(store().plansGeneration()));
  }

  /** Not even where a server has lost the last of them. */
  @Test
  void aPlansVersionIsAtLeastTheSecondsSince1970() {
    putPlan("free", null);
    fixture.clock().pin(RedisFixture.NOW.plusSeconds(60));
    assertEquals(new Written(Result.DONE, FIRST + 60), putPlan("free", null));
    fixture.clock().pin(RedisFixture.NOW);
    assertEquals(new Written(Result.DONE, FIRST + 61), putPlan("free", null));
  }

  @Test
  void aPlanOfAnotherVersionIsLeftAlone() {
    putPlan("free", null);
    assertRefuses(Result.VERSION_CONFLICT, FIRST, () -> putPlan("free", 0L));
    assertRefuses(Result.VERSION_CONFLICT, FIRST, () -> putPlan("free", FIRST + 1));
    assertRefuses(Result.VERSION_CONFLICT, 0, () -> putPlan("other", 1L));
    assertRefuses(Result.VERSION_CONFLICT, FIRST, () -> deletePlan("free", FIRST + 1));
    assertRefuses(Result.NOT_FOUND, 0, () -> deletePlan("other", null));
  }

  @Test
  void aPlanOfAFileIsTheFiles() {
    assertTrue(RedisFixture.get(store().importPlans(3, "basic", Map.of("basic", "{}"), ANNA)));
    assertRefuses(Result.MANAGED_BY_FILE, 0, () -> putPlan("basic", null));
    assertRefuses(Result.MANAGED_BY_FILE, 0, () -> putPlan("basic", 7L));
    assertRefuses(Result.MANAGED_BY_FILE, 0, () -> deletePlan("basic", null));
  }

  @Test
  void anOlderFileIsNotTakenOver() {
    putPlan("own", null);
    assertTrue(
        RedisFixture.get(
            store().importPlans(3, "basic", Map.of("basic", "{}", "gone", "{}"), ANNA)));
    SortedMap<String, String> before = fixture.contents();
    assertFalse(RedisFixture.get(store().importPlans(3, null, Map.of(), ANNA)));
    assertFalse(RedisFixture.get(store().importPlans(2, null, Map.of(), ANNA)));
    assertEquals(before, fixture.contents());
    assertTrue(RedisFixture.get(store().importPlans(4, "basic", Map.of("basic", "{}"), ANNA)));
    assertEquals(
        List.of("basic", "own"),
        RedisFixture.get(store().plans()).byName().keySet().stream().sorted().toList());
  }

  @Test
  void aSubjectsVersionNeverComesTwice() {
    assertEquals(new Written(Result.DONE, 1), put(ANN, null, null));
    assertEquals(new Written(Result.DONE, 2), put(ANN, null, null));
    RedisFixture.get(store().deleteSubject(ANN, record(ANN), null, ANNA));
    assertEquals(new SubjectRecord(ANN, -3, 1, null, List.of()), record(ANN));
    assertEquals(new Written(Result.DONE, 4), put(ANN, null, null));
  }

  @Test
  void aRecordThatWasReadTooEarlyIsNotWritten() {
    put(ANN, null, null);
    assertRefuses(
        Result.VERSION_CONFLICT,
        1,
        () ->
            RedisFixture.get(store().putSubject(ANN, UNKNOWN, null, "{}", null, ANN, null, ANNA)));
    assertRefuses(
        Result.VERSION_CONFLICT,
        0,
        () -> RedisFixture.get(store().deleteSubject(ANN, UNKNOWN, null, ANNA)));
  }

  @Test
  void aParentThatIsNotRegisteredTakesNobody() {
    assertRefuses(Result.NO_PARENT, 1, () -> put(ANN, null, TEAM));
  }

  @Test
  void aSubjectWithStateStaysWhereItIs() {
    put(TEAM, null, null);
    Calls.given(Calls.charge(now -> SampleTerms.ann(9L, now), 1)).accept(fixture);
    SortedMap<String, Stored> before = fixture.snapshot();
    assertEquals(Result.HAS_STATE, put(ANN, null, TEAM).result());
    before.forEach(
        (key, stored) -> {
          Stored now = fixture.snapshot().get(key);
          assertTrue(now != null && now.dump().equals(stored.dump()), key);
        });
    assertEquals(ANN, record(ANN).root());
  }

  @Test
  void aSubjectMovesFromRootToRootAndHomeAgain() {
    SubjectId other = new SubjectId("other");
    put(TEAM, null, null);
    put(other, null, null);
    assertEquals(Result.DONE, put(ANN, null, TEAM).result());
    assertEquals(TEAM, record(ANN).root());
    assertEquals(Result.DONE, put(ANN, TEAM, other).result());
    assertEquals(other, record(ANN).root());
    assertEquals(Result.DONE, put(ANN, other, TEAM).result());
    assertEquals(TEAM, record(ANN).root());
    assertEquals(Result.DONE, put(ANN, TEAM, null).result());
    assertEquals(ANN, record(ANN).root());
    assertEquals(last(), record(ANN).document());
    assertEquals(Result.DONE, put(ANN, null, TEAM).result());
    RedisFixture.get(store().deleteSubject(ANN, record(ANN), TEAM, ANNA));
    assertEquals(ANN, record(ANN).root());
    assertEquals(null, record(ANN).document());
    assertTrue(record(ANN).version() < 0);
  }

  /** A trail lies in the slot of the root that it was written under. */
  @Test
  void theRootsThatASubjectLayWithAreRemembered() {
    SubjectId other = new SubjectId("other");
    put(TEAM, null, null);
    put(other, null, null);
    assertEquals(List.of(), formerRoots());
    put(ANN, null, TEAM);
    put(ANN, TEAM, other);
    assertEquals(List.of(TEAM), formerRoots());
    put(ANN, other, TEAM);
    assertEquals(List.of(other), formerRoots());
    RedisFixture.get(store().deleteSubject(ANN, record(ANN), TEAM, ANNA));
    assertEquals(ANN, record(ANN).root());
    assertEquals(List.of(TEAM, other), formerRoots());
  }

  @Test
  void ofTheRootsThatASubjectLayWithTheLast32AreRemembered() {
    List<SubjectId> parents =
        IntStream.range(0, 40).mapToObj(n -> new SubjectId("parent" + n)).toList();
    @Nullable SubjectId before = null;
    for (SubjectId parent : parents) {
      put(parent, null, null);
      put(ANN, before, parent);
      before = parent;
    }
    assertEquals(parents.subList(7, 39).reversed(), formerRoots());
  }

  private List<SubjectId> formerRoots() {
    return RedisFixture.get(store().formerRoots(ANN));
  }

  /** Whoever reads a subject while it moves finds it where it was or where it goes. */
  @Test
  void aSubjectThatMovesIsNeverFoundNowhere() throws Exception {
    put(TEAM, null, null);
    put(ANN, null, null);
    AtomicBoolean moving = new AtomicBoolean(true);
    List<SubjectRecord> lost = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger reads = new AtomicInteger();
    List<Thread> readers =
        IntStream.range(0, 4)
            .mapToObj(
                n ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              while (moving.get()) {
                                SubjectRecord found = record(ANN);
                                reads.incrementAndGet();
                                if (found.document() == null) {
                                  lost.add(found);
                                }
                              }
                            }))
            .toList();
    for (int n = 0; n < 200; n++) {
      assertEquals(Result.DONE, put(ANN, null, TEAM).result());
      assertEquals(Result.DONE, put(ANN, TEAM, null).result());
    }
    moving.set(false);
    for (Thread reader : readers) {
      reader.join();
    }
    assertEquals(List.of(), lost);
    assertTrue(reads.get() > 400, () -> reads.get() + " reads");
  }

  @Test
  void aSubjectWithMembersIsNotDeleted() {
    put(TEAM, null, null);
    put(ANN, null, TEAM);
    assertEquals(TEAM, record(ANN).root());
    assertRefuses(
        Result.HAS_MEMBERS,
        0,
        () -> RedisFixture.get(store().deleteSubject(TEAM, record(TEAM), null, ANNA)));
    assertEquals(
        Result.DONE,
        RedisFixture.get(store().deleteSubject(ANN, record(ANN), TEAM, ANNA)).result());
    assertEquals(
        Result.DONE,
        RedisFixture.get(store().deleteSubject(TEAM, record(TEAM), null, ANNA)).result());
  }
}
