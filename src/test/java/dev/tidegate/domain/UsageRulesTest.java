package dev.tidegate.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.UsageRules.Tier;
import dev.tidegate.domain.UsageRules.TooMuch;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How usage by category turns into billed amounts. */
class UsageRulesTest {

  private static final UsageRules CLAUDE =
      new UsageRules(
          Map.of(
              "tokens",
              Map.of(
                  "cache_miss_input", new BigDecimal("1"),
                  "cache_hit_input", new BigDecimal("0.1"),
                  "reasoning_output", new BigDecimal("5"),
                  "final_output", new BigDecimal("5"))),
          List.of(
              new Tier(
                  200_000,
                  Map.of(
                      "cache_miss_input", new BigDecimal("2"),
                      "final_output", new BigDecimal("7.5"))),
              new Tier(500_000, Map.of("cache_miss_input", new BigDecimal("3")))));

  @ParameterizedTest(name = "{0} missed, {1} hit, {2} reasoned and {3} answered are {4} tokens")
  @CsvSource({
    "0, 0, 0, 0, 0",
    "1, 0, 0, 0, 1",
    "0, 1, 0, 0, 1",
    "0, 10, 0, 0, 1",
    "0, 11, 0, 0, 2",
    "3, 5, 0, 0, 4",
    "100, 1000, 7, 13, 300",
    "200000, 0, 0, 3, 200015",
    "200001, 0, 0, 3, 400025",
    "100000, 100001, 3, 1, 210023",
    "500000, 0, 1, 2, 1000020",
    "500001, 0, 1, 2, 1500018",
  })
  void bills(long missed, long hit, long reasoned, long answered, long tokens) {
    Usage usage =
        Usage.of(
            Map.of(
                "cache_miss_input", missed,
                "cache_hit_input", hit,
                "reasoning_output", reasoned,
                "final_output", answered));
    assertEquals(Amounts.of("tokens", tokens), billed(CLAUDE, usage).amounts());
  }

  @Test
  @DisplayName("A size equal to that of a tier is not above it")
  void tierBound() {
    assertEquals(200_000, only(CLAUDE, "cache_miss_input", 200_000));
    assertEquals(400_002, only(CLAUDE, "cache_miss_input", 200_001));
  }

  @Test
  @DisplayName("The size of the input is what ends with _input, and input itself")
  void input() {
    Usage usage =
        Usage.of(
            Map.of("input", 1L, "cache_hit_input", 20L, "final_output", 300L, "inputs", 4000L));
    assertEquals(21, usage.input());
  }

  @Test
  @DisplayName("A category that is not named feeds nothing, and its meter has no amount")
  void unnamed() {
    UsageRules rules =
        new UsageRules(
            Map.of(
                "tokens", Map.of("text", BigDecimal.ONE),
                "cents", Map.of("image", new BigDecimal("0.25"), "text", new BigDecimal("0.5"))),
            List.of());
    assertEquals(Amounts.of("cents", 1), billed(rules, Usage.of(Map.of("image", 1L))).amounts());
    assertEquals(
        Amounts.of(Map.of("cents", 2L, "tokens", 3L)),
        billed(rules, Usage.of(Map.of("text", 3L))).amounts());
    assertEquals(new Bill(Amounts.NONE, Breakdown.NONE), rules.bill(Usage.NONE));
  }

  @Test
  @DisplayName("The breakdown tells the units and what they weigh, exactly")
  void breakdown() {
    Usage usage = Usage.of(Map.of("cache_hit_input", 7L, "final_output", 2L));
    assertEquals(
        Map.of(
            "cache_hit_input", new CategoryUse(7, new BigDecimal("0.7")),
            "final_output", new CategoryUse(2, BigDecimal.TEN)),
        billed(CLAUDE, usage).breakdown().of("tokens"));
    assertEquals(Map.of(), billed(CLAUDE, usage).breakdown().of("requests"));
  }

