package dev.tidegate.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.regex.Pattern;

/** The words for text that is not of its format. */
final class SyntaxReason {

  private static final int MAX_LENGTH = 200;

  /** Advice of the parser to those who program it, which does not concern who wrote the text. */
  private static final Pattern FOR_PROGRAMMERS =
      Pattern.compile(
          ": enable `.*? to allow| \\(or 'NaN'/'\\+INF'/'-INF'\\)| \\(start marker at .*|"
              + "\\n? at \\[Source: .*",
          Pattern.DOTALL);

  /** Where SnakeYAML quotes the text and points at a column. */
  private static final Pattern QUOTED_TEXT = Pattern.compile("(?m)^ .*\\R?");

  private SyntaxReason() {}

  /** {@code line 1, column 12: what is wrong}, lines and columns from 1. */
  static String of(JsonProcessingException syntax) {
    String message = FOR_PROGRAMMERS.matcher(syntax.getOriginalMessage()).replaceAll("");
    String oneLine =
        QUOTED_TEXT.matcher(message).replaceAll("").strip().replaceAll("\\s*\\R\\s*", ", ");
    String reason =
        oneLine.length() > MAX_LENGTH ? oneLine.substring(0, MAX_LENGTH) + "…" : oneLine;
    JsonLocation location = syntax.getLocation();
    return location == null
        ? "cannot be parsed: " + reason
        : "cannot be parsed at line %d, column %d: %s"
            .formatted(location.getLineNr(), location.getColumnNr(), reason);
  }
}
