package dev.tidegate.store.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * A fault put into the scripts: a text that stands once in each script it changes, and what takes
 * its place.
 */
final class Mutant implements BinaryOperator<String> {

  private static final Path FOLDER = Path.of("src", "test", "resources", "mutants");
  private static final String FIND = "--- find\n";
  private static final String REPLACE = "--- replace\n";

  private final String name;
  private final String find;
  private final String replacement;

  private Mutant(String name, String find, String replacement) {
    this.name = name;
    this.find = find;
    this.replacement = replacement;
  }

  /** Every mutant, by name. */
  static List<Mutant> all() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().map(Mutant::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a file: what it breaks, a line {@code --- find}, the text, {@code --- replace}, the text.
   */
  private static Mutant read(Path file) {
    try {
      String text = Files.readString(file);
      int find = text.indexOf(FIND);
      int replace = text.indexOf(REPLACE);
      if (find < 0 || replace < find) {
        throw new IllegalArgumentException(file + " is no mutant");
      }
      return new Mutant(
          String.valueOf(file.getFileName()).replace(".txt", ""),
          text.substring(find + FIND.length(), replace),
          text.substring(replace + REPLACE.length()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The script with the fault, or as it is where the text does not occur. */
  @Override
  public String apply(String script, String source) {
    int first = source.indexOf(find);
    if (first < 0) {
      return source;
    }
    if (source.indexOf(find, first + 1) >= 0) {
      throw new IllegalStateException(name + " fits " + script + " more than once");
    }
    return source.replace(find, replacement);
  }

  @Override
  public String toString() {
    return name;
  }
}
