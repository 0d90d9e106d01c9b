package dev.tidegate.store;

import dev.tidegate.domain.calendar.CalendarSchedule;
import dev.tidegate.domain.calendar.CronSchedule;
import dev.tidegate.domain.calendar.FixedSchedule;
import dev.tidegate.domain.calendar.Schedule;
import dev.tidegate.domain.calendar.SessionSchedule;
import java.time.ZoneId;
import java.util.HexFormat;

/**
 * What a stored period remembers of the schedule that it came from. A limit without periods has one
 * as well, which names its kind and the zone that its instants are shown in.
 *
 * @param unit the word that ends a {@code period_id}, or the kind of the limit
 * @param zone the IANA zone that it is shown in, and read in unless the schedule is free of zones
 * @param fingerprint tells schedules apart, eight characters; schedules that cut time alike have
 *     the same
 */
public record ScheduleLabel(String unit, String zone, String fingerprint) {

  private static final String NO_SCHEDULE = "00000000";

  public static ScheduleLabel of(Schedule schedule, ZoneId zone) {
    String identity =
        switch (schedule) {
          case CalendarSchedule calendar -> calendar + "@" + zone;
          case CronSchedule cron -> cron + "@" + zone;
          case FixedSchedule fixed -> fixed.toString();
          case SessionSchedule session -> session.toString();
        };
    String fingerprint = HexFormat.of().toHexDigits(identity.hashCode());
    return new ScheduleLabel(schedule.unit(), zone.getId(), fingerprint);
  }

  /** The label of a token bucket that is shown in {@code zone}. */
  public static ScheduleLabel ofBucket(ZoneId zone) {
    return new ScheduleLabel("token_bucket", zone.getId(), NO_SCHEDULE);
  }

  /** The label of a sliding budget that is shown in {@code zone}. */
  public static ScheduleLabel ofSliding(ZoneId zone) {
    return new ScheduleLabel("sliding", zone.getId(), NO_SCHEDULE);
  }

  /** The label as one word: {@code fingerprint,unit,zone}. */
  public String text() {
    return fingerprint + "," + unit + "," + zone;
  }

  public static ScheduleLabel parse(String text) {
    String[] parts = text.split(",", 3);
    return new ScheduleLabel(parts[1], parts[2], parts[0]);
  }
}
