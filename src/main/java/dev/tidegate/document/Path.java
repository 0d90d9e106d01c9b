package dev.tidegate.document;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in a document. It becomes text only when there is a fault to report.
 *
 * @param parent the place that holds it; null for the root
 * @param name of a field; null for an item of a list
 * @param index of an item, from 0
 */
record Path(@Nullable Path parent, @Nullable String name, int index) {

  /** The whole document. */
  static final Path ROOT = new Path(null, "$", 0);

  /** Longer names are cut: a fault is there to be read. */
  private static final int MAX_NAME_LENGTH = 64;

  /** The names that RFC 9535 lets stand after a dot, without those beyond ASCII. */
  private static final Pattern SHORTHAND = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  Path field(String fieldName) {
    return new Path(this, fieldName, 0);
  }

  Path item(int itemIndex) {
    return new Path(this, null, itemIndex);
  }

  /** A normalized path of RFC 9535, in shorthand where the name allows it. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    appendTo(text);
    return text.toString();
  }

  private void appendTo(StringBuilder text) {
    if (parent == null) {
      text.append('$');
      return;
    }
    parent.appendTo(text);
    if (name == null) {
      text.append('[').append(index).append(']');
    } else if (name.length() <= MAX_NAME_LENGTH && SHORTHAND.matcher(name).matches()) {
      text.append('.').append(name);
    } else {
      text.append("['").append(Excerpt.of(name, MAX_NAME_LENGTH)).append("']");
    }
  }
}
