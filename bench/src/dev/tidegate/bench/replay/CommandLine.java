package dev.tidegate.bench.replay;

import static java.util.stream.Collectors.joining;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The command line: a file and the options that were given. */
final class CommandLine {

  private static final Set<String> HTTP = Set.of("http", "https");
  private static final int MAX_SUBJECTS = 10_000;
  private static final int MAX_CONCURRENCY = 1_024;
  private static final long MAX_OUTPUT_CAP = 1_000_000_000;
  private static final double MIN_SPEED = 0.001;
  private static final double MAX_SPEED = 1_000_000;

  private final Map<Flag, String> given = new EnumMap<>(Flag.class);
  private @Nullable String file;

  private CommandLine() {}

  /** What {@code --help} prints. */
  static String help() {
    return """
    ./tidegate replay FILE.csv [OPTIONS]

    Plays the calls of FILE.csv, whose columns are %s,
    against a running service. Each reserves its prompt and an output cap, waits as long as the
    call took, and settles what it really used. At the end it compares, per subject, limit and
    period, what the service counted with what was settled, and fails when they differ by one
    token or when nothing was admitted.

    %s
    """
        .formatted(
            TraceReader.HEADER,
            Arrays.stream(Flag.values()).map(Flag::help).collect(joining("\n")));
  }

  /**
   * Reads the command line.
   *
   * @throws ReplayException when it names no file, an unknown option or a value out of range
   */
  static Settings parse(List<String> args) throws ReplayException {
    CommandLine line = new CommandLine();
    Iterator<String> rest = args.iterator();
    while (rest.hasNext()) {
      line.take(rest.next(), rest);
    }
    return line.settings();
  }

  private void take(String arg, Iterator<String> rest) throws ReplayException {
    if (arg.startsWith("--")) {
      takeOption(arg, rest);
    } else if (file == null) {
      file = arg;
    } else {
      throw ReplayException.misused("one file at a time: " + file + " or " + arg);
    }
  }

  private void takeOption(String arg, Iterator<String> rest) throws ReplayException {
    int equals = arg.indexOf('=');
    String name = equals < 0 ? arg : arg.substring(0, equals);
    Flag flag =
        Flag.of(name).orElseThrow(() -> ReplayException.misused("replay does not know " + name));
    if (equals >= 0) {
      given.put(flag, arg.substring(equals + 1));
    } else if (rest.hasNext()) {
      given.put(flag, rest.next());
    } else {
      throw ReplayException.misused(name + " needs a value");
    }
  }

  private Settings settings() throws ReplayException {
    double die = decimal(Flag.DIE, 0, 100);
    double late = decimal(Flag.LATE, 0, 100);
    if (die + late > 100) {
      throw ReplayException.misused("--die and --late are more than 100 together");
    }
    return new Settings(
        path(),
        base(),
        decimal(Flag.SPEED, MIN_SPEED, MAX_SPEED),
        (int) whole(Flag.SUBJECTS, 1, MAX_SUBJECTS),
        (int) whole(Flag.CONCURRENCY, 1, MAX_CONCURRENCY),
        whole(Flag.OUTPUT_CAP, 0, MAX_OUTPUT_CAP),
        die,
        late,
        key(Flag.KEY),
        key(Flag.ADMIN_KEY),
        text(Flag.PLAN),
        text(Flag.RESOURCE),
        whole(Flag.SEED, Long.MIN_VALUE, Long.MAX_VALUE),
        (int) whole(Flag.LIMIT_ROWS, 1, Integer.MAX_VALUE));
  }

  private Path path() throws ReplayException {
    if (file == null) {
      throw ReplayException.misused("replay needs a file");
    }
    try {
      return Path.of(file);
    } catch (InvalidPathException notAPath) {
      throw ReplayException.misused("not a file name: " + file);
    }
  }

  private String base() throws ReplayException {
    try {
      URI uri = new URI(text(Flag.BASE));
      if (uri.getHost() != null && HTTP.contains(String.valueOf(uri.getScheme()))) {
        return uri.toString().replaceAll("/+$", "");
      }
    } catch (URISyntaxException notAUrl) {
      // Told below, together with URLs of another kind.
    }
    throw bad(Flag.BASE, "an http URL");
  }

  private String key(Flag flag) throws ReplayException {
    if (!text(flag).matches("[!-~]+")) {
      throw bad(flag, "an API key, of visible ASCII characters");
    }
    return text(flag);
  }

  private String text(Flag flag) {
    return given.getOrDefault(flag, flag.standard());
  }

  private long whole(Flag flag, long min, long max) throws ReplayException {
    try {
      long value = Long.parseLong(text(flag));
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Told below, together with numbers out of range.
    }
    throw bad(flag, "a whole number from %d to %d".formatted(min, max));
  }

  private double decimal(Flag flag, double min, double max) throws ReplayException {
    try {
      double value = Double.parseDouble(text(flag));
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Told below, together with numbers out of range.
    }
    throw bad(flag, "a number from %s to %s".formatted(min, max));
  }

  private ReplayException bad(Flag flag, String expected) {
    return ReplayException.misused(
        "%s wants %s, not %s".formatted(flag.text(), expected, text(flag)));
  }
}
