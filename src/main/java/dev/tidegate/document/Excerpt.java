package dev.tidegate.document;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** What a fault quotes of a document: short, on one line and without control characters. */
final class Excerpt {

  private static final int MAX_VALUE_LENGTH = 40;

  private Excerpt() {}

  /** A value as the end of a sentence: {@code the text '5'}, {@code a list}, {@code 1.9}. */
  static String of(JsonNode node) {
    return switch (node.getNodeType()) {
      case ARRAY -> "a list";
      case OBJECT -> "an object";
      case STRING ->
          node.textValue().isEmpty()
              ? "an empty text"
              : "the text '" + of(node.textValue(), MAX_VALUE_LENGTH) + "'";
      default -> cut(node.toString(), MAX_VALUE_LENGTH);
    };
  }

  /** The text with quotes, backslashes and what does not print escaped, and cut. */
  static String of(String text, int maxLength) {
    StringBuilder escaped = new StringBuilder();
    cut(text, maxLength)
        .codePoints()
        .forEach(
            c -> {
              if (c == '\'' || c == '\\') {
                escaped.append('\\').appendCodePoint(c);
              } else if (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE) {
                escaped.append("\\u%04x".formatted(c));
              } else {
                escaped.appendCodePoint(c);
              }
            });
    return escaped.toString();
  }

  /** The text of a message that may quote a document, on one line. */
  static String line(@Nullable String message) {
    return message == null ? "" : message.replaceAll("\\p{Cntrl}", " ");
  }

  private static String cut(String text, int maxLength) {
    if (text.length() <= maxLength) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(maxLength - 1));
    return text.substring(0, splitsPair ? maxLength - 1 : maxLength) + "…";
  }
}
