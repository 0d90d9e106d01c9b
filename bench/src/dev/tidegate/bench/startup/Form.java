package dev.tidegate.bench.startup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A form that the service is packaged in.
 *
 * @param program a jar, or a native executable
 * @param options of its JVM
 */
record Form(String name, Path program, List<String> options) {

  /** What the AOT cache of a jar is called, beside it. */
  static final String AOT_CACHE = "app.aot";

  /** Reads {@code NAME=PROGRAM}; a jar with an AOT cache beside it is run with that. */
  static Form parse(String text) {
    int at = text.indexOf('=');
    Path program = Path.of(text.substring(at + 1));
    if (at < 1 || !Files.exists(program)) {
      throw new IllegalArgumentException("not a name and a program that exists: " + text);
    }
    Path cache = program.resolveSibling(AOT_CACHE);
    return new Form(
        text.substring(0, at),
        program,
        Files.exists(cache) ? List.of("-XX:AOTCache=" + cache) : List.of());
  }

  /** The same jar, once, in a run that records an AOT cache as it ends. */
  Form recording() {
    return new Form(
        name + "-training",
        program,
        List.of("-XX:AOTCacheOutput=" + program.resolveSibling(AOT_CACHE)));
  }
}
