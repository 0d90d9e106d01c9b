package dev.tidegate.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Identifiers;
import dev.tidegate.domain.Usage;
import dev.tidegate.domain.calendar.RegionZones;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A value of a document, its place, and where to report what is wrong with it.
 *
 * <p>Each method reads the value as one thing. It returns null, and a fault is reported, when the
 * value is another thing: nothing is coerced, and JSON's {@code null} is nothing but null.
 */
public final class Value {

  /** The most meters, limits or categories that one call may name. */
  public static final int MAX_AMOUNTS = 64;

  private static final Pattern TIME = Pattern.compile("([01][0-9]|2[0-3]):[0-5][0-9]");

  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

  private static final Pattern INSTANT =
      Pattern.compile(DATE + "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,3})?Z");

  private final JsonNode node;
  private final Path path;
  private final Faults faults;

  Value(JsonNode node, Path path, Faults faults) {
    this.node = node;
    this.path = path;
    this.faults = faults;
  }

  /** The value as it was parsed. */
  public JsonNode node() {
    return node;
  }

  /** Whether this is JSON's {@code null}. */
  public boolean isNull() {
    return node.isNull();
  }

  /**
   * Reports a fault here.
   *
   * @param reason the rest of a sentence that begins with the path
   */
  public void fault(String reason) {
    faults.add(path, reason);
  }

  /**
   * A text.
   *
   * @param minLength the least length in characters, inclusive
   * @param maxLength the greatest length in characters, inclusive
   */
  public @Nullable String text(int minLength, int maxLength) {
    if (!node.isTextual()) {
      mismatch("must be a text");
      return null;
    }
    String text = node.textValue();
    int length = text.codePointCount(0, text.length());
    if (length < minLength || length > maxLength) {
      fault("must have %d to %d characters, not %d".formatted(minLength, maxLength, length));
      return null;
    }
    if (text.codePoints().anyMatch(Character::isISOControl)) {
      fault("must not contain control characters");
      return null;
    }
    return text;
  }

  /** The id of a subject, a resource or a plan. */
  public @Nullable String id() {
    return named(Identifiers::faultOfId);
  }

  /** The name of a limit, a meter or a category. */
  public @Nullable String name() {
    return named(Identifiers::faultOfName);
  }

  private @Nullable String named(Function<String, @Nullable String> faultOf) {
    if (!node.isTextual()) {
      mismatch("must be a text");
      return null;
    }
    String reason = faultOf.apply(node.textValue());
    if (reason != null) {
      fault(reason);
      return null;
    }
    return node.textValue();
  }

  /**
   * A whole number, written without quotes, fraction and exponent: {@code 1.0} and {@code 1e3} are
   * none.
   *
   * @param min inclusive
   * @param max inclusive
   */
  public @Nullable Long integer(long min, long max) {
    if (!node.isNumber()) {
      mismatch("must be a whole number");
      return null;
    }
    if (!node.isIntegralNumber()) {
      mismatch("must be a whole number without fraction or exponent");
      return null;
    }
    if (!node.canConvertToLong() || node.longValue() < min || node.longValue() > max) {
      mismatch("must be from %d to %d".formatted(min, max));
      return null;
    }
    return node.longValue();
  }

  /**
   * A number with a bounded number of decimals.
   *
   * @param max inclusive; the least is 0
   */
  @Nullable BigDecimal decimal(long max, int maxDecimals) {
    if (!node.isNumber()) {
      mismatch("must be a number");
      return null;
    }
    BigDecimal number = node.decimalValue();
    if (number.signum() < 0 || number.compareTo(BigDecimal.valueOf(max)) > 0) {
      mismatch("must be from 0 to " + max);
      return null;
    }
    if (number.stripTrailingZeros().scale() > maxDecimals) {
      mismatch("must have at most " + maxDecimals + " decimals");
      return null;
    }
    return number;
  }

