package dev.tidegate.http;

import dev.tidegate.domain.calendar.RegionZones;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads query parameters. */
final class Queries {

  private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]{0,8}");

  private Queries() {}

  /** A whole number of {@code min} to {@code max}, both inclusive, or {@code absent}. */
  static int number(String name, @Nullable String value, int min, int max, int absent) {
    if (value == null) {
      return absent;
    }
    int number = WHOLE.matcher(value).matches() ? Integer.parseInt(value) : -1;
    if (number < min || number > max) {
      throw Problem.invalid(name, "must be a whole number of " + min + " to " + max).exception();
    }
    return number;
  }

  /** A zone, or null when there is none. */
  static @Nullable ZoneId zone(String name, @Nullable String value) {
    try {
      return value == null ? null : RegionZones.parse(value);
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(name, "must be a zone: " + e.getMessage()).exception();
    }
  }

  /** An instant from 1970 to 9999, or {@code absent}. */
  static Instant instant(String name, @Nullable String value, Instant absent) {
    try {
      Instant instant = value == null ? absent : Instant.parse(value);
      return instant;
    } catch (DateTimeParseException e) {
      throw Problem.invalid(name, "must be an instant such as 2026-10-12T00:00:00Z").exception();
    }
  }
}
