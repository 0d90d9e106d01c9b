package dev.tidegate.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.document.Reading.Valid;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentsTest {

  private static final int MAX_BYTES = 1000;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a":1,"a":2}          | $.a appears more than once
          {"x":[{"a":1,"a":1}]}  | $.x[0].a appears more than once
          {"a":1} junk           | $ cannot be parsed at line 1, column 9: Unrecognized token 'junk'
          {"a":1} {}             | $ must be one document, and another begins at line 1, column 9
          {"a":NaN}              | $ cannot be parsed at line 1, column 9: Non-standard token 'NaN'
          {"a":007}              | $ cannot be parsed at line 1, column 7: Invalid numeric value
          {"a":+1}               | $ cannot be parsed at line 1, column 7: Unexpected character ('+'
          {"a":.5}               | $ cannot be parsed at line 1, column 6: Unexpected character ('.'
          {"a":1,}               | $ cannot be parsed at line 1, column 8: Unexpected character ('}'
          {'a':1}                | $ cannot be parsed at line 1, column 2: Unexpected character
          {"a":1 // why          | $ cannot be parsed at line 1, column 8: Unexpected character ('/'
          {"a":"\\ud800"}         | $.a is not well-formed text
          {"\\udc00":1}           | $ has a name that is not well-formed text
          {"a":1e99999999999}    | $.a has an exponent that is out of range
          {"a":                  | $ cannot be parsed at line 1
          ''                     | $ is empty
          """)
  void jsonThatIsNotStrictIsRefused(String text, String expected) {
    assertRefused(expected, Documents.parseJson(text, MAX_BYTES));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a: 1;a: 2               | $.a appears more than once
          a: &x 1;b: *x           | $.b must not be an alias
          a: &x {b: 1};c: *x      | $.a must not have an anchor
          a: &x [1]               | $.a must not have an anchor
          a: !!str 5              | $.a must not have a tag
          a: !x {b: 1}            | $.a must not have a tag
          a: 007                  | $.a must be a plain decimal number, not 007
          a: 0x1F                 | $.a must be a plain decimal number, not 0x1F
          a: 1_000                | $.a must be a plain decimal number, not 1_000
          a: +1                   | $.a must be a plain decimal number, not +1
          a: .nan                 | $.a must be a plain decimal number, not .nan
          a: 1;---;b: 2           | $ must be one document, and another begins at line 3
          a: [1                   | $ cannot be parsed at line 1
          a: 1;  b: 2             | $ cannot be parsed at line 2, column 4: mapping values
          a: `x`                  | $ cannot be parsed at line 1, column 4: while scanning
          # nothing               | $ is empty
          """)
  void yamlThatIsNotStrictIsRefused(String lines, String expected) {
    assertRefused(expected, Documents.parseYaml(lines.replace(';', '\n'), MAX_BYTES));
  }

  @Test
  void everyFaultOfADocumentIsListed() {
    Reading<JsonNode> reading =
        Documents.parseJson("{\"a\":1,\"a\":2,\"b\":{\"c\":1,\"c\":2}}", 99);

    assertEquals(
        List.of("$.a appears more than once", "$.b.c appears more than once"),
        Readings.faultsOf(reading));
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() {
    byte[] latin1 = "{\"a\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1);

    assertRefused("$ is not well-formed UTF-8", Documents.parseJson(latin1, MAX_BYTES));
    assertRefused("$ is not well-formed UTF-8", Documents.parseYaml(latin1, MAX_BYTES));
  }

  @Test
  void utf16IsRefused() {
    byte[] utf16 = "{\"a\":1}".getBytes(StandardCharsets.UTF_16LE);

    assertRefused("$ cannot be parsed at line 1", Documents.parseJson(utf16, MAX_BYTES));
  }

  @Test
  void theGreatestSizeIsInclusive() {
    assertInstanceOf(Valid.class, Documents.parseJson("\"é\"", 4));
    assertRefused("$ has 4 bytes, which is more than 3", Documents.parseJson("\"é\"", 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {33, 400})
  void deepDocumentsAreRefused(int depth) {
    String text = "[".repeat(depth) + "]".repeat(depth);
    String path = "$" + "[0]".repeat(Documents.MAX_DEPTH);

    assertRefused(path + " is nested deeper than 32", Documents.parseJson(text, MAX_BYTES));
    assertRefused(path + " is nested deeper than 32", Documents.parseYaml(text, MAX_BYTES));
  }

  @Test
  void aMillionBracketsAreRefusedWithoutAnError() {
    String text = "[".repeat(1_000_000);

    assertRefused("$[0][0]", Documents.parseJson(text, text.length()));
    assertRefused("$[0][0]", Documents.parseYaml(text, text.length()));
  }

  @Test
  void thirtyTwoLevelsAreRead() {
    String text = "[".repeat(32) + "]".repeat(32);

    assertInstanceOf(Valid.class, Documents.parseJson(text, MAX_BYTES));
  }

  @Test
  void longNumbersAreRefused() {
    String text = "{\"a\":" + "9".repeat(101) + "}";

    assertRefused("$.a is a number of more than 100", Documents.parseJson(text, MAX_BYTES));
  }

  @Test
  void yamlReadsAsTheSameTreeAsJson() {
    String yaml = "a: 1\nb: [true, null, 1.50]\nc: {d: \"x\", e: yes, f: 2026-01-01, g: 09:30}\n";
    String json =
        "{\"a\":1,\"b\":[true,null,1.50],"
            + "\"c\":{\"d\":\"x\",\"e\":\"yes\",\"f\":\"2026-01-01\",\"g\":\"09:30\"}}";

    assertEquals(
        Documents.parseJson(json, MAX_BYTES),
        Documents.parseYaml(yaml, MAX_BYTES),
        "one tree of two formats");
  }

  @Test
  void numbersKeepHowTheyAreWritten() {
    Reading<JsonNode> reading = Documents.parseJson("[1, 1.0, 9007199254740993]", MAX_BYTES);

    assertEquals("[1,1.0,9007199254740993]", Readings.valueOf(reading).toString());
  }

  private static void assertRefused(String expected, Reading<JsonNode> reading) {
    String first = Readings.faultsOf(reading).getFirst();
    assertTrue(first.startsWith(expected), first);
  }
}
