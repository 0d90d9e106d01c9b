package dev.tidegate.bench.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines of cells in columns: the first to the left, all others to the right. */
final class Table {

  private static final String GAP = "   ";

  private final List<List<String>> lines = new ArrayList<>();

  /** Adds a line. */
  Table line(String... cells) {
    lines.add(List.of(cells));
    return this;
  }

  /** The table, each line ended and without blanks at its end. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (List<String> cells : lines) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < cells.size(); column++) {
        String cell = cells.get(column);
        String padding = " ".repeat(width(column) - cell.length());
        line.append(column == 0 ? cell + padding : GAP + padding + cell);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private int width(int column) {
    return lines.stream()
        .filter(cells -> cells.size() > column)
        .mapToInt(cells -> cells.get(column).length())
        .max()
        .orElse(0);
  }

  /** A count with its thousands apart. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A part of a whole, or nothing of nothing. */
  static String percent(long part, long whole) {
    return whole == 0 ? "" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
  }

  /** A duration in the unit that suits it. */
  static String duration(long nanos) {
    double millis = nanos / 1e6;
    return millis < 10_000
        ? String.format(Locale.ROOT, "%.1f ms", millis)
        : String.format(Locale.ROOT, "%.1f s", millis / 1_000);
  }
}