  @Test
  @DisplayName("The greatest sum is billed, one unit more is refused with its meter")
  void greatest() {
    assertEquals(Amounts.MAX, only(CLAUDE, "reasoning_output", Amounts.MAX / 5) + Amounts.MAX % 5);
    UsageRules plain =
        new UsageRules(
            Map.of("tokens", Map.of("text", BigDecimal.ONE, "image", new BigDecimal("0.000001"))),
            List.of());
    assertEquals(Amounts.MAX, only(plain, "text", Amounts.MAX));
    assertEquals(
        new TooMuch("tokens"), plain.bill(Usage.of(Map.of("text", Amounts.MAX, "image", 1L))));
    assertEquals(
        new TooMuch("tokens"), CLAUDE.bill(Usage.of(Map.of("reasoning_output", Amounts.MAX))));
  }

  @Test
  @DisplayName("Categories are named in the order of the plan")
  void categories() {
    Map<String, Map<String, BigDecimal>> weights = new LinkedHashMap<>();
    weights.put("tokens", new TreeMap<>(Map.of("b", BigDecimal.ONE, "a", BigDecimal.ONE)));
    weights.put("cents", Map.of("b", BigDecimal.ONE));
    UsageRules rules = new UsageRules(weights, List.of());
    assertEquals(List.of("a", "b"), new ArrayList<>(rules.categories()));
    assertEquals(List.of("b"), new ArrayList<>(rules.categoriesOf("cents")));
  }

  @Test
  @DisplayName("The bill is the sum in millionths, rounded up once, for any weights and units")
  void exact() {
    Random random = new Random(20_261_012);
    BigInteger million = BigInteger.valueOf(1_000_000);
    for (int sample = 0; sample < 20_000; sample++) {
      Map<String, BigDecimal> weights = new TreeMap<>();
      Map<String, Long> units = new TreeMap<>();
      BigInteger micros = BigInteger.ZERO;
      for (int n = 0; n < 1 + random.nextInt(6); n++) {
        long weight = random.nextLong(1L << random.nextInt(1, 40));
        long used = random.nextLong(1L << random.nextInt(1, 53));
        weights.put("c" + n, BigDecimal.valueOf(weight, 6));
        units.put("c" + n, used);
        micros = micros.add(BigInteger.valueOf(weight).multiply(BigInteger.valueOf(used)));
      }
      BigInteger expected = micros.add(million).subtract(BigInteger.ONE).divide(million);
      UsageRules rules = new UsageRules(Map.of("m", weights), List.of());
      boolean fits = micros.compareTo(million.multiply(BigInteger.valueOf(Amounts.MAX))) <= 0;
      switch (rules.bill(Usage.of(units))) {
        case Bill billed -> {
          assertTrue(fits);
          assertEquals(Amounts.of("m", expected.longValueExact()), billed.amounts());
        }
        case TooMuch tooMuch -> assertTrue(!fits && tooMuch.meter().equals("m"));
      }
    }
  }

  @Test
  @DisplayName("More of a category is never billed less than before, while no tier is passed")
  void monotone() {
    Random random = new Random(7);
    for (int sample = 0; sample < 10_000; sample++) {
      long missed = random.nextLong(100_000);
      long hit = random.nextLong(99_000);
      long before =
          billed(CLAUDE, inputs(missed, hit)).amounts().byMeter().getOrDefault("tokens", 0L);
      long after =
          billed(CLAUDE, inputs(missed, hit + 1)).amounts().byMeter().getOrDefault("tokens", 0L);
      assertTrue(after == before || after == before + 1);
    }
  }

  private static Usage inputs(long missed, long hit) {
    return Usage.of(Map.of("cache_miss_input", missed, "cache_hit_input", hit));
  }

  private static long only(UsageRules rules, String category, long units) {
    return billed(rules, Usage.of(Map.of(category, units))).amounts().byMeter().values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  private static Bill billed(UsageRules rules, Usage usage) {
    return switch (rules.bill(usage)) {
      case Bill billed -> billed;
      case TooMuch tooMuch -> throw new AssertionError(tooMuch);
    };
  }
}
