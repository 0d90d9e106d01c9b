package dev.tidegate.domain.calendar;

import java.util.List;
import java.util.Locale;

/**
 * A field of a cron expression, and how it is read.
 *
 * <pre>
 * field = item *("," item)
 * item  = ("*" / value / value "-" value) ["/" step]
 * </pre>
 *
 * <p>{@code value/step} runs from the value to the end of the field. A name stands for its number.
 */
enum CronField {
  MINUTE("minute", 0, 59, ""),
  HOUR("hour", 0, 23, ""),
  DAY_OF_MONTH("day of month", 1, 31, ""),
  MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
  DAY_OF_WEEK("day of week", 0, 7, "SUN MON TUE WED THU FRI SAT");

  private static final int SUNDAY = 0;
  private static final int SUNDAY_AFTER_SATURDAY = 7;

  private final String label;
  private final int min;
  private final int max;
  private final String names;

  CronField(String label, int min, int max, String names) {
    this.label = label;
    this.min = min;
    this.max = max;
    this.names = names;
  }

  /**
   * The values that {@code text} names, bit {@code v} standing for value {@code v}; Sunday is 0.
   *
   * @throws IllegalArgumentException naming the field and the reason
   */
  long parse(String text) {
    long bits = 0;
    for (String item : text.split(",", -1)) {
      bits |= parseItem(item);
    }
    return this == DAY_OF_WEEK ? withSundayAtZero(bits) : bits;
  }

  /** Whether bit {@code value} is set in {@code bits}. */
  static boolean has(long bits, int value) {
    return (bits & (1L << value)) != 0;
  }

  private static long withSundayAtZero(long bits) {
    return has(bits, SUNDAY_AFTER_SATURDAY)
        ? (bits | (1L << SUNDAY)) & ~(1L << SUNDAY_AFTER_SATURDAY)
        : bits;
  }

  private long parseItem(String item) {
    int slash = item.indexOf('/');
    String span = slash < 0 ? item : item.substring(0, slash);
    int step = slash < 0 ? 1 : parseStep(item.substring(slash + 1));
    if (span.equals("*")) {
      return bits(min, last(), step);
    }
    int dash = span.indexOf('-');
    if (dash < 0) {
      int first = parseValue(span);
      return bits(first, slash < 0 ? first : Math.max(first, last()), step);
    }
    return parseRange(parseValue(span.substring(0, dash)), span.substring(dash + 1), step);
  }

  private long parseRange(int first, String end, int step) {
    int last = parseValue(end);
    if (this == DAY_OF_WEEK && last == SUNDAY && first > SUNDAY) {
      last = SUNDAY_AFTER_SATURDAY;
    }
    if (first > last) {
      throw refused("the range " + first + "-" + last + " runs backwards");
    }
    return bits(first, last, step);
  }

  private int parseStep(String text) {
    int step = parseNumber(text);
    if (step < 1) {
      throw refused("a step of 0 is below 1");
    }
    if (step > max) {
      throw refused("a step of " + step + " is above " + max);
    }
    return step;
  }

  private int parseValue(String text) {
    if (!names.isEmpty()) {
      int named = List.of(names.split(" ")).indexOf(text.toUpperCase(Locale.ROOT));
      if (named >= 0) {
        return min + named;
      }
    }
    int value = parseNumber(text);
    if (value < min) {
      throw refused(value + " is below " + min);
    }
    if (value > max) {
      throw refused(value + " is above " + max);
    }
    return value;
  }

  private int parseNumber(String text) {
    if (text.isEmpty()) {
      throw refused("a value is missing");
    }
    boolean plain = text.length() <= 4 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!plain) {
      throw refused("'" + text + "' is not a " + (names.isEmpty() ? "number" : "number or a name"));
    }
    return Integer.parseInt(text);
  }

  /** The last value of an open range; 7 is Sunday again. */
  private int last() {
    return this == DAY_OF_WEEK ? SUNDAY_AFTER_SATURDAY - 1 : max;
  }

  private static long bits(int first, int last, int step) {
    long bits = 0;
    for (int value = first; value <= last; value += step) {
      bits |= 1L << value;
    }
    return bits;
  }

  private IllegalArgumentException refused(String reason) {
    return new IllegalArgumentException(label + ": " + reason);
  }
}
