package dev.tidegate.domain;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What may be the id of a subject, a resource or a plan, and the name of a limit, a meter or a
 * category.
 */
public final class Identifiers {

  /** The longest id, in bytes of UTF-8. */
  public static final int MAX_ID_BYTES = 256;

  /** The longest name of a limit, a meter or a category, in characters. */
  public static final int MAX_NAME_LENGTH = 64;

  private static final Set<String> RESERVED = Set.of(".", "..", "me");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1," + MAX_NAME_LENGTH + "}");

  private Identifiers() {}

  /**
   * Why {@code id} is not an id, or null when it is one: 1 to 256 bytes of well-formed UTF-8
   * without control characters, and none of {@code .}, {@code ..} and {@code me}. Ids are compared
   * as they are sent.
   */
  public static @Nullable String faultOfId(String id) {
    if (id.isEmpty()) {
      return "must not be empty";
    }
    if (id.length() > MAX_ID_BYTES || id.getBytes(StandardCharsets.UTF_8).length > MAX_ID_BYTES) {
      return "must be at most " + MAX_ID_BYTES + " bytes of UTF-8";
    }
    if (id.codePoints().anyMatch(c -> Character.isISOControl(c))) {
      return "must not contain control characters";
    }
    if (id.codePoints().anyMatch(Identifiers::isNoText)) {
      return "must be well-formed UTF-8";
    }
    return RESERVED.contains(id) ? "must not be '" + id + "'" : null;
  }

  /**
   * Why {@code name} is not a name, or null when it is one: 1 to 64 letters, digits, {@code _},
   * {@code .}, {@code -}.
   */
  public static @Nullable String faultOfName(String name) {
    boolean fits = NAME.matcher(name).matches();
    return fits
        ? null
        : "must be 1 to " + MAX_NAME_LENGTH + " of letters, digits, '_', '.' and '-'";
  }

  /** A lone surrogate, or what a decoder puts in place of bytes that are not UTF-8. */
  private static boolean isNoText(int c) {
    return c == 0xFFFD || Character.getType(c) == Character.SURROGATE;
  }
}
