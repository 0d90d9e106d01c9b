package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.Calls.after;
import static dev.tidegate.store.redis.Calls.charge;
import static dev.tidegate.store.redis.Calls.given;
import static dev.tidegate.store.redis.Calls.read;
import static dev.tidegate.store.redis.Calls.reserve;
import static dev.tidegate.store.redis.SampleTerms.ANN;
import static dev.tidegate.store.redis.SampleTerms.TOKENS;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static dev.tidegate.store.redis.SampleTerms.fixed;
import static dev.tidegate.store.redis.SampleTerms.level;
import static dev.tidegate.store.redis.SampleTerms.scope;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.redis.Calls.ScopeAt;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong between the service and its scripts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScriptFaultsTest {

  static final ScopeAt ANN_100 = now -> ann(100L, now);
  static final ScopeAt SESSION =
      now -> scope(level(ANN, 0, SampleTerms.session(100L, Duration.ofHours(5))));

  private final RedisFixture fixture = RedisFixture.open();

  @AfterAll
  void close() {
    fixture.close();
  }

  private String view() {
    return ScriptRows.view(fixture, ANN_100.apply(fixture.now()));
  }

  @Test
  void h8AScriptThatRedisHasForgottenRunsOnce() {
    fixture.fresh();
    fixture.send(Command.SCRIPT, "FLUSH");
    given(charge(ANN_100, 40)).accept(fixture);
    assertEquals("40/0", view());
    given(charge(ANN_100, 1)).accept(fixture);
    assertEquals("41/0", view());
  }

  @TestFactory
  Stream<DynamicTest> h12AMalformedReplyIsAnErrorAndNotAnAnswer() {
    return Stream.of(
            "return nil",
            "return 7",
            "return 'STATE'",
            "return {}",
            "return {'STATE'}",
            "return {'STATE', 1}",
            "return {'STATE', 1, 0}",
            "return {'STATE', 1, 0, 'many'}",
            "return {'STATE', 1, 0, -1}",
            "return {'STATE', 1, 0, 1, 'ann', 0}",
            "return {'STATE', 'now', 0, 0}",
            "return {'state', 1, 0, 0}",
            "return {'HELD', 1, 0, 0}",
            "return {1, 1, 0}")
        .map(
            answer ->
                DynamicTest.dynamicTest(
                    answer,
                    () -> {
                      ScriptCatalogue changed =
                          ScriptCatalogue.load(
                              (file, text) -> file.equals("read_quota.lua") ? answer : text);
                      try (RedisFixture malformed = RedisFixture.open(changed)) {
                        StoreException refused =
                            assertThrows(
                                StoreException.class, () -> read(ANN_100).apply(malformed));
                        assertFalse(refused.isTransient());
                        assertTrue(
                            String.valueOf(refused.getMessage()).startsWith("read_quota.lua"));
                      }
                    }));
  }

  @Test
  void aCorruptRecordStopsTheCallBeforeItWrites() {
    fixture.fresh();
    given(charge(ANN_100, 1)).accept(fixture);
    String state = fixture.keyOf(ANN_100.apply(fixture.now()), "state");
    fixture.send(Command.HSET, state, "L:daily", "not a record");
    ScriptRows.assertChangesNothing(
        fixture,
        SESSION.apply(fixture.now()),
        () -> {
          StoreException refused =
              assertThrows(StoreException.class, () -> charge(ANN_100, 1).apply(fixture));
          assertFalse(refused.isTransient());
          String message = String.valueOf(refused.getMessage());
          assertTrue(message.contains("CORRUPT record: not a record"), message);
        });
  }

  @Test
  void anErrorInAScriptNamesTheLineOfTheSource() {
    fixture.fresh();
    String state = fixture.keyOf(ANN_100.apply(fixture.now()), "state");
    fixture.send(Command.SET, state, "no hash");
    StoreException refused =
        assertThrows(StoreException.class, () -> charge(ANN_100, 1).apply(fixture));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.matches("(?s)take_charge.lua: .*lib/level.lua:\\d+\\b.*"), message);
    assertFalse(message.contains("user_script"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"@user_script:1: oh", "@user_script: 1: oh", "oh, on @user_script:1."})
  void everyWayToNameALineIsUnderstood(String message) {
    ScriptCatalogue.Source source = ScriptCatalogue.load().source(Script.TAKE_CHARGE);
    assertEquals(
        message.replaceFirst("user_script: ?1", "take_charge.lua:1"), source.locate(message));
    String beyond = message.replace("1", "99999");
    assertEquals(beyond, source.locate(beyond));
  }

  /** More closed periods change at once than Lua can hand over to one command. */
  @Test
  void leasesOfThousandsOfPeriodsLapseAtOnce() {
    fixture.fresh();
    int limits = 10;
    int leases = 450;
    ScopeAt bySecond =
        now ->
            scope(
                level(
                    ANN,
                    0,
                    IntStream.range(0, limits)
                        .mapToObj(n -> fixed("l" + n, TOKENS, 9L, Duration.ofSeconds(1), now))
                        .toArray(LimitTerms[]::new)));
    for (int n = 1; n <= leases; n++) {
      given(reserve(bySecond, n, 1, Duration.ofHours(3), null), after(1_000)).accept(fixture);
    }
    fixture.at(fixture.now().plus(Duration.ofHours(4)));
    given(charge(bySecond, 5)).accept(fixture);
    assertEquals(leases, fixture.swept());
    String view = ScriptRows.view(fixture, bySecond.apply(fixture.now()));
    assertTrue(view.startsWith("5/0 5/0") && view.contains(", closed 0/0"), view);
  }
}
