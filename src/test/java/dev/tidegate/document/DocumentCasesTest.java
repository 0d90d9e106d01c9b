package dev.tidegate.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables of documents: what the reader says of each, and that the schema agrees where it can. */
class DocumentCasesTest {

  private static final int MAX_BYTES = 1_000_000;

  private static final String BASE = "https://tidegate.test/schemas/";

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12,
          builder ->
              builder.schemas(
                  Map.of(
                      BASE + "plan.schema.json", resource("/schemas/plan.schema.json"),
                      BASE + "plans-file.schema.json", resource("/schemas/plans-file.schema.json"),
                      BASE + "subject.schema.json", resource("/schemas/subject.schema.json"))));

  /** A kind of document: its table, its schema and its reader. */
  private record Kind(String table, String schema, Function<JsonNode, Reading<?>> reader) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind("plans", "plan.schema.json", document -> PlanReader.plan("p", document)),
          new Kind("plans-files", "plans-file.schema.json", PlanReader::plansFile),
          new Kind("subjects", "subject.schema.json", PlanReader::subject),
          new Kind("schedules", "plan.schema.json#/$defs/schedule", PlanReader::schedule));

  private record Case(Kind kind, JsonNode line) {

    JsonNode document() {
      return Objects.requireNonNull(line.get("document"));
    }

    List<String> faults() {
      return StreamSupport.stream(line.path("faults").spliterator(), false)
          .map(JsonNode::textValue)
          .toList();
    }

    boolean schemaCanSay() {
      return !line.has("schema");
    }

    @Override
    public String toString() {
      return kind.table() + ": " + line.path("name").textValue();
    }
  }

  static Stream<Case> cases() {
    return KINDS.stream().flatMap(DocumentCasesTest::casesOf);
  }

  static Stream<Case> casesForTheSchema() {
    return cases().filter(Case::schemaCanSay);
  }

  private static Stream<Case> casesOf(Kind kind) {
    String yaml = resource("/documents/" + kind.table() + ".yaml");
    JsonNode table = Readings.valueOf(Documents.parseYaml(yaml, MAX_BYTES));
    return StreamSupport.stream(table.spliterator(), false).map(line -> new Case(kind, line));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void theReaderListsEveryFault(Case document) {
    Reading<?> reading = document.kind().reader().apply(document.document());

    assertEquals(
        String.join("\n", document.faults()), String.join("\n", Readings.faultsOf(reading)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("casesForTheSchema")
  void theSchemaAgreesWithTheReader(Case document) {
    List<String> errors = schemaErrors(document.kind().schema(), document.document());

    assertEquals(document.faults().isEmpty(), errors.isEmpty(), errors::toString);
  }

  /** What the schema of that name has against the document. */
  static List<String> schemaErrors(String schema, JsonNode document) {
    return REGISTRY.getSchema(SchemaLocation.of(BASE + schema)).validate(document).stream()
        .map(Error::toString)
        .toList();
  }

  static String resource(String path) {
    try (InputStream stream = DocumentCasesTest.class.getResourceAsStream(path)) {
      return new String(
          Objects.requireNonNull(stream, path).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
