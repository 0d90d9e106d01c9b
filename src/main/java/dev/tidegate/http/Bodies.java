package dev.tidegate.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.tidegate.document.Documents;
import dev.tidegate.document.Fault;
import dev.tidegate.document.Fields;
import dev.tidegate.document.Reading;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads request bodies: strictly, and with every fault at once. */
final class Bodies {

  /** As large a body as a metering call can need. */
  static final int MAX_CALL_BYTES = 16 << 10;

  /** As large a body as a plan or a subject can need. */
  static final int MAX_DOCUMENT_BYTES = 256 << 10;

  private Bodies() {}

  /** A body as JSON. */
  static JsonNode parse(byte[] body, int maxBytes) {
    if (body.length > maxBytes) {
      throw Problem.of(
              ProblemCode.REQUEST_TOO_LARGE, "the body must have at most " + maxBytes + " bytes")
          .exception();
    }
    return valid(Documents.parseJson(body, maxBytes));
  }

  /** A body as JSON, {@code {}} when there is none. */
  static JsonNode parseOptional(byte[] body) {
    return body.length == 0 ? JsonNodeFactory.instance.objectNode() : parse(body, MAX_CALL_BYTES);
  }

  /** What a body says. */
  static <T> T read(JsonNode body, Function<Fields, @Nullable T> reader) {
    return valid(Fields.read(body, reader));
  }

  private static <T> T valid(Reading<T> reading) {
    return switch (reading) {
      case Reading.Valid<T>(T value) -> value;
      case Reading.Invalid<T>(List<Fault> faults) -> throw Problem.invalid(faults).exception();
    };
  }
}
