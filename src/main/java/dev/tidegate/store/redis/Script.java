package dev.tidegate.store.redis;

import java.util.Locale;

/** The commands under {@code src/main/lua}, each a script of its own. */
enum Script {
  TAKE_RESERVATION,
  SETTLE_RESERVATION,
  RELEASE_RESERVATION,
  EXTEND_RESERVATION,
  READ_RESERVATION,
  TAKE_CHARGE,
  READ_QUOTA,
  READ_PERIODS,
  READ_REPLAY,
  ADD_PURCHASE,
  ADD_EMERGENCY,
  RESET_LIMITS,
  RESTART_LIMITS,
  READ_AUDIT,
  READ_CHANGES,
  PUT_SUBJECT,
  DELETE_SUBJECT,
  POINT_SUBJECT,
  PUT_PLAN,
  DELETE_PLAN,
  IMPORT_PLANS;

  /** The file below {@code src/main/lua}. */
  String file() {
    return name().toLowerCase(Locale.ROOT) + ".lua";
  }
}
