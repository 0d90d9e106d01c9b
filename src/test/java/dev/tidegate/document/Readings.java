package dev.tidegate.document;

import dev.tidegate.document.Reading.Invalid;
import dev.tidegate.document.Reading.Valid;
import java.util.List;

/** What a test asks of a reading. */
final class Readings {

  private Readings() {}

  /** The faults as text, none of a valid reading. */
  static List<String> faultsOf(Reading<?> reading) {
    return switch (reading) {
      case Valid<?> valid -> List.of();
      case Invalid<?>(List<Fault> faults) -> faults.stream().map(Fault::toString).toList();
    };
  }

  /** The value of a valid reading. */
  static <T> T valueOf(Reading<T> reading) {
    return switch (reading) {
      case Valid<T>(T value) -> value;
      case Invalid<T>(List<Fault> faults) -> throw new AssertionError(faults.toString());
    };
  }
}
