package dev.tidegate.http;

import static io.restassured.RestAssured.given;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code /q/metrics} shows at one moment. */
record Scrape(String text) {

  private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  static Scrape now() {
    return new Scrape(given().get("/q/metrics").asString());
  }

  /** One line of a metric. */
  record Sample(String name, Map<String, String> labels, double value) {}

  /**
   * Type by the names of the metrics that begin so; OpenMetrics leaves out what counters end in.
   */
  Map<String, String> types(String prefix) {
    Map<String, String> types = new TreeMap<>();
    text.lines()
        .filter(line -> line.startsWith("# TYPE " + prefix))
        .map(line -> line.split(" ", -1))
        .forEach(words -> types.put(nameOf(words[2], words[3]), words[3]));
    return types;
  }

  private static String nameOf(String family, String type) {
    return type.equals("counter") && !family.endsWith("_total") ? family + "_total" : family;
  }

  /** Every line of the metric of that name. */
  List<Sample> samples(String name) {
    List<Sample> samples = new ArrayList<>();
    text.lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .forEach(line -> samples.add(sample(name, line)));
    return samples;
  }

  private static Sample sample(String name, String line) {
    Map<String, String> labels = new TreeMap<>();
    Matcher matcher = LABEL.matcher(line.substring(0, line.lastIndexOf(' ')));
    while (matcher.find()) {
      labels.put(matcher.group(1), matcher.group(2));
    }
    return new Sample(name, labels, Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)));
  }

  /**
   * The sum of all lines of a metric with these labels; 0 where there is none.
   *
   * @param labels names and values, in turn
   */
  double sum(String name, String... labels) {
    Map<String, String> wanted = new TreeMap<>();
    for (int n = 0; n < labels.length; n += 2) {
      wanted.put(labels[n], labels[n + 1]);
    }
    return samples(name).stream()
        .filter(sample -> sample.labels().entrySet().containsAll(wanted.entrySet()))
        .mapToDouble(Sample::value)
        .sum();
  }
}
