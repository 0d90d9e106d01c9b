package dev.tidegate.bench.replay;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads traces with the columns TIMESTAMP (UTC), ContextTokens and GeneratedTokens. */
public final class TraceReader {

  static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens";

  /** Far above any model's window, and far below what sums could overflow with. */
  private static final long MAX_TOKENS = 1_000_000_000;

  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral(' ')
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .optionalStart()
          .appendOffsetId()
          .toFormatter();

  private final Path file;

  private TraceReader(Path file) {
    this.file = file;
  }

  /**
   * The calls of a file in the order of their time.
   *
   * @param file a CSV file with the header {@link #HEADER}
   * @param maxRows how many rows to read at most
   * @throws ReplayException when it is missing, empty or malformed; the message names the line
   */
  public static List<TraceRow> read(Path file, int maxRows) throws ReplayException {
    if (!Files.isRegularFile(file)) {
      throw ReplayException.failed("there is no file " + file);
    }
    return new TraceReader(file).read(maxRows);
  }

  private List<TraceRow> read(int maxRows) throws ReplayException {
    List<TraceRow> rows = new ArrayList<>();
    int line = 1;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      String header = lines.readLine();
      if (header == null || !header.strip().equals(HEADER)) {
        throw malformed(line, "expected the header " + HEADER);
      }
      for (String text = lines.readLine();
          text != null && rows.size() < maxRows;
          text = lines.readLine()) {
        line++;
        if (!text.isBlank()) {
          rows.add(parse(line, text));
        }
      }
    } catch (MalformedInputException notText) {
      throw malformed(line, "not UTF-8 text");
    } catch (IOException unreadable) {
      throw ReplayException.failed("cannot read " + file + ": " + unreadable.getMessage());
    }
    if (rows.isEmpty()) {
      throw ReplayException.failed(file + " has no rows");
    }
    rows.sort(Comparator.comparing(TraceRow::at));
    return rows;
  }

  private TraceRow parse(int line, String text) throws ReplayException {
    String[] fields = text.strip().split(",", -1);
    if (fields.length != 3) {
      throw malformed(line, "expected 3 fields, found %d".formatted(fields.length));
    }
    return new TraceRow(
        line,
        instant(line, fields[0]),
        tokens(line, "ContextTokens", fields[1]),
        tokens(line, "GeneratedTokens", fields[2]));
  }

  private Instant instant(int line, String text) throws ReplayException {
    try {
      TemporalAccessor time = TIMESTAMP.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
      return time instanceof OffsetDateTime zoned
          ? zoned.toInstant()
          : LocalDateTime.from(time).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException notATime) {
      throw malformed(line, "not a TIMESTAMP such as 2023-11-16 18:17:03.97: " + text);
    }
  }

  private long tokens(int line, String column, String text) throws ReplayException {
    try {
      long tokens = Long.parseLong(text);
      if (tokens >= 0 && tokens <= MAX_TOKENS) {
        return tokens;
      }
    } catch (NumberFormatException notANumber) {
      // Told below, together with numbers out of range.
    }
    throw malformed(line, "%s is not a number of tokens: %s".formatted(column, text));
  }

  private ReplayException malformed(int line, String why) {
    return ReplayException.failed("%s line %d: %s".formatted(file, line, why));
  }
}
