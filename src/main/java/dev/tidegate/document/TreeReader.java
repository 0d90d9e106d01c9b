package dev.tidegate.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;

/** Builds the tree of one document from its tokens. What is at fault is a null in the tree. */
final class TreeReader {

  /** Enough for any amount and weight, and too little to make arithmetic slow. */
  private static final int MAX_NUMBER_LENGTH = 100;

  private static final int LONG_DIGITS = 18;

  private static final Pattern JSON_NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final JsonParser parser;
  private final Faults faults;

  TreeReader(JsonParser parser, Faults faults) {
    this.parser = parser;
    this.faults = faults;
  }

  /** The only value of the document. */
  JsonNode read() throws IOException {
    if (parser.nextToken() == null) {
      fault(Path.ROOT, "is empty");
      return NODES.nullNode();
    }
    JsonNode root = value(Path.ROOT, 1);
    if (parser.nextToken() != null) {
      fault(
          Path.ROOT,
          "must be one document, and another begins at line %d, column %d"
              .formatted(
                  parser.currentTokenLocation().getLineNr(),
                  parser.currentTokenLocation().getColumnNr()));
    }
    return root;
  }

  private JsonNode value(Path path, int depth) throws IOException {
    refuseYamlReferences(path);
    return switch (parser.currentToken()) {
      case START_OBJECT, START_ARRAY -> container(path, depth);
      case VALUE_STRING -> text(path);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(path);
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      default -> NODES.nullNode();
    };
  }

  /**
   * Aliases let a short text stand for a tree of any size, and tags choose other types. The parser
   * does not tell of the anchor of a scalar, which is nothing without an alias.
   */
  private void refuseYamlReferences(Path path) throws IOException {
    if (parser.getObjectId() != null) {
      fault(path, "must not have an anchor; write the value out where it is needed");
    }
    if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
      fault(path, "must not be an alias; write the value out");
    }
    if (parser.getTypeId() != null) {
      fault(path, "must not have a tag");
    }
  }

  private JsonNode container(Path path, int depth) throws IOException {
    if (depth > Documents.MAX_DEPTH) {
      fault(path, "is nested deeper than " + Documents.MAX_DEPTH + " levels");
      parser.skipChildren();
      return NODES.nullNode();
    }
    return parser.currentToken() == JsonToken.START_OBJECT
        ? object(path, depth)
        : array(path, depth);
  }

  private ObjectNode object(Path path, int depth) throws IOException {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      Path field = path.field(name);
      if (!isText(name)) {
        fault(path, "has a name that is not well-formed text");
      }
      JsonNode value = value(field, depth + 1);
      if (object.has(name)) {
        fault(field, "appears more than once");
      } else {
        object.set(name, value);
      }
    }
    return object;
  }

  private ArrayNode array(Path path, int depth) throws IOException {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(path.item(array.size()), depth + 1));
    }
    return array;
  }

  private JsonNode text(Path path) throws IOException {
    String text = parser.getText();
    if (!isText(text)) {
      fault(path, "is not well-formed text: it has half of a surrogate pair");
    }
    return NODES.textNode(text);
  }

  /** Whether the text can be written as UTF-8; an escape such as {@code \ud800} alone cannot. */
  private static boolean isText(String text) {
    return text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
  }

  private JsonNode number(Path path) throws IOException {
    String text = parser.getText();
    if (text.length() > MAX_NUMBER_LENGTH) {
      fault(path, "is a number of more than " + MAX_NUMBER_LENGTH + " characters");
      return NODES.nullNode();
    }
    if (!JSON_NUMBER.matcher(text).matches()) {
      fault(path, "must be a plain decimal number" + (faults.areDiscreet() ? "" : ", not " + text));
      return NODES.nullNode();
    }
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
      return decimal(path, text);
    }
    return text.length() <= LONG_DIGITS
        ? whole(Long.parseLong(text))
        : NODES.numberNode(new BigInteger(text));
  }

  private static JsonNode whole(long number) {
    return number == (int) number ? NODES.numberNode((int) number) : NODES.numberNode(number);
  }

  private JsonNode decimal(Path path, String text) {
    try {
      return DecimalNode.valueOf(new BigDecimal(text));
    } catch (NumberFormatException exponentOutOfRange) {
      fault(path, "has an exponent that is out of range");
      return NODES.nullNode();
    }
  }

  /** Names are a part of a path; a discreet fault has the place in the text instead. */
  private void fault(Path path, String reason) {
    if (faults.areDiscreet()) {
      JsonLocation at = parser.currentTokenLocation();
      faults.add(
          Path.ROOT,
          "at line %d, column %d %s".formatted(at.getLineNr(), at.getColumnNr(), reason));
    } else {
      faults.add(path, reason);
    }
  }
}
