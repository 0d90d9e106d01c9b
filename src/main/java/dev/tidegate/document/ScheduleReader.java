package dev.tidegate.document;

import dev.tidegate.domain.LimitOverride.Timing;
import dev.tidegate.domain.calendar.CalendarSchedule;
import dev.tidegate.domain.calendar.CalendarUnit;
import dev.tidegate.domain.calendar.CronSchedule;
import dev.tidegate.domain.calendar.FixedSchedule;
import dev.tidegate.domain.calendar.SessionSchedule;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads how a limit is cut into periods. */
final class ScheduleReader {

  /** Ten years of 365.25 days, in seconds. */
  static final int MAX_FIXED_SECONDS = 315_576_000;

  /** A year of 366 days, in seconds. */
  static final int MAX_SESSION_SECONDS = 31_622_400;

  private static final LocalDate LAST_DATE = LocalDate.of(8999, 12, 31);

  private static final String SUBJECT_ZONE = "subject";

  private static final Map<String, CalendarUnit> UNITS =
      Words.of(CalendarUnit.values(), CalendarUnit::word);

  private static final Map<String, DayOfWeek> DAYS =
      Words.of(DayOfWeek.values(), day -> day.name().substring(0, 3));

  private static final Map<String, Function<Fields, @Nullable Timing>> TYPES = types();

  private static final int MAX_USES = 1000;

  private ScheduleReader() {}

  private static Map<String, Function<Fields, @Nullable Timing>> types() {
    Map<String, Function<Fields, @Nullable Timing>> types = new LinkedHashMap<>();
    types.put("calendar", ScheduleReader::calendar);
    types.put("cron", ScheduleReader::cron);
    types.put("fixed", ScheduleReader::fixed);
    types.put("session", ScheduleReader::session);
    return types;
  }

  static @Nullable Timing read(Value value) {
    return value.object(ScheduleReader::timing);
  }

  /** A schedule that may say when it was used. */
  static @Nullable UsedSchedule readUsed(Value value) {
    return value.object(
        fields -> {
          List<Instant> uses = fields.list("uses", 0, MAX_USES, Value::instant);
          Timing timing = timing(fields);
          if (timing != null && !(timing.schedule() instanceof SessionSchedule)) {
            fields.refuse("uses", "fits a schedule of type session only");
          }
          return timing == null ? null : new UsedSchedule(timing, uses == null ? List.of() : uses);
        });
  }

  private static @Nullable Timing timing(Fields fields) {
    Function<Fields, @Nullable Timing> type = fields.requiredOneOf("type", TYPES);
    if (type == null) {
      fields.ignoreRest();
      return null;
    }
    return type.apply(fields);
  }

  private static @Nullable Timing calendar(Fields fields) {
    CalendarUnit unit = fields.requiredOneOf("unit", UNITS);
    int interval = fields.number("interval", 1, CalendarSchedule.MAX_INTERVAL, 1);
    Value at = only(fields, "at", unit, EnumSet.complementOf(EnumSet.of(CalendarUnit.HOUR)));
    Value atMinute = only(fields, "at_minute", unit, EnumSet.of(CalendarUnit.HOUR));
    Value dayOfWeek = only(fields, "day_of_week", unit, EnumSet.of(CalendarUnit.WEEK));
    Value dayOfMonth =
        only(fields, "day_of_month", unit, EnumSet.of(CalendarUnit.MONTH, CalendarUnit.YEAR));
    Value month = only(fields, "month", unit, EnumSet.of(CalendarUnit.YEAR));
    LocalDate reference = reference(fields.optional("reference_date"));
    ZoneId zone = zone(fields);
    if (unit == null) {
      return null;
    }
    CalendarSchedule schedule = CalendarSchedule.every(interval, unit).withReference(reference);
    schedule = schedule.withAt(timeOf(at, atMinute));
    if (dayOfWeek != null) {
      schedule = schedule.withDayOfWeek(orElse(dayOfWeek.oneOf(DAYS), DayOfWeek.MONDAY));
    }
    if (dayOfMonth != null) {
      schedule = schedule.withDayOfMonth(orElse(dayOfMonth.integer(1, 31), 1L).intValue());
    }
    if (month != null) {
      schedule = schedule.withMonth(orElse(month.integer(1, 12), 1L).intValue());
    }
    return new Timing(schedule, zone);
  }

  /** The value of a field that some units have; of another unit it is at fault, and null. */
  private static @Nullable Value only(
      Fields fields, String name, @Nullable CalendarUnit unit, Set<CalendarUnit> units) {
    if (unit == null || units.contains(unit)) {
      return fields.optional(name);
    }
    String instead = unit == CalendarUnit.HOUR && name.equals("at") ? "; use at_minute" : "";
    fields.refuse(name, "does not fit a schedule of unit " + unit.word() + instead);
    return null;
  }

  private static LocalTime timeOf(@Nullable Value at, @Nullable Value atMinute) {
    if (at != null) {
      return orElse(at.time(), LocalTime.MIDNIGHT);
    }
    return atMinute == null
        ? LocalTime.MIDNIGHT
        : LocalTime.of(0, orElse(atMinute.integer(0, 59), 0L).intValue());
  }

  private static LocalDate reference(@Nullable Value value) {
    if (value == null) {
      return CalendarSchedule.DEFAULT_REFERENCE;
    }
    LocalDate date = orElse(value.date(), CalendarSchedule.DEFAULT_REFERENCE);
    if (date.isBefore(CalendarSchedule.DEFAULT_REFERENCE) || date.isAfter(LAST_DATE)) {
      value.fault("must be from " + CalendarSchedule.DEFAULT_REFERENCE + " to " + LAST_DATE);
      return CalendarSchedule.DEFAULT_REFERENCE;
    }
    return date;
  }

  private static @Nullable Timing cron(Fields fields) {
    Value expr = fields.required("expr");
    String text = expr == null ? null : expr.text(1, CronSchedule.MAX_LENGTH);
    CronSchedule schedule = expr == null || text == null ? null : expr.checked(CronSchedule::parse);
    ZoneId zone = zone(fields);
    return schedule == null ? null : new Timing(schedule, zone);
  }

  private static Timing fixed(Fields fields) {
    int seconds = fields.requiredNumber("seconds", 1, MAX_FIXED_SECONDS);
    Value epoch = fields.optional("epoch");
    Instant start = epoch == null ? Instant.EPOCH : orElse(epoch.instant(), Instant.EPOCH);
    if (epoch != null && start.isBefore(Instant.EPOCH)) {
      epoch.fault("must not be before " + Instant.EPOCH);
    }
    refuseZone(fields, "fixed");
    return new Timing(new FixedSchedule(Duration.ofSeconds(seconds), start), null);
  }

  private static Timing session(Fields fields) {
    int seconds = fields.requiredNumber("seconds", 1, MAX_SESSION_SECONDS);
    refuseZone(fields, "session");
    return new Timing(new SessionSchedule(Duration.ofSeconds(seconds)), null);
  }

  private static void refuseZone(Fields fields, String type) {
    fields.refuse("zone", "does not fit a schedule of type " + type + ": it counts elapsed time");
  }

  /** The limit's own zone; null is the subject's. */
  private static @Nullable ZoneId zone(Fields fields) {
    Value zone = fields.optional("zone");
    boolean own =
        zone != null && !(zone.node().isTextual() && zone.node().textValue().equals(SUBJECT_ZONE));
    return zone != null && own ? zone.zone() : null;
  }

  private static <T> T orElse(@Nullable T read, T atFault) {
    return read == null ? atFault : read;
  }
}
