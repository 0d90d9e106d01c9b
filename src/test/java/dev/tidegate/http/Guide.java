package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A document in Markdown with at most one example per language under each heading. */
final class Guide {

  private static final Pattern HEADING_OR_EXAMPLE =
      Pattern.compile("(?ms)^#+ ([^\\n]+)$|^```(\\w+)\\n(.*?)^```$");

  private final String text;
  private final Map<String, Map<String, String>> examples = new TreeMap<>();

  private Guide(String text) {
    this.text = text;
    String heading = "";
    Matcher part = HEADING_OR_EXAMPLE.matcher(text);
    while (part.find()) {
      if (part.group(1) != null) {
        heading = part.group(1);
      } else {
        String code = part.group(3);
        assertNull(
            examples.computeIfAbsent(part.group(2), l -> new TreeMap<>()).put(heading, code),
            heading);
      }
    }
  }

  static Guide read(Path document) {
    try {
      return new Guide(Files.readString(document));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** All of the document. */
  String text() {
    return text;
  }

  /** The headings that have an example in that language. */
  Set<String> headings(String language) {
    return examples.getOrDefault(language, Map.of()).keySet();
  }

  /** The example in that language under that heading. */
  String example(String language, String heading) {
    return Objects.requireNonNull(
        examples.getOrDefault(language, Map.of()).get(heading), language + " under " + heading);
  }
}
