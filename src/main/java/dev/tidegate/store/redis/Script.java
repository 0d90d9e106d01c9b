package dev.tidegate.store.redis;

import java.util.Locale;

/** The commands under {@code src/main/lua}, each a script of its own. */
enum Script {
  TAKE_RESERVATION(false),
  SETTLE_RESERVATION(true),
  RELEASE_RESERVATION(true),
  EXTEND_RESERVATION(true),
  READ_RESERVATION(true),
  TAKE_CHARGE(false),
  READ_QUOTA(true),
  READ_PERIODS(true),
  READ_REPLAY(true),
  ADD_PURCHASE(false),
  ADD_EMERGENCY(false),
  RESET_LIMITS(false),
  RESTART_LIMITS(false),
  READ_AUDIT(true),
  READ_CHANGES(true),
  PUT_SUBJECT(false),
  DELETE_SUBJECT(false),
  POINT_SUBJECT(false),
  PUT_PLAN(false),
  DELETE_PLAN(false),
  IMPORT_PLANS(true);

  private final boolean repeatable;

  Script(boolean repeatable) {
    this.repeatable = repeatable;
  }

  /**
   * Whether running it again, after it may have run, changes nothing more and answers as well: it
   * only reads, or a reservation's id or a revision tells it that it has run.
   */
  boolean isRepeatable() {
    return repeatable;
  }

  /** The file below {@code src/main/lua}. */
  String file() {
    return name().toLowerCase(Locale.ROOT) + ".lua";
  }
}
