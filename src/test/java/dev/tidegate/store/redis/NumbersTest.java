package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.Calls.charge;
import static dev.tidegate.store.redis.Calls.given;
import static dev.tidegate.store.redis.Calls.reserve;
import static dev.tidegate.store.redis.Calls.settle;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.Amounts;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.redis.Calls.ScopeAt;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
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
