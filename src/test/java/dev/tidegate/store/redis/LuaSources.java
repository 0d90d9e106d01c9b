package dev.tidegate.store.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The Lua files as they are written. */
final class LuaSources {

  private static final Path ROOT = Path.of("src", "main", "lua");

  private LuaSources() {}

  /**
   * One file.
   *
   * @param name without the folder, such as {@code args.lua}
   * @param lines as written
   */
  record LuaFile(String name, List<String> lines) {

    LuaFile {
      lines = List.copyOf(lines);
    }

    /** The name without its ending. */
    String stem() {
      return name.substring(0, name.length() - ".lua".length());
    }

    /** The text without comments. */
    String code() {
      StringBuilder code = new StringBuilder();
      lines.forEach(line -> code.append(line.replaceFirst("\\s*--.*$", "")).append('\n'));
      return code.toString();
    }
  }

  /** The commands. */
  static List<LuaFile> commands() {
    return in(ROOT);
  }

  /** The fragments. */
  static List<LuaFile> fragments() {
    return in(ROOT.resolve("lib"));
  }

  /** The text of one fragment. */
  static String fragment(String stem) {
    return String.join("\n", read(ROOT.resolve("lib").resolve(stem + ".lua"))) + "\n";
  }

  private static List<LuaFile> in(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".lua"))
          .sorted()
          .map(file -> new LuaFile(String.valueOf(file.getFileName()), read(file)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> read(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
