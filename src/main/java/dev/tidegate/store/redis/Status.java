package dev.tidegate.store.redis;

/** The first word of a script's reply. The scripts use these and no other. */
enum Status {
  HELD,
  FITS,
  DENIED,
  TOO_MANY_HOLDS,
  EXCEEDS,
  OVERFLOW,
  SETTLED,
  ALREADY_SETTLED,
  UNNAMED,
  CLOSED,
  EXTENDED,
  CHARGED,
  STATE,
  PERIODS,
  FOUND,
  NOT_FOUND,
  REPLAYED,
  KEY_REUSED,
  STALE_PERIOD,
  STALE_CONFIG,
  STALE_LEVELS,
  WRITTEN,
  CONFLICT,
  HAS_STATE,
  HAS_MEMBERS,
  NO_PARENT,
  MANAGED_BY_FILE,
  NOT_NEWER
}
