package dev.tidegate.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.document.Reading.Invalid;
import dev.tidegate.document.Reading.Valid;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.Usage;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads an object with known fields.
 *
 * <pre>{@code
 * Reading<Hold> reading =
 *     Fields.read(
 *         body,
 *         fields ->
 *             new Hold(
 *                 fields.requiredAmounts("amounts", 0, Amounts.MAX),
 *                 fields.integer("ttl_seconds", 1, 86_400)));
 * }</pre>
 *
 * <p>An optional field returns null when it is absent. Where a value is at fault, the fault is
 * reported and the reading goes on, so that every fault is found: an optional field then returns
 * null, a required one something that is in its range, and what is made of either is dropped in the
 * end. A name that nothing asked for is a fault.
 */
public final class Fields {

  private final Value object;
  private final Set<String> known = new LinkedHashSet<>();

  Fields(Value object) {
    this.object = object;
  }

  /**
   * Reads a whole document.
   *
   * @param reader asks for every field that the document may have
   */
  public static <T> Reading<T> read(JsonNode document, Function<Fields, @Nullable T> reader) {
    return read(document, Path.ROOT, value -> value.object(reader));
  }

  /**
   * Reads a whole document that has secrets: faults quote nothing of it.
   *
   * @param reader asks for every field that the document may have
   */
  public static <T> Reading<T> readSecret(JsonNode document, Function<Fields, @Nullable T> reader) {
    return read(document, Path.ROOT, value -> value.object(reader), new Faults(true));
  }

  static <T> Reading<T> read(JsonNode document, Path path, Function<Value, @Nullable T> reader) {
    return read(document, path, reader, new Faults(false));
  }

  private static <T> Reading<T> read(
      JsonNode document, Path path, Function<Value, @Nullable T> reader, Faults faults) {
    T read = reader.apply(new Value(document, path, faults));
    if (read == null && faults.count() == 0) {
      throw new IllegalStateException("a reader gave up without a fault");
    }
    return faults.count() == 0 && read != null ? new Valid<>(read) : new Invalid<>(faults.listed());
  }

  /** The object whose fields these are. */
  public Value object() {
    return object;
  }

  /** Whether the field is there, be it null. */
  public boolean has(String name) {
    return optional(name) != null;
  }

  /** The value of a field, or null when it is absent. */
  public @Nullable Value optional(String name) {
    known.add(name);
    return object.field(name);
  }

  /** The value of a field, or null and a fault when it is absent. */
  public @Nullable Value required(String name) {
    Value value = optional(name);
    if (value == null) {
      object.missing(name);
    }
    return value;
  }

  /** Reports a fault of the field, and knows it from then on; nothing when it is absent. */
  public void refuse(String name, String reason) {
    Value value = optional(name);
    if (value != null) {
      value.fault(reason);
    }
  }

  /** Takes every field as known: the object is refused for another reason. */
  void ignoreRest() {
    object.node().fieldNames().forEachRemaining(known::add);
  }

  /** A text of {@code minLength} to {@code maxLength} characters. */
  public @Nullable String text(String name, int minLength, int maxLength) {
    Value value = optional(name);
    return value == null ? null : value.text(minLength, maxLength);
  }

  /** A text of {@code minLength} to {@code maxLength} characters. */
  public String requiredText(String name, int minLength, int maxLength) {
    Value value = required(name);
    String text = value == null ? null : value.text(minLength, maxLength);
    return text == null ? "-".repeat(minLength) : text;
  }

  /** The name of a limit, a meter or a category. */
  public @Nullable String name(String name) {
    Value value = optional(name);
    return value == null ? null : value.name();
  }

  /** The name of a limit, a meter or a category. */
  public String requiredName(String name) {
    Value value = required(name);
    String read = value == null ? null : value.name();
    return read == null ? "-" : read;
  }

  /** The id of a resource or a plan. */
  public @Nullable String id(String name) {
    Value value = optional(name);
    return value == null ? null : value.id();
  }

  /** The id of a subject. */
  public @Nullable SubjectId subjectId(String name) {
    String id = id(name);
    return id == null ? null : new SubjectId(id);
  }

  /** The id of a subject. */
  public SubjectId requiredSubjectId(String name) {
    Value value = required(name);
    String id = value == null ? null : value.id();
    return new SubjectId(id == null ? "-" : id);
  }

  /** A whole number of {@code min} to {@code max}, both inclusive. */
  public @Nullable Long integer(String name, long min, long max) {
    Value value = optional(name);
    return value == null ? null : value.integer(min, max);
  }

