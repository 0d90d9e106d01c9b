package dev.tidegate.service;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.config.TidegateSettings.RedisSettings;
import dev.tidegate.domain.calendar.RegionZones;
import java.util.ArrayList;
import java.util.List;

/** Refuses settings that nothing good can come of, before anything is done with them. */
final class SettingsCheck {

  private static final int MAX_MILLIS = 60_000;

  /** A million of anything that is held in memory or read at once is a mistake. */
  private static final int MAX_COUNT = 1_000_000;

  private final List<String> faults = new ArrayList<>();

  private SettingsCheck() {}

  /**
   * Checks what is not checked where it is read.
   *
   * @throws IllegalArgumentException with every fault, each with its setting and what it may be
   */
  static void check(TidegateSettings settings) {
    SettingsCheck check = new SettingsCheck();
    check.all(settings);
    if (!check.faults.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", check.faults));
    }
  }

  private void all(TidegateSettings settings) {
    RedisSettings redis = settings.redis();
    if (!redis.keyPrefix().matches("[A-Za-z0-9._:-]{1,64}")) {
      faults.add(
          "tidegate.redis.key-prefix must be 1 to 64 letters, digits, '.', '_', ':' and '-'");
    }
    range("redis.deadline-millis", redis.deadlineMillis(), 1, MAX_MILLIS);
    range("redis.grants-wait-replicas", redis.grantsWaitReplicas(), 0, 100);
    range("redis.grants-wait-millis", redis.grantsWaitMillis(), 1, MAX_MILLIS);
    range("closed-periods-kept", settings.closedPeriodsKept(), 1, 10_000);
    range("audit.kept-days", settings.audit().keptDays(), 1, 36_500);
    range("audit.max-events", settings.audit().maxEvents(), 1, MAX_COUNT);
    range("boundaries.max-rows", settings.boundaries().maxRows(), 1, MAX_COUNT);
    try {
      RegionZones.parse(settings.zone());
    } catch (IllegalArgumentException unknown) {
      faults.add("tidegate.zone: " + unknown.getMessage());
    }
  }

  private void range(String setting, int value, int least, int greatest) {
    if (value < least || value > greatest) {
      faults.add("tidegate.%s must be %d to %d, not %d".formatted(setting, least, greatest, value));
    }
  }
}
