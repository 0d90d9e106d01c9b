package dev.tidegate.domain.calendar;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Random;

/** Schedules that stand for all others in properties. */
final class SampleSchedules {

  private static final List<String> CRONS =
      List.of(
          "* * * * *",
          "*/15 * * * *",
          "0 * * * *",
          "30 */2 * * *",
          "30 1,2 * * *",
          "0 0 * * *",
          "*/20 0-4 * * *",
          "0 9-17/4 * * MON-FRI",
          "0 0 31 * *",
          "59 23 13 * FRI",
          "0 0 1 */3 *",
          "30 2 29 2 *",
          "0 12 * * 7");

  private SampleSchedules() {}

  /** One schedule for each way a boundary is computed. */
  static List<PeriodicSchedule> representative() {
    return List.of(
        CalendarSchedule.every(CalendarUnit.HOUR),
        CalendarSchedule.every(2, CalendarUnit.HOUR),
        CalendarSchedule.every(5, CalendarUnit.HOUR).withAt(LocalTime.of(0, 30)),
        CalendarSchedule.every(CalendarUnit.DAY),
        CalendarSchedule.every(CalendarUnit.DAY).withAt(LocalTime.of(2, 30)),
        CalendarSchedule.every(2, CalendarUnit.WEEK).withDayOfWeek(DayOfWeek.SUNDAY),
        CalendarSchedule.every(CalendarUnit.MONTH).withDayOfMonth(31).withAt(LocalTime.of(1, 30)),
        CronSchedule.parse("*/15 * * * *"),
        CronSchedule.parse("30 1,2 * * *"));
  }

  /** Any schedule whatever, including the odd ones. */
  static PeriodicSchedule any(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> CronSchedule.parse(CRONS.get(random.nextInt(CRONS.size())));
      case 1 ->
          new FixedSchedule(
              Duration.ofSeconds(1 + random.nextInt(3_000_000)),
              Instant.ofEpochMilli(random.nextLong(4_000_000_000_000L)));
      default -> calendar(random);
    };
  }

  /** Any calendar schedule. */
  static CalendarSchedule calendar(Random random) {
    CalendarUnit[] units = CalendarUnit.values();
    DayOfWeek[] days = DayOfWeek.values();
    return CalendarSchedule.every(
            random.nextBoolean() ? 1 : 1 + random.nextInt(30), units[random.nextInt(units.length)])
        .withAt(LocalTime.of(random.nextInt(24), 15 * random.nextInt(4)))
        .withDayOfWeek(days[random.nextInt(days.length)])
        .withDayOfMonth(1 + random.nextInt(31))
        .withMonth(1 + random.nextInt(12))
        .withReference(LocalDate.EPOCH.plusDays(random.nextInt(40_000)));
  }
}
