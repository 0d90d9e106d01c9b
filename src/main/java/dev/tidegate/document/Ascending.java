package dev.tidegate.document;

import java.util.List;

/** The order of numbers in a list. */
final class Ascending {

  private Ascending() {}

  /** Whether each number is greater than the one before it. */
  static <N extends Comparable<N>> boolean strictly(List<N> numbers) {
    for (int i = 1; i < numbers.size(); i++) {
      if (numbers.get(i - 1).compareTo(numbers.get(i)) >= 0) {
        return false;
      }
    }
    return true;
  }
}