  /** {@code true} or {@code false}. */
  public @Nullable Boolean bool() {
    if (!node.isBoolean()) {
      mismatch("must be true or false");
      return null;
    }
    return node.booleanValue();
  }

  /**
   * One of a few words.
   *
   * @param words by what is written, in the order they are offered in
   */
  public <T> @Nullable T oneOf(Map<String, T> words) {
    T word = node.isTextual() ? words.get(node.textValue()) : null;
    if (word == null) {
      mismatch("must be one of " + String.join(", ", words.keySet()));
    }
    return word;
  }

  /** An instant of RFC 3339 in UTC, such as {@code 2026-10-11T22:00:00Z}, to the millisecond. */
  public @Nullable Instant instant() {
    return parsed(
        INSTANT, "must be an instant in UTC such as 2026-10-11T22:00:00Z", Instant::parse);
  }

  /** A date such as {@code 2026-10-11}. */
  public @Nullable LocalDate date() {
    return parsed(DATE, "must be a date such as 2026-10-11", LocalDate::parse);
  }

  /** A local time of day in whole minutes, {@code 00:00} to {@code 23:59}. */
  public @Nullable LocalTime time() {
    return parsed(TIME, "must be a local time such as 09:30", LocalTime::parse);
  }

  private <T> @Nullable T parsed(Pattern form, String expected, Function<String, T> parser) {
    if (!node.isTextual() || !form.matcher(node.textValue()).matches()) {
      mismatch(expected);
      return null;
    }
    try {
      return parser.apply(node.textValue());
    } catch (DateTimeException noSuchDay) {
      mismatch(expected);
      return null;
    }
  }

  /** A zone: a region such as {@code Europe/Berlin}, or {@code UTC}. */
  public @Nullable ZoneId zone() {
    if (!node.isTextual()) {
      mismatch("must be a zone");
      return null;
    }
    return checked(RegionZones::parse);
  }

  /**
   * What {@code parser} makes of a text; the message of its IllegalArgumentException is a fault.
   */
  <T> @Nullable T checked(Function<String, T> parser) {
    try {
      return parser.apply(node.textValue());
    } catch (IllegalArgumentException refusal) {
      fault("is refused: " + Excerpt.line(refusal.getMessage()));
      return null;
    }
  }

