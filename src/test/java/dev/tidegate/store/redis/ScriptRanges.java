package dev.tidegate.store.redis;

import dev.tidegate.domain.Amounts;
import java.util.ArrayList;
import java.util.List;

/** The range of every number that a script is given, besides those of the limits of its levels. */
final class ScriptRanges {

  private static final long LAST_INSTANT = 253_402_300_799_999L;
  private static final long FIRST_INSTANT = -62_135_596_800_000L;
  private static final long DAY_MILLIS = 86_400_000;

  private ScriptRanges() {}

  /**
   * The range of an argument.
   *
   * @param name as the script calls it
   * @param at index in the arguments
   */
  record Range(String name, int at, long min, long max) {}

  /**
   * The ranges of a script's arguments.
   *
   * @param rest how many arguments stand before the levels; -1 = there are none
   */
  static List<Range> of(Script script, int rest) {
    List<Range> ranges = new ArrayList<>();
    ranges.add(new Range("now_ms", 0, 0, LAST_INSTANT));
    ranges.addAll(
        switch (script) {
          case TAKE_RESERVATION ->
              List.of(
                  new Range("ttl_ms", 2, 1000, DAY_MILLIS),
                  new Range("dry_run", 3, 0, 1),
                  new Range("meters", 5, 0, 64),
                  new Range("amount of tokens", 7, 0, Amounts.MAX));
          case SETTLE_RESERVATION ->
              List.of(
                  new Range("use_held", 2, 0, 1),
                  new Range("meters", 4, 0, 64),
                  new Range("amount of tokens", 6, 0, Amounts.MAX),
                  new Range("fed meters", 7, 0, 64),
                  new Range("categories", 9, 0, 64),
                  new Range("units", 11, 0, Amounts.MAX),
                  new Range("weighted", 12, 0, Amounts.MAX),
                  new Range("millionths", 13, 0, 999_999));
          case EXTEND_RESERVATION -> List.of(new Range("ttl_ms", 2, 1000, DAY_MILLIS));
          case TAKE_CHARGE ->
              List.of(
                  new Range("kept_ms", 1, 1000, 2 * DAY_MILLIS),
                  new Range("meters", 3, 0, 64),
                  new Range("amount of tokens", 5, 0, Amounts.MAX),
                  new Range("fed meters", 6, 0, 64),
                  new Range("categories", 8, 0, 64),
                  new Range("units", 10, 0, Amounts.MAX),
                  new Range("weighted", 11, 0, Amounts.MAX),
                  new Range("millionths", 12, 0, 999_999));
          case ADD_PURCHASE ->
              ofGrant(
                  new Range("limits to top up", 9, 1, 64),
                  new Range("amount of daily", 11, 1, Amounts.MAX));
          case ADD_EMERGENCY -> ofGrant(new Range("amount", 10, 1, Amounts.MAX));
          case RESET_LIMITS -> ofGrant(new Range("limits to reset", 9, 0, 64));
          case RESTART_LIMITS ->
              ofGrant(
                  new Range("anchor", 9, FIRST_INSTANT, LAST_INSTANT),
                  new Range("limits to restart", 10, 0, 64),
                  new Range("period end", 12, FIRST_INSTANT, LAST_INSTANT),
                  new Range("period ordinal", 13, -Amounts.MAX, Amounts.MAX),
                  new Range("max", 14, 0, 10_000),
                  new Range("per_days", 15, 1, 366));
          case READ_AUDIT, READ_CHANGES ->
              List.of(
                  new Range("audit_kept_ms", 1, DAY_MILLIS, Amounts.MAX),
                  new Range("count", 3, 1, 1000));
          case PUT_PLAN -> ofChange(7, new Range("if_version", 3, -1, Amounts.MAX));
          case DELETE_PLAN -> ofChange(6, new Range("if_version", 3, -1, Amounts.MAX));
          case IMPORT_PLANS ->
              ofChange(7, new Range("revision", 2, 1, Amounts.MAX), new Range("plans", 4, 0, 1000));
          case PUT_SUBJECT ->
              ofChange(
                  15,
                  new Range("version", 3, 1, Amounts.MAX),
                  new Range("incarnation", 4, 0, Amounts.MAX),
                  new Range("moves", 6, 0, 1),
                  new Range("new_parent", 7, 0, 1),
                  new Range("old_parent", 8, 0, 1),
                  new Range("keeps_pointer", 9, 0, 1),
                  new Range("recorded", 12, 0, 1));
          case DELETE_SUBJECT ->
              ofChange(
                  13,
                  new Range("incarnation", 3, 0, Amounts.MAX),
                  new Range("moves", 4, 0, 1),
                  new Range("parent", 5, 0, 1),
                  new Range("kept_ms", 6, 1000, 2 * DAY_MILLIS),
                  new Range("version", 9, 0, Amounts.MAX));
          case POINT_SUBJECT,
              RELEASE_RESERVATION,
              READ_QUOTA,
              READ_PERIODS,
              READ_RESERVATION,
              READ_REPLAY ->
              List.of();
        });
    if (rest >= 0) {
      int at = rest;
      ranges.addAll(
          List.of(
              new Range("plans", at, 0, Amounts.MAX),
              new Range("levels", at + 1, 1, 3),
              new Range("max_holds", at + 6, 1, 1_000_000),
              new Range("history_kept", at + 7, 1, 1_000_000),
              new Range("limits", at + 8, 0, 64),
              new Range("limit", at + 12, 0, Amounts.MAX),
              new Range("deferrals", at + 14, 0, 64),
              new Range("deferral", at + 15, FIRST_INSTANT, LAST_INSTANT),
              new Range("limit before", at + 16, 0, Amounts.MAX),
              new Range("emergency top-ups", at + 17, 0, 10_000),
              new Range("days", at + 18, 0, 2),
              new Range("day start", at + 19, FIRST_INSTANT, LAST_INSTANT),
              new Range("day end", at + 20, FIRST_INSTANT, LAST_INSTANT),
              new Range("period start", at + 23, FIRST_INSTANT, LAST_INSTANT),
              new Range("period end", at + 24, FIRST_INSTANT, LAST_INSTANT),
              new Range("period ordinal", at + 25, -Amounts.MAX, Amounts.MAX),
              new Range("anchor", at + 29, FIRST_INSTANT, LAST_INSTANT)));
    }
    return ranges;
  }

  /**
   * @param at where {@code audit_kept_ms} stands
   */
  private static List<Range> ofChange(int at, Range... more) {
    List<Range> ranges = new ArrayList<>(List.of(more));
    ranges.add(new Range("audit_kept_ms", at, DAY_MILLIS, Amounts.MAX));
    ranges.add(new Range("audit_kept", at + 1, 1, 1_000_000));
    return ranges;
  }

  private static List<Range> ofGrant(Range... more) {
    List<Range> ranges = new ArrayList<>(List.of(more));
    ranges.add(new Range("if_version", 3, -1, Amounts.MAX));
    ranges.add(new Range("audit_kept_ms", 7, DAY_MILLIS, Amounts.MAX));
    ranges.add(new Range("audit_kept", 8, 1, 1_000_000));
    return ranges;
  }
}
