package dev.tidegate.bench.throughput;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Figures of several rounds: their median between the least and the greatest. */
record Series(double median, double least, double greatest) {

  /** The figures of these results. */
  static Series of(List<Load.Result> results, ToDoubleFunction<Load.Result> figure) {
    return of(results.stream().mapToDouble(figure).toArray());
  }

  /** These figures, round by round one divided by the other. */
  static Series ratio(List<Load.Result> results, List<Load.Result> to) {
    double[] ratios = new double[results.size()];
    for (int n = 0; n < ratios.length; n++) {
      ratios[n] = results.get(n).perSecond() / to.get(n).perSecond();
    }
    return of(ratios);
  }

  private static Series of(double... figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return new Series(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
  }

  /** The same figures, each times {@code factor}. */
  Series times(double factor) {
    return new Series(median * factor, least * factor, greatest * factor);
  }

  /** As {@code median (least to greatest)}, by a format of one number. */
  String text(String format) {
    String whole = format + " (" + format + " to " + format + ")";
    return Double.isNaN(median) ? "-" : String.format(Locale.ROOT, whole, median, least, greatest);
  }
}
