package dev.tidegate.store.redis;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.store.redis.LuaSources.LuaFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The conventions that every script keeps. */
class ScriptTidyTest {

  private static final String MARK = "-- Writes begin here.";
  private static final int LONGEST_LINE = 120;
  private static final int LONGEST_FILE = 400;

  private static final Pattern COMMAND = Pattern.compile("redis\\.p?call\\(\\s*'([A-Z]+)'");
  private static final Pattern STATUS_WORD = Pattern.compile("'([A-Z][A-Z]+(?:_[A-Z]+)*)'");
  private static final Pattern INCLUDE = Pattern.compile("--- @include lib/([a-z_]+)");
  private static final Pattern GLOBAL =
      Pattern.compile("^(?:function [a-z_]+\\(|[a-z_]+ = )", Pattern.MULTILINE);

  /** Every command of Redis that a script may use to read. */
  private static final Set<String> READS =
      Set.of(
          "GET",
          "EXISTS",
          "HEXISTS",
          "HGET",
          "HMGET",
          "HGETALL",
          "HLEN",
          "TIME",
          "ZCARD",
          "ZRANGE",
          "ZRANGEBYSCORE",
          "SMEMBERS",
          "SISMEMBER",
          "XREVRANGE",
          "PTTL");

  /** Every command of Redis that a script may use to write. */
  private static final Set<String> WRITES =
      Set.of(
          "SET",
          "HSET",
          "HDEL",
          "HINCRBY",
          "SADD",
          "SREM",
          "ZADD",
          "ZREM",
          "ZREMRANGEBYSCORE",
          "PEXPIRE",
          "PERSIST",
          "XADD",
          "XTRIM",
          "DEL",
          "UNLINK",
          "PUBLISH");

  /** What a write of a fragment is named after, so that a call of it is seen to write. */
  private static final Pattern WRITING_CALL =
      Pattern.compile(
          "\\b(?:level\\.save\\w*|reservation\\.(?:save\\w+|close)|grant\\.save\\w*"
              + "|(?:idempotency|usage|audit|configuration|trail)\\.save|plans\\.move_on)\\(");

  private static Stream<LuaFile> all() {
    return Stream.concat(LuaSources.commands().stream(), LuaSources.fragments().stream());
  }

  private static boolean isReading(LuaFile file) {
    return file.name().startsWith("read_");
  }

  private static Set<String> commandsIn(String code) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = COMMAND.matcher(code);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static String codeOf(LuaFile file, int from, int to) {
    return new LuaFile(file.name(), file.lines().subList(from, to)).code();
  }

  private static Stream<DynamicTest> forEach(Stream<LuaFile> files, Consumer<LuaFile> check) {
    return files.map(file -> DynamicTest.dynamicTest(file.name(), () -> check.accept(file)));
  }

  @Test
  void everyCommandHasItsNameInTheCatalogue() {
    assertEquals(
        Arrays.stream(Script.values()).map(Script::file).sorted().toList(),
        LuaSources.commands().stream().map(LuaFile::name).toList());
  }

  @TestFactory
  Stream<DynamicTest> aCommandIsNamedAfterAVerbAndANoun() {
    return forEach(
        LuaSources.commands().stream(),
        file -> assertTrue(file.stem().matches("[a-z]+_[a-z]+"), file.name()));
  }

