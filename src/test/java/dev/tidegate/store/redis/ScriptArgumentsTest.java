package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.SampleTerms.ANN;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static dev.tidegate.store.redis.SampleTerms.level;
import static dev.tidegate.store.redis.SampleTerms.scope;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Breakdown;
import dev.tidegate.domain.CategoryUse;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.Scope;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.redis.ScriptRanges.Range;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Every number that a script is given, at both ends of its range; an error is raised before
 * anything is written.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScriptArgumentsTest {

  private static final long DAY_MILLIS = 86_400_000;
  private static final long LONGEST_MILLIS = 366 * DAY_MILLIS;
  private static final ReservationId ID = new ReservationId("reservation00001", ANN);

  private static final Breakdown BREAKDOWN =
      new Breakdown(
          new TreeMap<>(
              Map.of(
                  "tokens",
                  new TreeMap<>(Map.of("text", new CategoryUse(3, new BigDecimal("1.5")))))));

  private final RedisFixture fixture = RedisFixture.open();

  @AfterAll
  void close() {
    fixture.close();
  }

  /** The arguments that may also be nothing. */
  private static final Set<String> AMOUNTS_OR_NONE = Set.of("limit", "limit before");

  /**
   * A call that a script accepts.
   *
   * @param rest how many arguments stand before the levels; -1 = there are none
   */
  private record Call(Script script, List<String> keys, List<String> arguments, int rest) {}

  private Call call(Script script) {
    return call(script, ann(100L, RedisFixture.NOW));
  }

  private Call call(Script script, Scope scope) {
    Amounts amounts = SampleTerms.tokens(1);
    List<String> level = fixture.keys().ofLevel(ANN, scope.subject(), scope.resource());
    String record = fixture.keys().reservation(ID);
    String key = fixture.keys().idempotency(ANN, ANN, 0, "k");
    List<String> pair = List.of(record, key);
    String trail = fixture.keys().audit(ANN, ANN);
    List<String> granting = List.of(key, trail);
    Amounts daily = Amounts.of("daily", 1);
    List<String> plans = List.of(fixture.keys().plans(), fixture.keys().planTrail());
    Duration minute = SampleTerms.MINUTE;
    Arguments begin = new Arguments().add(RedisFixture.NOW.toEpochMilli());
    return switch (script) {
      case TAKE_RESERVATION ->
          metered(
              script,
              pair,
              level,
              begin.add(ID.token()).add(minute).add(false).add("").add(amounts),
              scope);
      case SETTLE_RESERVATION ->
          metered(
              script,
              pair,
              level,
              begin.add(ID.token()).add(false).add("").add(amounts).add(BREAKDOWN),
              scope);
      case RELEASE_RESERVATION ->
          metered(script, pair, level, begin.add(ID.token()).add(""), scope);
      case EXTEND_RESERVATION ->
          metered(script, pair, level, begin.add(ID.token()).add(minute).add(""), scope);
      case TAKE_CHARGE ->
          metered(
              script,
              List.of(key),
              level,
              begin.add(minute).add("").add(amounts).add(BREAKDOWN),
              scope);
      case READ_QUOTA, READ_PERIODS -> metered(script, List.of(), level, begin, scope);
      case READ_RESERVATION ->
          plain(script, List.of(record, level.get(1)), begin.add("ann").add("claude"));
      case READ_REPLAY -> plain(script, List.of(key), begin.add("fingerprint"));
      case ADD_PURCHASE -> metered(script, granting, level, granted(begin).add(daily), scope);
      case ADD_EMERGENCY ->
          metered(script, granting, level, granted(begin).add("daily").add(1), scope);
      case RESET_LIMITS ->
          metered(script, granting, level, granted(begin).add(1).add("daily"), scope);
      case RESTART_LIMITS ->
          metered(
              script,
              granting,
              level,
              granted(begin)
                  .add(RedisFixture.NOW)
                  .add(1)
                  .add("daily")
                  .add(RedisFixture.NOW.plus(SampleTerms.DAY))
                  .add(0)
                  .add(1)
                  .add(30),
              scope);
      case READ_AUDIT ->
          plain(script, List.of(trail), begin.add(SampleTerms.DAY).add("").add(1).add("a").add(""));
      case READ_CHANGES ->
          plain(script, List.of(trail), begin.add(SampleTerms.DAY).add("").add(1).add("free"));
      case PUT_PLAN -> plain(script, plans, by(begin.add("changes").add("free").add(-1).add("{}")));
      case DELETE_PLAN -> plain(script, plans, by(begin.add("changes").add("free").add(-1)));
      case IMPORT_PLANS -> plain(script, plans, by(begin.add("changes").add(1).add("").add(0)));
      case PUT_SUBJECT ->
          plain(
              script,
              subjectKeys(7),
              by(
                  begin
                      .add("ann")
                      .add("0")
                      .add(1)
                      .add(0)
                      .add("{}")
                      .add(false)
                      .add(false)
                      .add(false)
                      .add(false)
                      .add("")
                      .add("")
                      .add(true)));
      case DELETE_SUBJECT ->
          plain(
              script,
              subjectKeys(5),
              by(
                  begin
                      .add("ann")
                      .add("0")
                      .add(1)
                      .add(false)
                      .add(false)
                      .add(minute)
                      .add("")
                      .add("delete")
                      .add(0)
                      .add("")));
      case POINT_SUBJECT -> plain(script, subjectKeys(1), begin.add("0").add("team"));
    };
  }

  /** What every change of the configuration ends with. */
  private static Arguments by(Arguments arguments) {
    return arguments.add("anna").add("admin").add(SampleTerms.DAY).add(1);
  }

  /** What every grant comes with, up to the arguments of its own. */
  private static Arguments granted(Arguments begin) {
    return begin
        .add("")
        .add("")
        .add(-1)
        .add("olga")
        .add("operator")
        .add("")
        .add(SampleTerms.DAY)
        .add(1);
  }

  private List<String> subjectKeys(int count) {
    List<String> all = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      all.add(fixture.keys().subject(ANN, ANN) + n);
    }
    return all;
  }

  private static Call metered(
      Script script, List<String> first, List<String> level, Arguments begin, Scope scope) {
    List<String> keys = new ArrayList<>(first);
    keys.addAll(level);
    int rest = begin.values().size();
    return new Call(script, keys, begin.add(scope, RedisFixture.HISTORY_KEPT).values(), rest);
  }

  private static Call plain(Script script, List<String> keys, Arguments arguments) {
    return new Call(script, keys, arguments.values(), -1);
  }

  @TestFactory
  Stream<DynamicTest> ranges() {
    return Stream.of(Script.values())
        .flatMap(
            script ->
                ScriptRanges.of(script, call(script).rest()).stream()
                    .map(
                        range ->
                            DynamicTest.dynamicTest(
                                script.file() + " " + range.name(),
                                () -> check(() -> call(script), range))));
  }

  @TestFactory
  Stream<DynamicTest> rangesOfBuckets() {
    return rangesOf(
        scope(level(ANN, 0, SampleTerms.bucket(100, 60))),
        List.of(
            at -> new Range("limit", at + 12, 0, Amounts.MAX),
            at -> new Range("refill", at + 14, 1, Amounts.MAX),
            at -> new Range("interval", at + 15, 1000, LONGEST_MILLIS)));
  }

  @TestFactory
  Stream<DynamicTest> rangesOfSlidingBudgets() {
    return rangesOf(
        scope(level(ANN, 0, SampleTerms.sliding(100L, 6))),
        List.of(
            at -> new Range("limit", at + 12, 0, Amounts.MAX),
            at -> new Range("window", at + 14, 1000, LONGEST_MILLIS),
            at -> new Range("buckets", at + 15, 1, 60)));
  }

  private Stream<DynamicTest> rangesOf(Scope scope, List<IntFunction<Range>> ranges) {
    return Stream.of(Script.values())
        .map(script -> call(script, scope))
        .filter(call -> call.rest() >= 0)
        .flatMap(
            call ->
                ranges.stream()
                    .map(range -> range.apply(call.rest()))
                    .map(
                        range ->
                            DynamicTest.dynamicTest(
                                call.script().file() + " " + range.name(),
                                () -> check(() -> call(call.script(), scope), range))));
  }

  private void check(Supplier<Call> call, Range range) {
    assertRefused(call, range, range.min() - 1);
    assertTaken(call, range, range.min());
    assertTaken(call, range, range.max());
    assertRefused(call, range, range.max() + 1);
  }

  private void assertRefused(Supplier<Call> call, Range range, long value) {
    fixture.fresh();
    String error = run(with(call.get(), range.at(), Long.toString(value)));
    assertTrue(
        error.contains("ARGUMENT " + (range.at() + 1) + " (" + range.name() + ") is out of range"),
        () -> value + ": " + error);
    assertEquals(0, fixture.snapshot().size());
  }

  private void assertTaken(Supplier<Call> call, Range range, long value) {
    fixture.fresh();
    String error = run(with(call.get(), range.at(), Long.toString(value)));
    assertFalse(error.contains("(" + range.name() + ")"), () -> value + ": " + error);
  }

  private static Call with(Call call, int at, String value) {
    List<String> arguments = new ArrayList<>(call.arguments());
    arguments.set(at, value);
    return new Call(call.script(), call.keys(), arguments, call.rest());
  }

  /** The error of a call, or the empty text. */
  private String run(Call call) {
    try {
      Arguments arguments = new Arguments();
      call.arguments().forEach(arguments::add);
      RedisFixture.get(fixture.scripts().run(call.script(), call.keys(), arguments));
      return "";
    } catch (StoreException raised) {
      assertFalse(raised.isTransient(), raised.getMessage());
      return String.valueOf(raised.getMessage());
    }
  }

  @TestFactory
  Stream<DynamicTest> oneTooFewAndOneTooMany() {
    return Stream.of(Script.values())
        .map(
            script ->
                DynamicTest.dynamicTest(
                    script.file(),
                    () -> {
                      fixture.fresh();
                      Call call = call(script);
                      List<String> less = new ArrayList<>(call.arguments());
                      less.removeLast();
                      assertTrue(
                          run(new Call(script, call.keys(), less, -1)).contains("is missing"));
                      List<String> more = new ArrayList<>(call.arguments());
                      more.add("0");
                      assertTrue(
                          run(new Call(script, call.keys(), more, -1)).contains("is one too many"));
                      assertEquals(0, fixture.snapshot().size());
                      assertEquals("", run(call));
                    }));
  }

  @TestFactory
  Stream<DynamicTest> whatIsNoNumber() {
    return Stream.of("", "nan", "inf", "0x10", "1e3", " 5 ", "-0", "007", "+1", "1.0", "1.5")
        .map(
            word ->
                DynamicTest.dynamicTest(
                    "'" + word + "'",
                    () -> {
                      fixture.fresh();
                      for (Script script : Script.values()) {
                        for (Range range : ScriptRanges.of(script, call(script).rest())) {
                          boolean none = word.isEmpty() && AMOUNTS_OR_NONE.contains(range.name());
                          String error = run(with(call(script), range.at(), word));
                          String expected = "(" + range.name() + ") is not a whole number";
                          assertTrue(none || error.contains(expected), () -> script + error);
                        }
                      }
                      fixture.snapshot().keySet().forEach(key -> assertTrue(word.isEmpty(), key));
                    }));
  }

  @TestFactory
  Stream<DynamicTest> whatSpendsNamesTheRecordThatItWasDecidedWith() {
    return Stream.of(Script.TAKE_RESERVATION, Script.TAKE_CHARGE, Script.READ_QUOTA)
        .map(
            script ->
                DynamicTest.dynamicTest(
                    script.file(),
                    () -> {
                      fixture.fresh();
                      Call call = call(script);
                      String error = run(with(call, call.rest() + 3, "*"));
                      boolean reads = script == Script.READ_QUOTA;
                      assertEquals(reads, !error.contains("record_version"), error);
                      assertEquals(0, fixture.snapshot().size());
                    }));
  }

  @TestFactory
  Stream<DynamicTest> anUnknownKindAndAMissingAmount() {
    return Stream.of(Script.TAKE_RESERVATION, Script.TAKE_CHARGE)
        .map(
            script ->
                DynamicTest.dynamicTest(
                    script.file(),
                    () -> {
                      fixture.fresh();
                      Call call = call(script);
                      assertTrue(
                          run(with(call, call.rest() + 9, "bucket")).contains("kind bucket"));
                      assertTrue(
                          run(with(call, call.rest() + 11, "cents")).contains("amount of cents"));
                      assertEquals(0, fixture.snapshot().size());
                    }));
  }
}
