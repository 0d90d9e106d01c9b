package dev.tidegate.http;

import dev.tidegate.domain.calendar.RegionZones;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads query parameters. */
final class Queries {

  /** What is wrong with an instant that {@link #isOutOfRange} finds out of range. */
  static final String RANGE = "must be from 1970-01-01 to the end of 9996";

  private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]{0,8}");
  private static final Pattern EVENT = Pattern.compile("[0-9]{1,15}-[0-9]{1,15}");
  private static final Pattern INSTANT =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}([.][0-9]{1,3})?Z");
  private static final Instant END = Instant.parse("9997-01-01T00:00:00Z");

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

  /** The id of an event to go on after, or null. */
  static @Nullable String eventId(String name, @Nullable String value) {
    if (value != null && !EVENT.matcher(value).matches()) {
      throw Problem.invalid(name, "must be the `next` of another page").exception();
    }
    return value;
  }

  /** A zone, or null when there is none. */
  static @Nullable ZoneId zone(String name, @Nullable String value) {
    try {
      return value == null ? null : RegionZones.parse(value);
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(name, "must be a zone: " + e.getMessage()).exception();
    }
  }

  /** An instant of RFC 3339 in UTC, to the millisecond, from 1970 to 9996, or {@code absent}. */
  static Instant instant(String name, @Nullable String value, Instant absent) {
    if (value == null) {
      return absent;
    }
    Instant instant = INSTANT.matcher(value).matches() ? parsed(value) : null;
    if (instant == null) {
      throw Problem.invalid(name, "must be an instant in UTC such as 2026-10-12T00:00:00Z")
          .exception();
    }
    if (isOutOfRange(instant)) {
      throw Problem.invalid(name, RANGE).exception();
    }
    return instant;
  }

  private static @Nullable Instant parsed(String value) {
    try {
      return Instant.parse(value);
    } catch (DateTimeParseException noSuchDay) {
      return null;
    }
  }

  /** Whether periods around an instant could not be told in years of four digits. */
  static boolean isOutOfRange(Instant instant) {
    return instant.isBefore(Instant.EPOCH) || !instant.isBefore(END);
  }
}
