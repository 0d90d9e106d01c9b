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

  private static final long LAST_INSTANT = 253_402_300_799_999L;
  private static final long FIRST_INSTANT = -62_135_596_800_000L;
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

  /**
   * The range of an argument.
   *
   * @param name as the script calls it
   * @param at index in the arguments
   */
  private record Range(String name, int at, long min, long max) {}

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
    List<String> plans = List.of(fixture.keys().plans());
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
          metered(
              script,
              granting,
              level,
              granted(begin)
                  .add("daily")
                  .add(1)
                  .add(1)
                  .add(false)
                  .add(SampleTerms.MIDNIGHT.minus(SampleTerms.DAY))
                  .add(SampleTerms.MIDNIGHT)
                  .add(SampleTerms.MIDNIGHT)
                  .add(SampleTerms.MIDNIGHT.plus(SampleTerms.DAY)),
              scope);
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
      case PUT_PLAN -> plain(script, plans, begin.add("changes").add("free").add(-1).add("{}"));
      case DELETE_PLAN -> plain(script, plans, begin.add("changes").add("free").add(-1));
      case IMPORT_PLANS -> plain(script, plans, begin.add("changes").add(1).add("").add(0));
      case PUT_SUBJECT ->
          plain(
              script,
              subjectKeys(6),
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
                  .add(""));
      case DELETE_SUBJECT ->
          plain(
              script,
              subjectKeys(4),
              begin.add("ann").add("0").add(1).add(false).add(false).add(minute).add(""));
      case POINT_SUBJECT -> plain(script, subjectKeys(1), begin.add("0").add("team"));
    };
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

  private static List<Range> ranges(Call call) {
    List<Range> ranges = new ArrayList<>();
    ranges.add(new Range("now_ms", 0, 0, LAST_INSTANT));
    ranges.addAll(
        switch (call.script()) {
          case TAKE_RESERVATION ->
              List.of(
                  new Range("ttl_ms", 2, 1000, DAY_MILLIS),
                  new Range("dry_run", 3, 0, 1),
                  new Range("meters", 5, 0, 64),
                  new Range("amount of tokens", 7, 0, Amounts.MAX));
          case SETTLE_RESERVATION ->
              List.of(
                  new Range("use_held", 2, 0, 1),
                  new Range("meters", 4, 0, 64),
                  new Range("amount of tokens", 6, 0, Amounts.MAX),
                  new Range("fed meters", 7, 0, 64),
                  new Range("categories", 9, 0, 64),
                  new Range("units", 11, 0, Amounts.MAX),
                  new Range("weighted", 12, 0, Amounts.MAX),
                  new Range("millionths", 13, 0, 999_999));
          case EXTEND_RESERVATION -> List.of(new Range("ttl_ms", 2, 1000, DAY_MILLIS));
          case TAKE_CHARGE ->
              List.of(
                  new Range("kept_ms", 1, 1000, 2 * DAY_MILLIS),
                  new Range("meters", 3, 0, 64),
                  new Range("amount of tokens", 5, 0, Amounts.MAX),
                  new Range("fed meters", 6, 0, 64),
                  new Range("categories", 8, 0, 64),
                  new Range("units", 10, 0, Amounts.MAX),
                  new Range("weighted", 11, 0, Amounts.MAX),
                  new Range("millionths", 12, 0, 999_999));
          case ADD_PURCHASE ->
              ofGrant(
                  new Range("limits to top up", 9, 1, 64),
                  new Range("amount of daily", 11, 1, Amounts.MAX));
          case ADD_EMERGENCY ->
              ofGrant(
                  new Range("amount", 10, 1, Amounts.MAX),
                  new Range("max", 11, 1, 10_000),
                  new Range("per_day", 12, 0, 1),
                  new Range("day start", 13, FIRST_INSTANT, LAST_INSTANT),
                  new Range("day end", 14, FIRST_INSTANT, LAST_INSTANT));
          case RESET_LIMITS -> ofGrant(new Range("limits to reset", 9, 0, 64));
          case RESTART_LIMITS ->
              ofGrant(
                  new Range("anchor", 9, FIRST_INSTANT, LAST_INSTANT),
                  new Range("limits to restart", 10, 0, 64),
                  new Range("period end", 12, FIRST_INSTANT, LAST_INSTANT),
                  new Range("period ordinal", 13, -Amounts.MAX, Amounts.MAX),
                  new Range("max", 14, 0, 10_000),
                  new Range("per_days", 15, 1, 366));
          case READ_AUDIT ->
              List.of(
                  new Range("audit_kept_ms", 1, DAY_MILLIS, Amounts.MAX),
                  new Range("count", 3, 1, 1000));
          case PUT_PLAN, DELETE_PLAN -> List.of(new Range("if_version", 3, -1, Amounts.MAX));
          case IMPORT_PLANS ->
              List.of(new Range("revision", 2, 1, Amounts.MAX), new Range("plans", 4, 0, 1000));
          case PUT_SUBJECT ->
              List.of(
                  new Range("version", 3, 1, Amounts.MAX),
                  new Range("incarnation", 4, 0, Amounts.MAX),
                  new Range("moves", 6, 0, 1),
                  new Range("new_parent", 7, 0, 1),
                  new Range("old_parent", 8, 0, 1),
                  new Range("keeps_pointer", 9, 0, 1));
          case DELETE_SUBJECT ->
              List.of(
                  new Range("incarnation", 3, 0, Amounts.MAX),
                  new Range("moves", 4, 0, 1),
                  new Range("parent", 5, 0, 1),
                  new Range("kept_ms", 6, 1000, 2 * DAY_MILLIS));
          case POINT_SUBJECT,
              RELEASE_RESERVATION,
              READ_QUOTA,
              READ_PERIODS,
              READ_RESERVATION,
              READ_REPLAY ->
              List.of();
        });
    if (call.rest() >= 0) {
      int at = call.rest();
      ranges.addAll(
          List.of(
              new Range("plans", at, 0, Amounts.MAX),
              new Range("levels", at + 1, 1, 3),
              new Range("max_holds", at + 6, 1, 1_000_000),
              new Range("history_kept", at + 7, 1, 1_000_000),
              new Range("limits", at + 8, 0, 64),
              new Range("limit", at + 12, 0, Amounts.MAX),
              new Range("deferrals", at + 14, 0, 16),
              new Range("deferral", at + 15, FIRST_INSTANT, LAST_INSTANT),
              new Range("limit before", at + 16, 0, Amounts.MAX),
              new Range("period start", at + 17, FIRST_INSTANT, LAST_INSTANT),
              new Range("period end", at + 18, FIRST_INSTANT, LAST_INSTANT),
              new Range("period ordinal", at + 19, -Amounts.MAX, Amounts.MAX),
              new Range("anchor", at + 23, FIRST_INSTANT, LAST_INSTANT)));
    }
    return ranges;
  }

  private static List<Range> ofGrant(Range... more) {
    List<Range> ranges = new ArrayList<>(List.of(more));
    ranges.add(new Range("if_version", 3, -1, Amounts.MAX));
    ranges.add(new Range("audit_kept_ms", 7, DAY_MILLIS, Amounts.MAX));
    ranges.add(new Range("audit_kept", 8, 1, 1_000_000));
    return ranges;
  }

  @TestFactory
  Stream<DynamicTest> ranges() {
    return Stream.of(Script.values())
        .flatMap(
            script ->
                ranges(call(script)).stream()
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
      RedisFixture.get(fixture.scripts().run(call.script(), call.keys(), call.arguments()));
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
                        for (Range range : ranges(call(script))) {
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
