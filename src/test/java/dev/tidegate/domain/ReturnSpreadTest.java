package dev.tidegate.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How those who wait for a reset are spread. */
class ReturnSpreadTest {

  private static final int SUBJECTS = 10_000;
  private static final int BUCKETS = 100;

  /** A sum that evenly spread subjects pass once in a thousand sets: 99 degrees of freedom. */
  private static final double GREATEST_CHI_SQUARE = 148.2;

  /** A set of ids as products have them. */
  record Ids(String name, IntFunction<String> id) {

    long offset(int n, int windowSeconds) {
      return ReturnSpread.offsetMillis(new SubjectId(id.apply(n)), windowSeconds);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Ids> sets() {
    return Stream.of(
        new Ids("counted", n -> "user-" + n),
        new Ids("padded", n -> "%08d".formatted(n)),
        new Ids("mail", n -> "first.last%d@example.com".formatted(n)),
        new Ids("uuid", n -> "" + UUID.nameUUIDFromBytes(new byte[] {(byte) n, (byte) (n >> 8)})),
        new Ids("unicode", n -> "müller-" + Character.toString(0x4e00 + n)));
  }

  @ParameterizedTest
  @MethodSource("sets")
  void theyComeBackEvenlyOverTheWindow(Ids ids) {
    for (int windowSeconds : new int[] {1, 300, 86_400}) {
      long[] counts = new long[BUCKETS];
      for (int n = 0; n < SUBJECTS; n++) {
        counts[(int) (ids.offset(n, windowSeconds) * BUCKETS / (windowSeconds * 1000L))]++;
      }
      double expected = (double) SUBJECTS / BUCKETS;
      double chiSquare =
          Arrays.stream(counts)
              .mapToDouble(count -> (count - expected) * (count - expected) / expected)
              .sum();
      assertTrue(
          chiSquare < GREATEST_CHI_SQUARE,
          () -> "%s, %d s: %.1f".formatted(ids, windowSeconds, chiSquare));
    }
  }

  /** Worked out by another implementation of the documented formula. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          user-123, 0, 0
          user-123, 1, 987
          user-123, 300, 296332
          user-123, 86400, 85343699
          demo, 0, 0
          demo, 1, 166
          demo, 300, 49911
          demo, 86400, 14374491
          müller, 0, 0
          müller, 1, 178
          müller, 300, 53600
          müller, 86400, 15436842
          日本, 0, 0
          日本, 1, 809
          日本, 300, 242773
          日本, 86400, 69918854
          a, 0, 0
          a, 1, 791
          a, 300, 237412
          a, 86400, 68374736
          """)
  void theOffsetIsTheDocumentedOne(String subject, int windowSeconds, long offsetMillis) {
    assertEquals(offsetMillis, ReturnSpread.offsetMillis(new SubjectId(subject), windowSeconds));
  }

  @ParameterizedTest
  @MethodSource("sets")
  void withoutAWindowNobodyWaitsLonger(Ids ids) {
    assertEquals(0, ids.offset(1, 0));
  }
}
