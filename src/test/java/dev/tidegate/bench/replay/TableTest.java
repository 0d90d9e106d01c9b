package dev.tidegate.bench.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void theFirstColumnStandsLeftAndTheOthersRight() {
    Table table =
        new Table().line("rows", "19,366").line("admitted", "7", "0.0 %").line("", "1", "99.9 %");

    assertEquals(
        """
        rows       19,366
        admitted        7    0.0 %
                        1   99.9 %
        """,
        table.text());
  }

  @Test
  void numbersAreWrittenTheSameInEveryLocale() {
    assertEquals("1,234,567", Table.count(1_234_567));
    assertEquals("33.3 %", Table.percent(1, 3));
    assertEquals("", Table.percent(0, 0));
  }

  @Test
  void durationsHaveAUnitThatSuitsThem() {
    assertEquals("0.1 ms", Table.duration(123_456));
    assertEquals("9999.0 ms", Table.duration(9_999_000_000L));
    assertEquals("12.0 s", Table.duration(12_000_000_000L));
  }
}
