package dev.tidegate.bench.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatenciesTest {

  @ParameterizedTest
  @CsvSource({"50, 1000", "95, 1900", "99, 1980", "100, 2000", "1, 20"})
  void aPercentileIsTheNearestRank(int percent, long expected) {
    Latencies latencies = new Latencies();
    for (long nanos = 2_000; nanos >= 1; nanos--) {
      latencies.add(nanos);
    }

    assertEquals(expected, latencies.percentiles().at(percent));
    assertEquals(2_000, latencies.count());
  }

  @Test
  void oneValueIsEveryPercentile() {
    Latencies latencies = new Latencies();
    latencies.add(7);

    assertEquals(7, latencies.percentiles().at(1));
    assertEquals(7, latencies.percentiles().at(100));
  }

  @Test
  void withoutValuesEveryPercentileIsZero() {
    assertEquals(0, new Latencies().percentiles().at(99));
  }

  @Test
  void percentsOutOfRangeAreRefused() {
    Latencies.Percentiles none = new Latencies().percentiles();

    assertThrows(IllegalArgumentException.class, () -> none.at(0));
    assertThrows(IllegalArgumentException.class, () -> none.at(101));
  }
}
