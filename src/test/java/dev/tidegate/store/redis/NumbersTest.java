package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.Calls.charge;
import static dev.tidegate.store.redis.Calls.given;
import static dev.tidegate.store.redis.Calls.reserve;
import static dev.tidegate.store.redis.Calls.settle;
import static dev.tidegate.store.redis.SampleTerms.ANN;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static dev.tidegate.store.redis.SampleTerms.bucket;
import static dev.tidegate.store.redis.SampleTerms.level;
import static dev.tidegate.store.redis.SampleTerms.scope;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.Amounts;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.redis.Calls.ScopeAt;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Redis and its Lua do to numbers, each fact beside what we do about it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NumbersTest {

  private static final List<String> NONE = List.of();
  private static final List<String> ARGS = List.of("args");
  static final ScopeAt UNLIMITED = now -> ann(null, now);

  private final RedisFixture fixture = RedisFixture.open();

  @BeforeEach
  void fresh() {
    fixture.fresh();
  }

  @AfterAll
  void close() {
    fixture.close();
  }

  private String lua(String text, List<String> fragments, String... arguments) {
    return String.valueOf(fixture.eval(text, fragments, arguments));
  }

  private static Response present(@Nullable Response response) {
    if (response == null) {
      throw new AssertionError("no answer");
    }
    return response;
  }

  @Test
  void aDoubleIsExactTo2To53() {
    assertEquals(
        "9007199254740992", lua("return string.format('%.0f', 9007199254740992 + 1)", NONE));
  }

  @Test
  void amountsAreCappedBelow2To53InJavaAndInLua() {
    assertEquals(Long.toString(Amounts.MAX), lua("return args.text_of(args.MAX)", ARGS));
    assertEquals("ok", lua("args.reader(ARGV).amount('a') return 'ok'", ARGS, "9007199254740991"));
    assertThrows(
        IllegalStateException.class,
        () -> lua("args.reader(ARGV).amount('a')", ARGS, "9007199254740992"));
    assertThrows(IllegalArgumentException.class, () -> SampleTerms.tokens(Amounts.MAX + 1));
  }

  @Test
  void aLargeNumberPrintsWithAnExponent() {
    assertEquals("1e+14", lua("return tostring(1e14)", NONE));
    assertEquals("1e+14", lua("return 1e14 .. ''", NONE));
  }

  @Test
  void ourTextOfALargeNumberHasNoExponent() {
    assertEquals("100000000000000", lua("return args.text_of(1e14)", ARGS));
  }

  @Test
  void f6ALargeNumberComesOutOfLuaInDigits() {
    long large = 100_000_000_000_000L;
    given(charge(UNLIMITED, large)).accept(fixture);
    assertTrue(
        Calls.read(UNLIMITED).apply(fixture) instanceof Outcome.Quota quota
            && quota.state().levels().getFirst().limits().getFirst().used() == large);
    String state = fixture.keyOf(UNLIMITED.apply(fixture.now()), "state");
    assertFalse(fixture.text(Command.HGETALL, state).contains("e+"));
  }

  @Test
  void aNegativeZeroIsWrittenAsSuch() {
    String zero = "local zero = 0 * tonumber('-1') ";
    assertEquals("-0", lua(zero + "return tostring(zero)", NONE));
    assertThrows(
        IllegalStateException.class,
        () -> lua(zero + "return redis.call('HINCRBY', KEYS[1], 'f', zero)", NONE));
  }

  @Test
  void ourTextOfANegativeZeroIsZero() {
    assertEquals("0", lua("return args.text_of(0 * tonumber('-1'))", ARGS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nan", "inf", "0x10", "1e3", " 5 ", "-0", "007"})
  void tonumberTakesWhatIsNoNumberOfOurs(String word) {
    assertEquals("number", lua("return type(tonumber(ARGV[1]))", NONE, word));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nan",
        "inf",
        "-inf",
        "0x10",
        "1e3",
        " 5 ",
        "-0",
        "007",
        "+5",
        "5.0",
        "5.5",
        "9007199254740992",
        "9007199254740993",
        "99999999999999999999"
      })
  void theStrictReaderRefusesThem(String word) {
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> lua("return args.reader(ARGV).amount('cost')", ARGS, word));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("ARGUMENT 1 (cost)"), refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "7", "9007199254740991"})
  void theStrictReaderTakesWholeNumbers(String word) {
    assertEquals(word, lua("return args.text_of(args.reader(ARGV).amount('cost'))", ARGS, word));
  }

  @Test
  void f7AReplyTruncatesFloats() {
    assertEquals(3, present(fixture.eval("return 3.7", NONE)).toLong());
  }

  @Test
  void aReplyEndsAtTheFirstNil() {
    assertEquals(1, present(fixture.eval("return {1, nil, 3}", NONE)).size());
  }

  @Test
  void aReplyIsExactUpToTheGreatestAmount() {
    Response reply = present(fixture.eval("return {9007199254740991, -9007199254740991}", NONE));
    assertEquals(Amounts.MAX, reply.get(0).toLong());
    assertEquals(-Amounts.MAX, reply.get(1).toLong());
  }

  @Test
  void aPackedNumberIsExactUpToTheGreatestAmount() {
    assertEquals(
        "9007199254740991",
        lua(
            "return string.format('%.0f', cmsgpack.unpack(cmsgpack.pack({9007199254740991}))[1])",
            NONE));
  }

  @Test
  void theGreatestAmountIsKeptThroughReserveSettleAndRead() {
    given(reserve(UNLIMITED, 1, Amounts.MAX)).accept(fixture);
    assertEquals("0/" + Amounts.MAX, ScriptRows.view(fixture, UNLIMITED.apply(fixture.now())));
    given(settle(UNLIMITED, 1, Amounts.MAX)).accept(fixture);
    assertEquals(Amounts.MAX + "/0", ScriptRows.view(fixture, UNLIMITED.apply(fixture.now())));
  }

  /** Factors of every size, with the greatest that the scripts multiply. */
  static Stream<List<Long>> factors() {
    Random random = new Random(53);
    long longest = Duration.ofDays(366).toMillis();
    Stream<List<Long>> extremes =
        Stream.of(
            List.of(Amounts.MAX, longest, longest),
            List.of(Amounts.MAX, longest - 1, longest),
            List.of(Amounts.MAX, 1L, longest),
            List.of(Amounts.MAX, (1L << 44) - 1, 1L << 44),
            List.of(Amounts.MAX - 1, 999L, 1000L),
            List.of(0L, 5L, 7L),
            List.of(5L, 0L, 7L));
    Stream<List<Long>> samples =
        Stream.generate(
                () -> {
                  long c = 1 + random.nextLong(1L << (1 + random.nextInt(44)));
                  long a = random.nextLong(1L << (1 + random.nextInt(53)));
                  return List.of(a, random.nextLong(c + 1), c);
                })
            .limit(300);
    return Stream.concat(extremes, samples);
  }

  @Test
  void aProductOfTwoGreatNumbersIsDividedExactly() {
    List<String> arguments = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    factors()
        .forEach(
            abc -> {
              abc.forEach(number -> arguments.add(number.toString()));
              BigInteger[] quotient =
                  BigInteger.valueOf(abc.get(0))
                      .multiply(BigInteger.valueOf(abc.get(1)))
                      .divideAndRemainder(BigInteger.valueOf(abc.get(2)));
              expected.add(quotient[0] + " " + quotient[1]);
            });
    String text =
        """
        local out = {}
        for n = 1, #ARGV, 3 do
          local q, r = exact.muldiv(tonumber(ARGV[n]), tonumber(ARGV[n + 1]), tonumber(ARGV[n + 2]))
          out[#out + 1] = string.format('%.0f %.0f', q, r)
        end
        return table.concat(out, ',')
        """;
    String actual = lua(text, List.of("args", "exact"), arguments.toArray(String[]::new));
    assertEquals(String.join("\n", expected), actual.replace(',', '\n'));
  }

  /** Capacity, refill and interval in milliseconds. */
  static Stream<List<Long>> buckets() {
    long longest = Duration.ofDays(366).toMillis();
    return Stream.of(
        List.of(Amounts.MAX, Amounts.MAX, longest),
        List.of(Amounts.MAX, Amounts.MAX, 1000L),
        List.of(Amounts.MAX, Amounts.MAX - 2, 1001L),
        List.of(Amounts.MAX, 1L, longest),
        List.of(Amounts.MAX, 7_777_777_777L, 123_456_789L),
        List.of(1L, 1L, longest),
        List.of(1L, 3L, 1_000_003L),
        List.of(1000L, 999_999_999_999L, longest - 1));
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void aBucketDripsExactlyHoweverLongItStands(List<Long> terms) {
    long capacity = terms.get(0);
    Duration interval = Duration.ofMillis(terms.get(2));
    ScopeAt one = now -> scope(level(ANN, 0, bucket(capacity, terms.get(1), interval)));
    given(charge(one, capacity)).accept(fixture);
    Instant begin = fixture.now();
    long tenYears = Duration.ofDays(3653).toMillis();
    for (long elapsed :
        new long[] {1, 2, 3, 333, 999, 1000, 1001, 86_400_000, 1_234_567_891_011L / 4, tenYears}) {
      fixture.at(begin.plusMillis(elapsed));
      long dripped =
          BigInteger.valueOf(terms.get(1))
              .multiply(BigInteger.valueOf(elapsed))
              .divide(BigInteger.valueOf(terms.get(2)))
              .min(BigInteger.valueOf(capacity))
              .longValueExact();
      assertEquals(
          capacity - dripped + "/0",
          ScriptRows.view(fixture, one.apply(fixture.now())),
          "after " + elapsed);
    }
  }

  @Test
  void aBucketThatIsWrittenInEachMillisecondLosesNoFraction() {
    ScopeAt slow = now -> scope(level(ANN, 0, bucket(5, 1, Duration.ofMillis(1009))));
    given(charge(slow, 5)).accept(fixture);
    Instant begin = fixture.now();
    for (int millis = 1; millis <= 2018; millis++) {
      fixture.at(begin.plusMillis(millis));
      given(charge(slow, 0)).accept(fixture);
    }
    assertEquals("3/0", ScriptRows.view(fixture, slow.apply(fixture.now())));
    fixture.at(begin.plusMillis(2017));
    given(charge(slow, 2)).accept(fixture);
    assertEquals("5/0", ScriptRows.view(fixture, slow.apply(fixture.now())));
  }

  @Test
  void theGreatestAmountsGoThroughABucketAndItsDebt() {
    ScopeAt great = now -> scope(level(ANN, 0, bucket(Amounts.MAX, 1, SampleTerms.MINUTE)));
    given(reserve(great, 1, Amounts.MAX)).accept(fixture);
    assertEquals(Amounts.MAX + "/0", ScriptRows.view(fixture, great.apply(fixture.now())));
    given(settle(great, 1, 0)).accept(fixture);
    assertEquals("0/0", ScriptRows.view(fixture, great.apply(fixture.now())));
    ScopeAt small = now -> scope(level(ANN, 0, bucket(1, 1, SampleTerms.MINUTE)));
    given(reserve(small, 2, 1), settle(small, 2, Amounts.MAX)).accept(fixture);
    assertEquals(Amounts.MAX + "/0", ScriptRows.view(fixture, small.apply(fixture.now())));
    assertEquals(Amounts.MAX + "/0", ScriptRows.view(fixture, great.apply(fixture.now())));
  }

  /** Window in milliseconds and buckets. */
  static Stream<List<Long>> windows() {
    long longest = Duration.ofDays(366).toMillis();
    return Stream.of(
        List.of(1000L, 1L),
        List.of(1000L, 60L),
        List.of(1001L, 7L),
        List.of(60_000L, 6L),
        List.of(longest, 1L),
        List.of(longest, 59L));
  }

  @ParameterizedTest
  @MethodSource("windows")
  void theGreatestAmountDecaysExactly(List<Long> terms) {
    long window = terms.get(0);
    long buckets = terms.get(1);
    ScopeAt one =
        now ->
            scope(
                level(
                    ANN,
                    0,
                    SampleTerms.sliding(Amounts.MAX, Duration.ofMillis(window), (int) buckets)));
    given(charge(one, Amounts.MAX)).accept(fixture);
    long begin = fixture.now().toEpochMilli();
    Random random = new Random(window);
    for (int n = 0; n < 40; n++) {
      long at = begin + random.nextLong(2 * window);
      fixture.at(Instant.ofEpochMilli(at));
      assertEquals(
          decayed(begin, at, window, buckets) + "/0",
          ScriptRows.view(fixture, one.apply(fixture.now())),
          "after " + (at - begin));
    }
  }

  private static long decayed(long begin, long at, long window, long buckets) {
    long passed = at * buckets / window - begin * buckets / window;
    if (passed < buckets) {
      return Amounts.MAX;
    }
    if (passed > buckets) {
      return 0;
    }
    long left = window - at * buckets % window;
    return BigInteger.valueOf(Amounts.MAX)
        .multiply(BigInteger.valueOf(left))
        .add(BigInteger.valueOf(window - 1))
        .divide(BigInteger.valueOf(window))
        .longValueExact();
  }

  @Test
  void aScriptThatFailsAfterAWriteDoesNotRollBack() {
    assertThrows(
        IllegalStateException.class,
        () -> lua("redis.call('SET', KEYS[1], 'written') error('too late')", NONE));
    assertEquals(1, fixture.snapshot().size());
  }

  @Test
  void argumentsAreStrings() {
    assertEquals("no", lua("return 1 == ARGV[1] and 'yes' or 'no'", NONE, "1"));
    assertEquals(
        "yes", lua("return 1 == args.reader(ARGV).amount('a') and 'yes' or 'no'", ARGS, "1"));
  }

  @Test
  void anIncrementBeyond2To53IsStoredExactlyAndReadBackRounded() {
    String rounded =
        lua(
            "redis.call('HSET', KEYS[1], 'f', '9007199254740992')"
                + " return string.format('%.0f', redis.call('HINCRBY', KEYS[1], 'f', 1))",
            NONE);
    assertEquals("9007199254740992", rounded);
    assertEquals("9007199254740993", fixture.text(Command.HGET, fixture.prefix() + ":eval", "f"));
  }
}
