package dev.tidegate.document;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The words that a field may have, in the order a fault offers them in. */
final class Words {

  private Words() {}

  static <T> Map<String, T> inOrder(String first, T firstMeaning, String second, T secondMeaning) {
    Map<String, T> words = new LinkedHashMap<>();
    words.put(first, firstMeaning);
    words.put(second, secondMeaning);
    return Collections.unmodifiableMap(words);
  }

  /** Each of the meanings under the word it has. */
  static <T> Map<String, T> of(T[] meanings, Function<T, String> word) {
    Map<String, T> words = new LinkedHashMap<>();
    for (T meaning : meanings) {
      words.put(word.apply(meaning), meaning);
    }
    return Collections.unmodifiableMap(words);
  }
}
