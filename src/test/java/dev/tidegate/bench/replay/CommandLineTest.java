package dev.tidegate.bench.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {

  @Test
  void everyOptionHasAStandardValue() throws ReplayException {
    assertEquals(
        new Settings(
            Path.of("trace.csv"),
            "http://127.0.0.1:8080",
            60,
            20,
            64,
            1_024,
            1,
            1,
            "demo-meter",
            "demo-admin",
            "replay",
            "llm",
            1,
            1_000_000),
        CommandLine.parse(List.of("trace.csv")));
  }

  @Test
  void optionsStandBeforeOrAfterTheFileWithOrWithoutAnEqualsSign() throws ReplayException {
    Settings settings =
        CommandLine.parse(
            List.of("--speed", "600", "t.csv", "--base=https://quota.example/", "--die=0.5"));

    assertEquals(600, settings.speed());
    assertEquals("https://quota.example", settings.base());
    assertEquals(0.5, settings.diePercent());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --speed 60                     | replay needs a file
          a.csv b.csv                    | one file at a time: a.csv or b.csv
          a.csv --sped 60                | replay does not know --sped
          a.csv --speed                  | --speed needs a value
          a.csv --speed 0                | --speed wants a number from 0.001 to 1000000.0, not 0
          a.csv --speed fast             | --speed wants a number
          a.csv --subjects 0             | --subjects wants a whole number from 1 to 10000, not 0
          a.csv --subjects 1.5           | --subjects wants a whole number
          a.csv --concurrency 100000     | --concurrency wants a whole number from 1 to 1024
          a.csv --base localhost:8080    | --base wants an http URL, not localhost:8080
          a.csv --base ftp://example     | --base wants an http URL
          a.csv --key clé                | --key wants an API key
          a.csv --die 60 --late 41       | --die and --late are more than 100 together
          """)
  void aMistakeIsNamed(String line, String why) {
    ReplayException refused =
        assertThrows(
            ReplayException.class, () -> CommandLine.parse(List.of(line.strip().split(" +", -1))));

    String told = String.valueOf(refused.getMessage());
    assertTrue(told.startsWith(why), told);
    assertEquals(2, refused.exitCode());
  }

  @Test
  void theHelpNamesEveryOption() {
    for (Flag flag : Flag.values()) {
      assertTrue(CommandLine.help().contains("  " + flag.text() + " "), flag.text());
    }
  }
}
