package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guide for operators lists the metrics that there are, and no others. */
@QuarkusTest
class OperationsGuideTest extends HttpSuite {

  private static final String OURS = "tidegate_";
  private static final Pattern CODE = Pattern.compile("`([a-z_]+)`");

  /** What is counted by what is configured is shown once there is something to count. */
  @BeforeEach
  void callsOfEveryKind() {
    String subject = subjectWith(100);
    assertStatus(200, settle(subject, held(subject, 1), 2));
    assertStatus(200, buy(subject, 1));
  }

  /** The cells of every row of a metric in the guide. */
  private static Stream<String[]> rows() throws IOException {
    return Files.readAllLines(Path.of("docs", "operations.md")).stream()
        .filter(line -> line.startsWith("| `" + OURS))
        .map(line -> line.split("\\s*\\|\\s*", -1));
  }

  @Test
  void everyMetricIsListedWithItsTypeAndEveryOneListedIsThere() throws IOException {
    Map<String, String> listed = new TreeMap<>();
    rows().forEach(cells -> listed.put(cells[1].replace("`", ""), cells[2]));
    assertEquals(listed, Scrape.now().types(OURS));
  }

  @Test
  void theLabelsOfEveryMetricAreListed() throws IOException {
    Map<String, String> listed = new TreeMap<>();
    Map<String, String> found = new TreeMap<>();
    Scrape scrape = Scrape.now();
    rows()
        .forEach(
            cells -> {
              String name = cells[1].replace("`", "");
              var labels = CODE.matcher(cells[4]).results().map(label -> label.group(1));
              listed.put(name, String.join(" ", new TreeSet<>(labels.toList())));
              found.put(name, labelsOf(scrape, name));
            });
    assertEquals(listed, found);
  }

  private static String labelsOf(Scrape scrape, String name) {
    TreeSet<String> labels = new TreeSet<>();
    Stream.of(name, name + "_count")
        .flatMap(each -> scrape.samples(each).stream())
        .forEach(sample -> labels.addAll(sample.labels().keySet()));
    return String.join(" ", labels);
  }
}
