package dev.tidegate.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.tidegate.document.Reading.Invalid;
import dev.tidegate.document.Reading.Valid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Parses text to a tree, strictly: UTF-8 alone, one value and nothing after it, no name twice in an
 * object, at most {@value #MAX_DEPTH} levels.
 *
 * <p>Numbers are as JSON writes them, in YAML too: no {@code NaN}, no leading zero, no hexadecimal.
 * A whole number becomes an integral node; one with a fraction or an exponent a decimal node, so
 * that {@code 1.0} is told from {@code 1}. YAML has neither anchors, aliases nor tags, and {@code
 * yes} and {@code no} are texts.
 */
public final class Documents {

  /** The deepest document of ours, a plans file, has 9 levels. */
  public static final int MAX_DEPTH = 32;

  /** Request bodies bring any names: none is kept in tables that outlive the request. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private static final YAMLFactory YAML =
      YAMLFactory.builder()
          .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
          .loaderOptions(yamlOptions())
          .build();

  private Documents() {}

  /**
   * The size is bounded before the text gets to the parser, and the reading of the tree finds what
   * is there twice, with its path.
   */
  private static LoaderOptions yamlOptions() {
    LoaderOptions options = new LoaderOptions();
    options.setMaxAliasesForCollections(0);
    options.setNestingDepthLimit(MAX_DEPTH);
    options.setCodePointLimit(Integer.MAX_VALUE);
    return options;
  }

  /**
   * Parses JSON.
   *
   * @param maxBytes the greatest size in bytes, inclusive
   */
  public static Reading<JsonNode> parseJson(byte[] utf8, int maxBytes) {
    return parse(JSON, utf8, maxBytes);
  }

  /**
   * Parses JSON.
   *
   * @param maxBytes the greatest size in bytes of UTF-8, inclusive
   */
  public static Reading<JsonNode> parseJson(String text, int maxBytes) {
    return parse(JSON, text.getBytes(StandardCharsets.UTF_8), maxBytes);
  }

  /**
   * Parses one YAML document.
   *
   * @param maxBytes the greatest size in bytes, inclusive
   */
  public static Reading<JsonNode> parseYaml(byte[] utf8, int maxBytes) {
    return parse(YAML, utf8, maxBytes);
  }

  /**
   * Parses one YAML document.
   *
   * @param maxBytes the greatest size in bytes of UTF-8, inclusive
   */
  public static Reading<JsonNode> parseYaml(String text, int maxBytes) {
    return parse(YAML, text.getBytes(StandardCharsets.UTF_8), maxBytes);
  }

  /**
   * Parses one YAML document that has secrets: faults quote nothing of it, and are at lines and
   * columns in place of paths.
   *
   * @param maxBytes the greatest size in bytes, inclusive
   */
  public static Reading<JsonNode> parseSecretYaml(byte[] utf8, int maxBytes) {
    return parse(YAML, utf8, maxBytes, true);
  }

  private static Reading<JsonNode> parse(JsonFactory format, byte[] utf8, int maxBytes) {
    return parse(format, utf8, maxBytes, false);
  }

  private static Reading<JsonNode> parse(
      JsonFactory format, byte[] utf8, int maxBytes, boolean secret) {
    if (utf8.length > maxBytes) {
      return refused("has %d bytes, which is more than %d".formatted(utf8.length, maxBytes));
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException notUtf8) {
      return refused("is not well-formed UTF-8");
    }
    Faults faults = new Faults(secret);
    try (JsonParser parser = format.createParser(text)) {
      JsonNode root = new TreeReader(parser, faults).read();
      return faults.count() == 0 ? new Valid<>(root) : new Invalid<>(faults.listed());
    } catch (JsonProcessingException syntax) {
      faults.add(Path.ROOT, secret ? SyntaxReason.placeOf(syntax) : SyntaxReason.of(syntax));
      return new Invalid<>(faults.listed());
    } catch (IOException impossible) {
      throw new UncheckedIOException("text in memory cannot fail to be read", impossible);
    }
  }

  private static Reading<JsonNode> refused(String reason) {
    return new Invalid<>(List.of(new Fault(Path.ROOT.toString(), reason)));
  }
}
