package dev.tidegate.document;

import java.util.List;
import java.util.function.Function;

/** What became of the reading of a document. */
public sealed interface Reading<T> {

  /** The document is as it should be. */
  record Valid<T>(T value) implements Reading<T> {}

  /**
   * The document is refused.
   *
   * @param faults in the order they were found; 1 to {@link Faults#MAX}
   */
  record Invalid<T>(List<Fault> faults) implements Reading<T> {

    public Invalid {
      faults = List.copyOf(faults);
    }
  }

  /** Reads on from a valid value; the faults of an invalid one stay. */
  default <R> Reading<R> then(Function<T, Reading<R>> next) {
    return switch (this) {
      case Valid<T>(T value) -> next.apply(value);
      case Invalid<T>(List<Fault> faults) -> new Invalid<>(faults);
    };
  }
}