  /** A whole number of {@code min} to {@code max}, both inclusive. */
  public long requiredInteger(String name, long min, long max) {
    Value value = required(name);
    Long number = value == null ? null : value.integer(min, max);
    return number == null ? min : number;
  }

  /** A whole number of {@code min} to {@code max}, both inclusive. */
  public @Nullable Integer number(String name, int min, int max) {
    Long number = integer(name, min, max);
    return number == null ? null : Math.toIntExact(number);
  }

  /** A whole number of {@code min} to {@code max}, both inclusive. */
  public int requiredNumber(String name, int min, int max) {
    return Math.toIntExact(requiredInteger(name, min, max));
  }

  /** A whole number of {@code min} to {@code max}, both inclusive, or {@code absent}. */
  public int number(String name, int min, int max, int absent) {
    Integer number = number(name, min, max);
    return number == null ? absent : number;
  }

  /** {@code true} or {@code false}. */
  public @Nullable Boolean bool(String name) {
    Value value = optional(name);
    return value == null ? null : value.bool();
  }

  /** {@code true} or {@code false}, or {@code absent}. */
  public boolean bool(String name, boolean absent) {
    Boolean read = bool(name);
    return read == null ? absent : read;
  }

  /** One of a few words, by what is written. */
  public <T> @Nullable T oneOf(String name, Map<String, T> words) {
    Value value = optional(name);
    return value == null ? null : value.oneOf(words);
  }

  /** One of a few words, by what is written; null only when it is at fault. */
  public <T> @Nullable T requiredOneOf(String name, Map<String, T> words) {
    Value value = required(name);
    return value == null ? null : value.oneOf(words);
  }

  /** An instant of RFC 3339 in UTC. */
  public @Nullable Instant instant(String name) {
    Value value = optional(name);
    return value == null ? null : value.instant();
  }

  /** An instant of RFC 3339 in UTC. */
  public Instant requiredInstant(String name) {
    Value value = required(name);
    Instant instant = value == null ? null : value.instant();
    return instant == null ? Instant.EPOCH : instant;
  }

  /** A region such as {@code Europe/Berlin}, or {@code UTC}. */
  public @Nullable ZoneId zone(String name) {
    Value value = optional(name);
    return value == null ? null : value.zone();
  }

  /** Whole numbers of {@code min} to {@code max}, both inclusive, by meter or limit. */
  public @Nullable Amounts amounts(String name, long min, long max) {
    Value value = optional(name);
    return value == null ? null : value.amounts(min, max);
  }

  /** Whole numbers of {@code min} to {@code max}, both inclusive, by meter or limit. */
  public Amounts requiredAmounts(String name, long min, long max) {
    Value value = required(name);
    Amounts amounts = value == null ? null : value.amounts(min, max);
    return amounts == null ? Amounts.NONE : amounts;
  }

  /** Units by category, at least one. */
  public @Nullable Usage usage(String name) {
    Value value = optional(name);
    return value == null ? null : value.usage();
  }

  /** A list of {@code minItems} to {@code maxItems}, without the items at fault. */
  public <T> @Nullable List<T> list(
      String name, int minItems, int maxItems, Function<Value, @Nullable T> item) {
    Value value = optional(name);
    return value == null ? null : value.list(minItems, maxItems, item);
  }

  /** A list of different names of limits, meters or categories. */
  public @Nullable List<String> names(String name, int minItems, int maxItems) {
    Value value = optional(name);
    return value == null ? null : value.names(minItems, maxItems);
  }

  /** An object with known fields of its own. */
  public <T> @Nullable T object(String name, Function<Fields, @Nullable T> reader) {
    Value value = optional(name);
    return value == null ? null : value.object(reader);
  }

  /** An object with known fields of its own; null only when it is at fault. */
  public <T> @Nullable T requiredObject(String name, Function<Fields, @Nullable T> reader) {
    Value value = required(name);
    return value == null ? null : value.object(reader);
  }

  /** A schedule and its uses; null only when it is at fault. */
  public @Nullable UsedSchedule requiredUsedSchedule(String name) {
    Value value = required(name);
    return value == null ? null : ScheduleReader.readUsed(value);
  }

  /** Reports every field that nothing asked for. */
  void finish() {
    for (Map.Entry<String, JsonNode> property : object.node().properties()) {
      if (!known.contains(property.getKey())) {
        refuseUnknown(property.getKey());
      }
    }
  }

  private void refuseUnknown(String name) {
    String meant = Spelling.closest(name, known);
    object.unknown(name, meant == null ? "" : "; did you mean `" + meant + "`?");
  }
}
