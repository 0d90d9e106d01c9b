package dev.tidegate.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every script with its fragments in place, and the SHA-1 that Redis knows it by. */
final class ScriptCatalogue {

  private static final Pattern INCLUDE = Pattern.compile("--- @include (lib/[a-z_]+)");

  /**
   * A line of a script as Redis names it: 6.2 writes a space in some messages, 7 ends with a dot.
   */
  private static final Pattern LINE = Pattern.compile("user_script: ?(\\d+)\\b");

  private final Map<Script, Source> sources = new EnumMap<>(Script.class);

  /**
   * A script ready to be sent.
   *
   * @param text the expanded source
   * @param sha1 of the text, in hexadecimal
   * @param origins of each line, from 1: {@code file:line}
   */
  record Source(String text, String sha1, List<String> origins) {

    /**
     * The message of an error that Redis raised in this script, with files and lines of the source
     * tree.
     */
    String locate(String message) {
      Matcher matcher = LINE.matcher(message);
      return matcher.replaceAll(
          found -> {
            int line = Integer.parseInt(found.group(1));
            return line <= origins.size() ? origins.get(line - 1) : found.group();
          });
    }
  }

  private ScriptCatalogue() {}

  /** The scripts as they are built into the service. */
  static ScriptCatalogue load() {
    return load((file, text) -> text);
  }

  /**
   * The scripts after a change.
   *
   * @param change from the name of a command's file and its expanded text to the text to use
   */
  static ScriptCatalogue load(BinaryOperator<String> change) {
    ScriptCatalogue catalogue = new ScriptCatalogue();
    for (Script script : Script.values()) {
      StringBuilder text = new StringBuilder();
      List<String> origins = new ArrayList<>();
      expand(script.file(), text, origins);
      String source = change.apply(script.file(), text.toString());
      catalogue.sources.put(script, new Source(source, sha1(source), origins));
    }
    return catalogue;
  }

  Source source(Script script) {
    return Objects.requireNonNull(sources.get(script));
  }

  private static void expand(String file, StringBuilder text, List<String> origins) {
    int number = 0;
    for (String line : read(file).lines().toList()) {
      number++;
      Matcher include = INCLUDE.matcher(line);
      if (include.matches()) {
        expand(include.group(1) + ".lua", text, origins);
      } else {
        text.append(line).append('\n');
        origins.add(file + ":" + number);
      }
    }
  }

  private static String read(String file) {
    try (InputStream in = ScriptCatalogue.class.getResourceAsStream("/lua/" + file)) {
      if (in == null) {
        throw new IllegalStateException("the script " + file + " is not part of the service");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
