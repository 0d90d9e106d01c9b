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

  /** Where SnakeYAML says that it is; the last of them is the problem, others are its context. */
  private static final Pattern YAML_PLACE =
      Pattern.compile("in 'reader', line ([0-9]+), column ([0-9]+)");

  private SyntaxReason() {}

  /** The place and what is wrong there; lines and columns count from 1. */
  static String of(JsonProcessingException syntax) {
    String message = FOR_PROGRAMMERS.matcher(syntax.getOriginalMessage()).replaceAll("");
    String oneLine =
        QUOTED_TEXT.matcher(message).replaceAll("").strip().replaceAll("\\s*\\R\\s*", ", ");
    String reason =
        oneLine.length() > MAX_LENGTH ? oneLine.substring(0, MAX_LENGTH) + "…" : oneLine;
    return "cannot be parsed" + placeOf(syntax, message) + ": " + reason;
  }

  /** The place alone, without what the parser says of it: that quotes the text. */
  static String placeOf(JsonProcessingException syntax) {
    return "cannot be parsed" + placeOf(syntax, syntax.getOriginalMessage());
  }

  private static String placeOf(JsonProcessingException syntax, String message) {
    String place =
        YAML_PLACE
            .matcher(message)
            .results()
            .reduce((a, b) -> b)
            .map(at -> place(at.group(1), at.group(2)))
            .orElse("");
    JsonLocation location = syntax.getLocation();
    return !place.isEmpty() || location == null
        ? place
        : place(String.valueOf(location.getLineNr()), String.valueOf(location.getColumnNr()));
  }

  private static String place(String line, String column) {
    return " at line " + line + ", column " + column;
  }
}