  /**
   * A list. Items that read as null are left out: each of them is a fault.
   *
   * @param minItems inclusive
   * @param maxItems inclusive
   */
  public <T> @Nullable List<T> list(int minItems, int maxItems, Function<Value, @Nullable T> item) {
    if (!node.isArray()) {
      mismatch("must be a list");
      return null;
    }
    if (!hasSize(minItems, maxItems, "items")) {
      return null;
    }
    List<T> items = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      T read = item.apply(new Value(node.get(i), path.item(i), faults));
      if (read != null) {
        items.add(read);
      }
    }
    return Collections.unmodifiableList(items);
  }

  /** Looks at the texts of a list, without any fault for what is not one. */
  void eachText(BiConsumer<Value, String> visitor) {
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      if (node.get(i).isTextual()) {
        visitor.accept(new Value(node.get(i), path.item(i), faults), node.get(i).textValue());
      }
    }
  }

  /** A list of names, each only once. */
  @Nullable List<String> names(int minItems, int maxItems) {
    return distinct(minItems, maxItems, Value::name);
  }

  /** A list of items, each only once. */
  @Nullable List<String> distinct(
      int minItems, int maxItems, Function<Value, @Nullable String> item) {
    List<String> seen = new ArrayList<>();
    return list(
        minItems,
        maxItems,
        value -> {
          String read = item.apply(value);
          if (read != null && seen.contains(read)) {
            value.fault("must not appear twice");
            return null;
          }
          if (read != null) {
            seen.add(read);
          }
          return read;
        });
  }

  /**
   * An object whose names are free, in its order. Values that read as null are left out: each of
   * them is a fault, which is found by its name, or by its index where names are not to be quoted.
   *
   * @param maxEntries inclusive
   * @param faultOfKey why a name is none, or null when it is one
   */
  <T> @Nullable Map<String, T> map(
      int maxEntries,
      Function<String, @Nullable String> faultOfKey,
      BiFunction<String, Value, @Nullable T> entry) {
    if (!node.isObject()) {
      mismatch("must be an object");
      return null;
    }
    if (!hasSize(0, maxEntries, "entries")) {
      return null;
    }
    Map<String, T> entries = new LinkedHashMap<>();
    int index = 0;
    for (Map.Entry<String, JsonNode> property : node.properties()) {
      String key = property.getKey();
      Path place = faults.areDiscreet() ? path.item(index++) : path.field(key);
      Value value = new Value(property.getValue(), place, faults);
      String reason = faultOfKey.apply(key);
      if (reason != null) {
        value.fault("has a name that " + reason);
      }
      T read = entry.apply(key, value);
      if (read != null) {
        entries.put(key, read);
      }
    }
    return Collections.unmodifiableMap(entries);
  }

  /** Objects by resource, plan or subject. */
  public <T> @Nullable Map<String, T> byId(
      int maxEntries, BiFunction<String, Value, @Nullable T> entry) {
    return map(maxEntries, Identifiers::faultOfId, entry);
  }

  /** Values by the name of a limit, a meter or a category. */
  public <T> @Nullable Map<String, T> byName(
      int maxEntries, BiFunction<String, Value, @Nullable T> entry) {
    return map(maxEntries, Identifiers::faultOfName, entry);
  }

  /**
   * Whole numbers by the name of a meter or a limit, {@value #MAX_AMOUNTS} at most.
   *
   * @param min inclusive, 0 or more
   * @param max inclusive, at most {@link Amounts#MAX}
   */
  public @Nullable Amounts amounts(long min, long max) {
    Map<String, Long> amounts = byName(MAX_AMOUNTS, (name, value) -> value.integer(min, max));
    return amounts == null ? null : new Amounts(new TreeMap<>(amounts));
  }

  /** Units by category, 1 to {@value #MAX_AMOUNTS} of them, each of 0 to {@link Amounts#MAX}. */
  public @Nullable Usage usage() {
    if (node.isObject() && node.isEmpty()) {
      fault("must name at least one category");
      return null;
    }
    Map<String, Long> units =
        byName(MAX_AMOUNTS, (category, value) -> value.integer(0, Amounts.MAX));
    return units == null ? null : Usage.of(units);
  }

  /**
   * An object with known fields; any other field is a fault.
   *
   * @param reader reads every field; what it returns counts only if the object has no fault
   */
  public <T> @Nullable T object(Function<Fields, @Nullable T> reader) {
    if (!node.isObject()) {
      mismatch("must be an object");
      return null;
    }
    int faultsBefore = faults.count();
    Fields fields = new Fields(this);
    T read = reader.apply(fields);
    fields.finish();
    return faults.count() == faultsBefore ? read : null;
  }

  /** The value of a field of this object, or null when it has none of that name. */
  @Nullable Value field(String name) {
    JsonNode value = node.get(name);
    return value == null ? null : new Value(value, path.field(name), faults);
  }

  /** Reports that this object lacks a field, at the place where it would be. */
  void missing(String name) {
    faults.add(path.field(name), "is missing");
  }

  /** Reports that this object has a field which it must not have. */
  void unknown(String name, String advice) {
    if (faults.areDiscreet()) {
      fault("has an unknown field" + advice);
    } else {
      faults.add(path.field(name), "is not a known field" + advice);
    }
  }

  private boolean hasSize(int min, int max, String things) {
    if (node.size() >= min && node.size() <= max) {
      return true;
    }
    fault("must have %d to %d %s, not %d".formatted(min, max, things, node.size()));
    return false;
  }

  /** Reports what was expected and what is there instead. */
  private void mismatch(String expected) {
    fault(faults.areDiscreet() ? expected : expected + ", not " + Excerpt.of(node));
  }
}
