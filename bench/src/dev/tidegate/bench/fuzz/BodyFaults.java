package dev.tidegate.bench.fuzz;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidegate.http.Contract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes bodies that are nearly right: one that the contract accepts, changed in one place, in its
 * tree or in its bytes. What the contract accepts all the same is thrown away.
 */
final class BodyFaults {

  /** More than any call reads. */
  private static final int TOO_LARGE = 300 * 1024;

  private static final int DEEP = 2_000;
  private static final int TRIES = 100;

  /** Stands for text that is no JSON value, until the tree is written. */
  private static final String MARK = "<<raw>>";

  private static final List<String> ODD =
      List.of(
          "null",
          "true",
          "-1",
          "-0",
          "0",
          "1.5",
          "1.0",
          "1e3",
          "1E400",
          "-9007199254740993",
          "9007199254740992",
          "99999999999999999999999999999999999999",
          "01",
          "+1",
          ".5",
          "NaN",
          "Infinity",
          "0x10",
          "1_000",
          "undefined",
          "'x'",
          "/* 1 */ 1",
          "\"\"",
          "\" \"",
          "\"5\"",
          "\"x\"",
          "\"..\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\"\\x41\"",
          "\"a\nb\"",
          "\"2026-02-30T00:00:00Z\"",
          "\"24:00\"",
          "\"Mars/Phobos\"",
          "\"" + "x".repeat(300) + "\"",
          "\"" + "\\u00e9".repeat(200) + "\"",
          "[]",
          "[null]",
          "[1,2,3]",
          "{}",
          "{\"\":1}",
          "[".repeat(DEEP) + "]".repeat(DEEP),
          "{\"a\":".repeat(DEEP) + "1" + "}".repeat(DEEP));

  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private final Contract contract;
  private final RandomGenerator random;

  BodyFaults(Contract contract, RandomGenerator random) {
    this.contract = contract;
    this.random = random;
  }

  /** A body that the contract refuses, and why it should be. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Faulty(byte[] bytes, String fault) {}

  /** Whether the contract refuses a body. */
  boolean isMalformed(byte[] bytes, Operation.Body body) {
    if (bytes.length > TOO_LARGE) {
      return true;
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (text.isEmpty()) {
        return body.required();
      }
      JsonNode tree = STRICT.readTree(text);
      return tree.isMissingNode()
          ? body.required()
          : !contract.errors(body.schema(), tree).isEmpty();
    } catch (CharacterCodingException noUtf8) {
      return true;
    } catch (IOException noJson) {
      return true;
    }
  }

  Faulty next(Operation.Body body, List<JsonNode> examples) {
    for (int n = 0; n < TRIES; n++) {
      JsonNode example = examples.get(random.nextInt(examples.size())).deepCopy();
      Faulty faulty = random.nextInt(3) == 0 ? inBytes(example) : inTree(example);
      if (isMalformed(faulty.bytes(), body)) {
        return faulty;
      }
    }
    return new Faulty(bytes("{"), "cut short");
  }

  private Faulty inTree(JsonNode example) {
    List<Place> places = new ArrayList<>();
    collect(example, places);
    Place place = places.get(random.nextInt(places.size()));
    String odd = ODD.get(random.nextInt(ODD.size()));
    return switch (random.nextInt(10)) {
      case 0 -> {
        place.remove();
        yield new Faulty(bytes(example.toString()), "a value is missing");
      }
      case 1, 2 -> {
        ObjectNode parent = objectAmong(example, places);
        parent.put(MARK, 0);
        yield new Faulty(
            bytes(example.toString().replace("\"" + MARK + "\":0", "\"surprise\":" + odd)),
            "an unknown field");
      }
      case 3 -> new Faulty(doubled(example), "a field twice");
      case 4 -> new Faulty(renamed(example), "a name is spelt in another way");
      default -> {
        if (!place.set(MARK)) {
          yield new Faulty(bytes(odd), "another value at the root");
        }
        yield new Faulty(
            bytes(example.toString().replace("\"" + MARK + "\"", odd)), "an odd value");
      }
    };
  }

  /** A value in the tree, by what it lies in; the root lies in nothing. */
  private record Place(@Nullable JsonNode parent, String name, int index) {

