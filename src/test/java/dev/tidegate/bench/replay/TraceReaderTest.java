package dev.tidegate.bench.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceReaderTest {

  private static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens";

  @TempDir Path folder;

  @Test
  void readsTheColumnsWithWindowsLineEnds() throws Exception {
    Path file = write(HEADER + "\r\n2023-11-16 18:15:46.6805900,374,44\r\n");

    assertEquals(
        List.of(new TraceRow(2, Instant.parse("2023-11-16T18:15:46.680590Z"), 374, 44)),
        TraceReader.read(file, 10));
  }

  @Test
  void anOffsetInTheTimestampCounts() throws Exception {
    Path file = write(HEADER + "\n2024-05-10 02:00:00.5+02:00,1,2\n2024-05-10 00:00:01,1,2\n");

    assertEquals(
        List.of(Instant.parse("2024-05-10T00:00:00.500Z"), Instant.parse("2024-05-10T00:00:01Z")),
        TraceReader.read(file, 10).stream().map(TraceRow::at).toList());
  }

  @Test
  void rowsComeInTheOrderOfTheirTime() throws Exception {
    Path file = write(HEADER + "\n2024-05-10 00:00:09,1,2\n\n2024-05-10 00:00:08,3,4\n");

    assertEquals(List.of(4, 2), TraceReader.read(file, 10).stream().map(TraceRow::line).toList());
  }

  @Test
  void noMoreRowsAreReadThanAskedFor() throws Exception {
    Path file = write(HEADER + "\n2024-05-10 00:00:08,1,2\nnot read any more\n");

    assertEquals(1, TraceReader.read(file, 1).size());
  }

  @Test
  void aCallUsesItsPromptAndItsAnswerAndLastsAsLongAsTheAnswerIs() {
    TraceRow row = new TraceRow(2, Instant.EPOCH, 374, 44);

    assertEquals(418, row.usedTokens());
    assertEquals(Duration.ofMillis(500 + 44 * 20), row.length());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2024-05-10 00:00:08,1       | expected 3 fields, found 2
          2024-05-10 00:00:08,1,2,3   | expected 3 fields, found 4
          2024-05-10T00:00:08,1,2     | not a TIMESTAMP
          2024-02-30 25:00:08,1,2     | not a TIMESTAMP
          2024-05-10 00:00:08,-1,2    | ContextTokens is not a number of tokens: -1
          2024-05-10 00:00:08,1,1.5   | GeneratedTokens is not a number of tokens: 1.5
          2024-05-10 00:00:08,1,      | GeneratedTokens is not a number of tokens:
          2024-05-10 00:00:08,1e3,1   | ContextTokens is not a number of tokens: 1e3
          2024-05-10 00:00:08,1,2000000000 | GeneratedTokens is not a number of tokens
          """)
  void aMalformedRowIsToldWithItsLine(String row, String why) throws IOException {
    Path file = write(HEADER + "\n2024-05-10 00:00:07,1,2\n" + row + "\n");

    String told = refusal(file);
    assertTrue(told.contains("trace.csv line 3: " + why), told);
  }

  @Test
  void anotherHeaderIsRefused() throws IOException {
    assertTrue(refusal(write("a,b,c\n")).contains("line 1: expected the header " + HEADER));
    assertTrue(refusal(write("")).contains("line 1: expected the header " + HEADER));
  }

  @Test
  void aFileWithoutRowsIsRefused() throws IOException {
    assertTrue(refusal(write(HEADER + "\n")).endsWith("has no rows"));
  }

  @Test
  void aMissingFileIsTold() {
    assertTrue(refusal(folder.resolve("none.csv")).startsWith("there is no file "));
  }

  private static String refusal(Path file) {
    ReplayException refused = assertThrows(ReplayException.class, () -> TraceReader.read(file, 10));
    assertEquals(1, refused.exitCode());
    return String.valueOf(refused.getMessage());
  }

  private Path write(String text) throws IOException {
    return Files.write(folder.resolve("trace.csv"), text.getBytes(StandardCharsets.UTF_8));
  }
}
