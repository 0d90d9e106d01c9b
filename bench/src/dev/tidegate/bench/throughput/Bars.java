package dev.tidegate.bench.throughput;

import java.util.Locale;
import java.util.Map;

/** A chart of one bar for each series, with a line from its least to its greatest. */
final class Bars {

  private static final int WIDTH = 720;
  private static final int LEFT = 240;
  private static final int RIGHT = 100;
  private static final int ROW = 34;

  private Bars() {}

  /**
   * The chart as SVG.
   *
   * @param bars by name, from top to bottom
   */
  static String svg(String title, Map<String, Series> bars) {
    double most = bars.values().stream().mapToDouble(Series::greatest).max().orElse(1);
    StringBuilder svg = new StringBuilder();
    int height = ROW * (bars.size() + 1) + 10;
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">%n"
            .formatted(WIDTH, height));
    svg.append("  <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    svg.append("  <text x=\"10\" y=\"22\" font-weight=\"bold\">%s</text>%n".formatted(title));
    int y = ROW;
    for (Map.Entry<String, Series> bar : bars.entrySet()) {
      add(svg, bar.getKey(), bar.getValue(), (WIDTH - LEFT - RIGHT) / most, y);
      y += ROW;
    }
    return svg.append("</svg>\n").toString();
  }

  private static void add(StringBuilder svg, String name, Series series, double scale, int y) {
    int middle = y + ROW / 2;
    svg.append(
        String.format(
            Locale.ROOT,
            "  <text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n"
                + "  <rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#4477aa\"/>%n"
                + "  <line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#222222\"/>%n"
                + "  <text x=\"%.1f\" y=\"%d\">%,.0f</text>%n",
            LEFT - 10,
            middle + 5,
            name,
            LEFT,
            y + 6,
            series.median() * scale,
            ROW - 12,
            LEFT + series.least() * scale,
            LEFT + series.greatest() * scale,
            middle,
            middle,
            LEFT + series.greatest() * scale + 8,
            middle + 5,
            series.median()));
  }
}