    boolean set(String text) {
      if (parent instanceof ObjectNode object) {
        object.put(name, text);
        return true;
      }
      if (parent instanceof ArrayNode array) {
        array.set(index, text);
        return true;
      }
      return false;
    }

    void remove() {
      if (parent instanceof ObjectNode object) {
        object.remove(name);
      } else if (parent instanceof ArrayNode array) {
        array.remove(index);
      }
    }
  }

  private static void collect(JsonNode tree, List<Place> places) {
    places.add(new Place(null, "", 0));
    collectBelow(tree, places);
  }

  private static void collectBelow(JsonNode node, List<Place> places) {
    node.properties()
        .forEach(
            field -> {
              places.add(new Place(node, field.getKey(), 0));
              collectBelow(field.getValue(), places);
            });
    for (int n = 0; node.isArray() && n < node.size(); n++) {
      places.add(new Place(node, "", n));
      collectBelow(node.get(n), places);
    }
  }

  private ObjectNode objectAmong(JsonNode example, List<Place> places) {
    List<ObjectNode> objects = new ArrayList<>();
    if (example instanceof ObjectNode root) {
      objects.add(root);
    }
    for (Place place : places) {
      if (place.parent() instanceof ObjectNode object && !objects.contains(object)) {
        objects.add(object);
      }
    }
    return objects.get(random.nextInt(objects.size()));
  }

  private byte[] doubled(JsonNode example) {
    List<Place> places = new ArrayList<>();
    collect(example, places);
    ObjectNode object = objectAmong(example, places);
    if (object.isEmpty()) {
      return bytes("{\"a\":1,\"a\":1}");
    }
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    String name = names.get(random.nextInt(names.size()));
    object.set(MARK, object.get(name));
    return bytes(example.toString().replace(MARK, name));
  }

  private byte[] renamed(JsonNode example) {
    List<Place> places = new ArrayList<>();
    collect(example, places);
    ObjectNode object = objectAmong(example, places);
    if (object.isEmpty()) {
      return bytes("[]");
    }
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    String name = names.get(random.nextInt(names.size()));
    String other =
        switch (random.nextInt(3)) {
          case 0 -> name.toUpperCase(Locale.ROOT);
          case 1 -> name + " ";
          default -> name.replace("_", "") + "s";
        };
    object.set(other, object.remove(name));
    return bytes(example.toString());
  }

  private Faulty inBytes(JsonNode example) {
    byte[] bytes = bytes(example.toString());
    int at = random.nextInt(bytes.length);
    return switch (random.nextInt(9)) {
      case 0 -> new Faulty(Arrays.copyOf(bytes, at), "cut short");
      case 1 -> {
        bytes[at] = (byte) random.nextInt(256);
        yield new Faulty(bytes, "another byte");
      }
      case 2 -> new Faulty(spliced(bytes, at, 0, randomBytes()), "bytes put in");
      case 3 -> new Faulty(spliced(bytes, at, 1 + random.nextInt(8), new byte[0]), "bytes gone");
      case 4 -> new Faulty(spliced(bytes, bytes.length, 0, randomBytes()), "bytes after the end");
      case 5 ->
          new Faulty(
              spliced(bytes, 0, 0, new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF}), "a mark");
      case 6 ->
          new Faulty(
              example
                  .toString()
                  .getBytes(
                      random.nextBoolean() ? StandardCharsets.UTF_16 : StandardCharsets.UTF_16LE),
              "UTF-16");
      case 7 ->
          random.nextInt(50) == 0
              ? new Faulty(
                  spliced(bytes, bytes.length, 0, bytes(" ".repeat(TOO_LARGE))), "too large")
              : new Faulty(new byte[0], "empty");
      default ->
          new Faulty(spliced(bytes, at, 0, new byte[] {(byte) 0xC0, (byte) 0x80}), "no UTF-8");
    };
  }

  private byte[] randomBytes() {
    byte[] some = new byte[1 + random.nextInt(6)];
    random.nextBytes(some);
    return some;
  }

  private static byte[] spliced(byte[] bytes, int at, int gone, byte[] added) {
    int from = Math.min(bytes.length, at + gone);
    byte[] out = new byte[at + added.length + bytes.length - from];
    System.arraycopy(bytes, 0, out, 0, at);
    System.arraycopy(added, 0, out, at, added.length);
    System.arraycopy(bytes, from, out, at + added.length, bytes.length - from);
    return out;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
