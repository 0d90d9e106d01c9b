package dev.tidegate.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.domain.Amounts;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldsTest {

  private static final int MAX_BYTES = 100_000;

  private record Body(long amount) {}

  /** The table of bodies for a whole number; "ok" is no fault. */
  @ParameterizedTest(name = "F1 {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"amount":5}                   | ok
          {"amount":1.9}                 | $.amount must be a whole number without fraction or \
          exponent, not 1.9
          {"amount":-0.5}                | $.amount must be a whole number without fraction or \
          exponent, not -0.5
          {"amount":1e3}                 | $.amount must be a whole number without fraction or \
          exponent, not 1E+3
          {"amount":1.0}                 | $.amount must be a whole number without fraction or \
          exponent, not 1.0
          {"amount":"5"}                 | $.amount must be a whole number, not the text '5'
          {"amount":""}                  | $.amount must be a whole number, not an empty text
          {"amount":null}                | $.amount must be a whole number, not null
          {}                             | $.amount is missing
          {"amount":true}                | $.amount must be a whole number, not true
          {"amount":9223372036854775808} | $.amount must be from 1 to 9007199254740991, not \
          9223372036854775808
          {"amount":1e30}                | $.amount must be a whole number without fraction or \
          exponent, not 1E+30
          {"amount":NaN}                 | $ cannot be parsed at line 1, column 14: Non-standard \
          token 'NaN'
          {"amount":1,"amount":1000}     | $.amount appears more than once
          {"amuont":5}                   | $.amount is missing, $.amuont is not a known field; \
          did you mean `amount`?
          {"amount":5} junk              | $ cannot be parsed at line 1, column 14: Unrecognized \
          token 'junk'
          {"amount":007}                 | $ cannot be parsed at line 1, column 12: Invalid \
          numeric value
          {"amount":9007199254740991}    | ok
          {"amount":9007199254740992}    | $.amount must be from 1 to 9007199254740991, not \
          9007199254740992
          {"amount":0}                   | $.amount must be from 1 to 9007199254740991, not 0
          {"amount":-1}                  | $.amount must be from 1 to 9007199254740991, not -1
          {"amount":[5]}                 | $.amount must be a whole number, not a list
          {"amount":{}}                  | $.amount must be a whole number, not an object
          [5]                            | $ must be an object, not a list
          5                              | $ must be an object, not 5
          null                           | $ must be an object, not null
          """)
  void f1BodiesForAWholeNumber(String body, String expected) {
    Reading<Body> reading = read(body);

    String found = found(reading, ", ");
    assertEquals(expected, found.substring(0, Math.min(found.length(), expected.length())));
  }

  private static String found(Reading<?> reading, String separator) {
    List<String> faults = Readings.faultsOf(reading);
    return faults.isEmpty() ? "ok" : String.join(separator, faults);
  }

  private static Reading<Body> read(String body) {
    return Documents.parseJson(body, MAX_BYTES)
        .then(
            document ->
                Fields.read(
                    document,
                    fields -> new Body(fields.requiredInteger("amount", 1, Amounts.MAX))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"amounts":{"tokens":0}}                  | ok
          {"amounts":{}}                            | ok
          {"amounts":{"tokens":-1}}                 | $.amounts.tokens must be from 0 to \
          9007199254740991, not -1
          {"amounts":{"tokens":1.5,"cents":"1"}}    | $.amounts.tokens must be a whole number \
          without fraction or exponent, not 1.5; $.amounts.cents must be a whole number, not the \
          text '1'
          {"amounts":[1]}                           | $.amounts must be an object, not a list
          {"amounts":{"a b":1}}                     | $.amounts['a b'] has a name that must be 1 \
          to 64 of letters, digits, '_', '.' and '-'
          {"amounts":{"":1}}                        | $.amounts[''] has a name that must be 1 to \
          64 of letters, digits, '_', '.' and '-'
          {"amounts":{"a'\\u0000":1}}               | $.amounts['a\\'\\u0000'] has a name that \
          must be 1 to 64 of letters, digits, '_', '.' and '-'
          {"amounts":{"tokens":1},"at":"now"}       | $.at must be an instant in UTC such as \
          2026-10-11T22:00:00Z, not the text 'now'
          {"amounts":{"tokens":1},"at":"2026-02-30T00:00:00Z"} | $.at must be an instant in UTC \
          such as 2026-10-11T22:00:00Z, not the text '2026-02-30T00:00:00Z'
          {"amounts":{"tokens":1},"at":"2026-02-03T24:00:00Z"} | $.at must be an instant in UTC \
          such as 2026-10-11T22:00:00Z, not the text '2026-02-03T24:00:00Z'
          {"amounts":{"tokens":1},"at":"2026-02-03T00:00:00.250Z"} | ok
          {"amounts":{"tokens":1},"flag":"true"}    | $.flag must be true or false, not the text \
          'true'
          {"amounts":{"tokens":1},"flag":1}         | $.flag must be true or false, not 1
          {"amounts":{"tokens":1},"zone":"EST"}     | $.zone is refused: 'EST' is not a zone: \
          expected a region such as Europe/Berlin, or UTC
          {"amounts":{"tokens":1},"zone":1}         | $.zone must be a zone, not 1
          {"amounts":{"tokens":1},"who":"me"}       | $.who must not be 'me'
          {"amounts":{"tokens":1},"who":7}          | $.who must be a text, not 7
          {"amounts":{"tokens":1},"reason":""}      | $.reason must have 1 to 5 characters, not 0
          {"amounts":{"tokens":1},"reason":"123456"} | $.reason must have 1 to 5 characters, not 6
          {"amounts":{"tokens":1},"reason":"€€€€€"} | ok
          {"amounts":{"tokens":1},"names":["a","a"]} | $.names[1] must not appear twice
          {"amounts":{"tokens":1},"names":[]}       | $.names must have 1 to 2 items, not 0
          {"amounts":{"tokens":1},"entirely":1}     | $.entirely is not a known field
          """)
  void everyKindOfValueIsReadStrictly(String body, String expected) {
    Reading<String> reading =
        Documents.parseJson(body, MAX_BYTES)
            .then(document -> Fields.read(document, FieldsTest::allKinds));

    assertEquals(expected, found(reading, "; "));
  }

  private static String allKinds(Fields fields) {
    Amounts amounts = fields.requiredAmounts("amounts", 0, Amounts.MAX);
    Instant at = fields.instant("at");
    return amounts
        + " at "
        + at
        + fields.bool("flag", false)
        + fields.zone("zone")
        + fields.subjectId("who")
        + fields.text("reason", 1, 5)
        + fields.names("names", 1, 2);
  }

  @Test
  void noMoreThanAHundredFaultsAreListed() {
    String body =
        IntStream.range(0, 150)
            .mapToObj(i -> "\"f" + i + "\":1")
            .collect(Collectors.joining(",", "{\"amount\":1,", "}"));

    assertEquals(100, Readings.faultsOf(read(body)).size());
  }

  @Test
  void aFaultQuotesNoMoreThanAnExcerpt() {
    String body = "{\"amount\":\"" + "x".repeat(1000) + "\",\"" + "y".repeat(1000) + "\":1}";

    assertEquals(
        List.of(
            "$.amount must be a whole number, not the text '" + "x".repeat(40) + "…'",
            "$['" + "y".repeat(64) + "…'] is not a known field"),
        Readings.faultsOf(read(body)));
  }
}
