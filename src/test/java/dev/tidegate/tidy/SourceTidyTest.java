package dev.tidegate.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every file has a home, and none holds what was left for later. */
class SourceTidyTest {

  private static final int LONGEST_FILE = 500;

  /** What stands at the top, and below {@code src}. */
  private static final Set<String> HOMES =
      Set.of(
          ".ci",
          ".dockerignore",
          ".editorconfig",
          ".gitattributes",
          ".gitignore",
          ".mvn",
          "CHANGELOG.md",
          "CONTRIBUTING.md",
          "LICENSE",
          "README.md",
          "bench",
          "docs",
          "k8s",
          "mvnw",
          "mvnw.cmd",
          "pom.xml",
          "scripts",
          "tidegate",
          "src/demo",
          "src/main/docker",
          "src/main/java",
          "src/main/lua",
          "src/main/resources",
          "src/main/web",
          "src/test/java",
          "src/test/lua",
          "src/test/resources");

  /** What a build or a run leaves behind; only looked for where there is no git. */
  private static final Set<String> LEFT_BEHIND = Set.of(".git", ".tidegate", "target");

  private static final Set<String> TEXTS =
      Set.of("java", "lua", "md", "properties", "sh", "xml", "yaml", "yml");

  private static final Pattern LEFT_FOR_LATER =
      Pattern.compile("\\b(?:TO" + "DO|FIX" + "ME|X" + "XX|HA" + "CK)\\b");

  private static final List<Path> FILES = files();

  private static List<Path> files() {
    try {
      Process git = new ProcessBuilder("git", "ls-files", "-z").redirectErrorStream(false).start();
      String listed = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (git.waitFor() == 0 && !listed.isEmpty()) {
        return Stream.of(listed.split("\0", -1))
            .filter(Predicate.not(String::isEmpty))
            .map(Path::of)
            .filter(Files::isRegularFile)
            .toList();
      }
    } catch (IOException withoutGit) {
      return walk();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return walk();
  }

  /** A tree without its history. */
  private static List<Path> walk() {
    Path here = Path.of("");
    try (Stream<Path> all = Files.walk(here)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !LEFT_BEHIND.contains(file.getName(0).toString()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasHome(Path file) {
    return HOMES.stream().anyMatch(file::startsWith);
  }

  private static String ending(Path file) {
    String name = file.getFileName().toString();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }

  private static Stream<Path> texts() {
    return FILES.stream().filter(file -> TEXTS.contains(ending(file)));
  }

  /** {@code file:line} of every line of a text that is not as it should be. */
  private static Set<String> linesWhere(Stream<Path> files, Predicate<String> wrong) {
    Set<String> found = new TreeSet<>();
    files.forEach(
        file -> {
          int number = 0;
          for (String line : lines(file)) {
            number++;
            if (wrong.test(line)) {
              found.add(file + ":" + number);
            }
          }
        });
    return found;
  }

  @Test
  void everyFileHasAHome() {
    Set<String> homeless =
        FILES.stream()
            .filter(file -> !hasHome(file))
            .map(Path::toString)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), homeless);
  }

  @Test
  void theTreeIsSeen() {
    assertTrue(FILES.contains(Path.of("pom.xml")));
    assertTrue(FILES.size() > 100, () -> FILES.size() + " files");
  }

  @Test
  void nothingIsLeftForLater() {
    assertEquals(Set.of(), linesWhere(texts(), line -> LEFT_FOR_LATER.matcher(line).find()));
  }

  @Test
  void noLineEndsInBlanks() {
    assertEquals(
        Set.of(),
        linesWhere(
            texts().filter(file -> !ending(file).equals("md")),
            line -> !line.equals(line.stripTrailing())));
  }

  @Test
  void noLineIsIndentedByTabs() {
    assertEquals(Set.of(), linesWhere(texts(), line -> line.startsWith("\t")));
  }

  @Test
  void noSourceIsTooLong() {
    Set<String> tooLong =
        FILES.stream()
            .filter(file -> Set.of("java", "lua").contains(ending(file)))
            .filter(file -> lines(file).size() >= LONGEST_FILE)
            .map(Path::toString)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), tooLong);
  }

  @Test
  void noTestIsSwitchedOff() {
    Pattern off = Pattern.compile("@(?:Disabled|Ignore)\\b");
    assertEquals(
        Set.of(),
        linesWhere(
            FILES.stream().filter(file -> ending(file).equals("java")),
            line -> off.matcher(line).find() && !line.contains("Pattern.compile")));
  }

  @Test
  void everyPackageSaysWhatItIsFor() {
    Set<Path> packages =
        FILES.stream()
            .filter(file -> file.startsWith("src/main/java") && ending(file).equals("java"))
            .map(Path::getParent)
            .collect(Collectors.toSet());
    packages.removeIf(folder -> Files.isRegularFile(folder.resolve("package-info.java")));
    assertEquals(Set.of(), packages);
  }
}
