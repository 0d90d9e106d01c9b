package dev.tidegate.document;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Guesses which word was meant. */
final class Spelling {

  /** More differences make another word. */
  private static final int MAX_DISTANCE = 2;

  private Spelling() {}

  /**
   * The word that takes the fewest edits to get from what was written, or null when none is close:
   * at most {@value #MAX_DISTANCE}, and fewer than half of the letters.
   */
  static @Nullable String closest(String written, Collection<String> words) {
    String closest = null;
    int least = MAX_DISTANCE + 1;
    for (String word : words) {
      if (Math.abs(word.length() - written.length()) <= MAX_DISTANCE) {
        int distance = distance(written, word);
        if (distance < least && distance * 2 < word.length()) {
          least = distance;
          closest = word;
        }
      }
    }
    return closest;
  }

  /**
   * Insertions, deletions, replacements and swaps of neighbours between two words: the optimal
   * string alignment distance.
   */
  private static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        edits[i][j] = i == 0 || j == 0 ? i + j : fewest(edits, a, b, i, j);
      }
    }
    return edits[a.length()][b.length()];
  }

  private static int fewest(int[][] edits, String a, String b, int i, int j) {
    int replaced = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int least = Math.min(replaced, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
  }
}