  @TestFactory
  Stream<DynamicTest> aCommandSaysWhatItIs() {
    return forEach(
        LuaSources.commands().stream(),
        file -> {
          List<String> header =
              file.lines().stream().takeWhile(line -> line.startsWith("--")).toList();
          assertTrue(header.getFirst().matches("-- [A-Z].+"), "purpose");
          for (String part : List.of("KEYS", "ARGV", "Returns", "Invariants:", "Cost", "Source")) {
            assertEquals(
                1,
                header.stream().filter(line -> line.startsWith("-- " + part + " ")).count(),
                part);
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> aCommandTellsItsWholeAnswer() {
    return forEach(
        LuaSources.commands().stream(),
        file -> {
          String header =
              file.lines().stream()
                  .takeWhile(line -> line.startsWith("--"))
                  .collect(Collectors.joining("\n"));
          for (Status status : Status.values()) {
            boolean own = file.code().contains("'" + status + "'");
            assertTrue(!own || header.matches("(?s).*\\b" + status + "\\b.*"), status.name());
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> aFragmentDefinesOneLocalTable() {
    return forEach(
        LuaSources.fragments().stream(),
        file -> {
          String code = file.code();
          Matcher table =
              Pattern.compile("^local ([a-z_]+) = \\{", Pattern.MULTILINE).matcher(code);
          List<String> tables = new ArrayList<>();
          while (table.find()) {
            tables.add(table.group(1));
          }
          assertEquals(List.of(file.stem()), tables);
          assertFalse(GLOBAL.matcher(code).find(), "a global");
          assertFalse(code.contains("KEYS["), "KEYS");
          assertFalse(code.contains("ARGV"), "ARGV");
          assertTrue(file.lines().getFirst().startsWith("-- "), "what it is for");
        });
  }

  @TestFactory
  Stream<DynamicTest> aScriptHasNoGlobal() {
    return forEach(
        LuaSources.commands().stream(),
        file -> assertFalse(GLOBAL.matcher(file.code()).find(), "a global"));
  }

  @TestFactory
  Stream<DynamicTest> whatIsIncludedIsThereAndBeforeWhatNeedsIt() {
    Set<String> known =
        LuaSources.fragments().stream().map(LuaFile::stem).collect(Collectors.toSet());
    return forEach(
        LuaSources.commands().stream(),
        file -> {
          Set<String> included = new HashSet<>();
          Matcher include = INCLUDE.matcher(String.join("\n", file.lines()));
          while (include.find()) {
            String stem = include.group(1);
            assertTrue(known.contains(stem), stem);
            assertTrue(included.add(stem), () -> stem + " twice");
          }
          for (String stem : known) {
            boolean used =
                Pattern.compile("(?<![\\w.])" + stem + "[.,)]").matcher(file.code()).find();
            assertTrue(!used || included.contains(stem), () -> stem + " is not included");
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> aCommandThatWritesSaysWhere() {
    return forEach(
        LuaSources.commands().stream(),
        file -> {
          long marks = file.lines().stream().filter(MARK::equals).count();
          assertEquals(isReading(file) ? 0 : 1, marks);
          int mark = isReading(file) ? file.lines().size() : file.lines().indexOf(MARK);
          String before = codeOf(file, 0, mark);
          assertAll(
              () -> assertTrue(READS.containsAll(commandsIn(before)), commandsIn(before)::toString),
              () -> assertFalse(WRITING_CALL.matcher(before).find(), "a fragment that writes"));
        });
  }

  /** After the first write nothing may fail: a script does not roll back. */
  @TestFactory
  Stream<DynamicTest> everyCheckStandsBeforeTheFirstWrite() {
    return forEach(
        LuaSources.commands().stream().filter(file -> !isReading(file)),
        file -> {
          int mark = file.lines().indexOf(MARK);
          String after = codeOf(file, mark, file.lines().size());
          assertFalse(after.contains("error("), "error");
          assertFalse(after.contains("reader."), "an argument");
          assertFalse(after.contains(".project("), "a projection");
          assertFalse(after.contains(".decide("), "a decision");
          for (String refusal :
              List.of(
                  "NOT_FOUND",
                  "KEY_REUSED",
                  "CONFLICT",
                  "STALE_PERIOD",
                  "STALE_ANCHOR",
                  "STALE_CONFIG",
                  "TOPUP_CAPPED",
                  "RESTART_CAPPED",
                  "STALE_LEVELS",
                  "UNNAMED",
                  "OVERFLOW",
                  "HAS_STATE",
                  "HAS_MEMBERS",
                  "NO_PARENT",
                  "MANAGED_BY_FILE",
                  "NOT_NEWER",
                  "ALREADY_SETTLED")) {
            assertFalse(after.contains("'" + refusal + "'"), refusal);
          }
        });
  }

  @Test
  void everyCommandOfRedisIsKnownToReadOrToWrite() {
    Set<String> known = new HashSet<>(READS);
    known.addAll(WRITES);
    all().forEach(file -> assertTrue(known.containsAll(commandsIn(file.code())), file.name()));
    all()
        .forEach(
            file ->
                assertEquals(
                    count(file.code(), "redis\\.p?call\\("),
                    count(file.code(), "redis\\.call\\(\\s*'[A-Z]+'"),
                    file.name()));
  }

  private static long count(String code, String pattern) {
    return Pattern.compile(pattern).matcher(code).results().count();
  }

  @Test
  void fragmentsThatWriteAreTheOnesThatAreNamedSo() {
    Set<String> writing =
        LuaSources.fragments().stream()
            .filter(file -> commandsIn(file.code()).stream().anyMatch(WRITES::contains))
            .map(LuaFile::stem)
            .collect(Collectors.toSet());
    assertEquals(Set.of("level", "reservation", "idempotency", "usage", "trail", "plans"), writing);
  }

  /** The words of the scripts and of the enum are the same, each once. */
  @Test
  void statusesAreTheSameInLuaAndInJava() {
    Set<String> notStatuses =
        Set.of(
            "PX",
            "KEEPTTL",
            "WITHSCORES",
            "LIMIT",
            "XX",
            "COUNT",
            "MAXLEN",
            "MINID",
            "ARGUMENT",
            "CORRUPT");
    Set<String> words = new TreeSet<>();
    all()
        .forEach(
            file -> {
              String code = COMMAND.matcher(file.code()).replaceAll("redis.call(");
              Matcher matcher = STATUS_WORD.matcher(code);
              while (matcher.find()) {
                words.add(matcher.group(1));
              }
            });
    words.removeAll(notStatuses);
    assertEquals(
        Arrays.stream(Status.values())
            .map(Status::name)
            .collect(Collectors.toCollection(TreeSet::new)),
        words);
  }

  @TestFactory
  Stream<DynamicTest> linesAreClean() {
    return forEach(
        all(),
        file -> {
          assertTrue(file.lines().size() <= LONGEST_FILE, "too long");
          for (String line : file.lines()) {
            assertTrue(line.length() <= LONGEST_LINE, line);
            assertFalse(line.contains("\t"), line);
            assertEquals(line.stripTrailing(), line);
          }
          assertFalse(file.lines().getLast().isBlank(), "ends with an empty line");
        });
  }
}
