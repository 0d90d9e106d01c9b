package dev.tidegate.store;

import dev.tidegate.domain.calendar.PeriodicSchedule;
import dev.tidegate.domain.calendar.Schedule;
import java.time.ZoneId;
import java.util.HexFormat;

/**
 * What a stored period remembers of the schedule that it came from.
 *
 * @param unit the word that ends a {@code period_id}
 * @param zone the IANA zone that it was read in
 * @param fingerprint tells schedules apart; two equal schedules in one zone have the same
 */
public record ScheduleLabel(String unit, String zone, String fingerprint) {

  public static ScheduleLabel of(Schedule schedule, ZoneId zone) {
    String identity = schedule instanceof PeriodicSchedule ? schedule + "@" + zone : schedule.toString();
    String fingerprint = HexFormat.of().toHexDigits(identity.hashCode());
    return new ScheduleLabel(schedule.unit(), zone.getId(), fingerprint);
  }

  /** The label as one word: {@code unit,zone,fingerprint}. */
  public String text() {
    return unit + "," + zone + "," + fingerprint;
  }

  public static ScheduleLabel parse(String text) {
    String[] parts = text.split(",", 3);
    return new ScheduleLabel(parts[0], parts[1], parts[2]);
  }
}
