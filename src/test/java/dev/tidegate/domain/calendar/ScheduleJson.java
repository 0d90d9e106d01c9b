package dev.tidegate.domain.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Locale;

/** Reads the schedules of the case tables. */
final class ScheduleJson {

  private ScheduleJson() {}

  static Schedule read(JsonNode json) {
    String type = json.path("type").asText();
    return switch (type) {
      case "calendar" -> calendar(json);
      case "cron" -> CronSchedule.parse(json.path("expr").asText());
      case "fixed" -> new FixedSchedule(seconds(json), Instant.parse(json.path("epoch").asText()));
      case "session" -> new SessionSchedule(seconds(json));
      default -> throw new IllegalArgumentException("unknown schedule type " + type);
    };
  }

  private static Duration seconds(JsonNode json) {
    return Duration.ofSeconds(json.path("seconds").asLong());
  }

  private static CalendarSchedule calendar(JsonNode json) {
    CalendarUnit unit = CalendarUnit.valueOf(json.path("unit").asText().toUpperCase(Locale.ROOT));
    CalendarSchedule schedule = CalendarSchedule.every(json.path("interval").asInt(), unit);
    if (json.has("at")) {
      schedule = schedule.withAt(LocalTime.parse(json.path("at").asText()));
    }
    if (json.has("at_minute")) {
      schedule = schedule.withAt(LocalTime.of(0, json.path("at_minute").asInt()));
    }
    if (json.has("day_of_week")) {
      schedule = schedule.withDayOfWeek(dayOfWeek(json.path("day_of_week").asText()));
    }
    if (json.has("day_of_month")) {
      schedule = schedule.withDayOfMonth(json.path("day_of_month").asInt());
    }
    if (json.has("month")) {
      schedule = schedule.withMonth(json.path("month").asInt());
    }
    if (json.has("reference_date")) {
      schedule = schedule.withReference(LocalDate.parse(json.path("reference_date").asText()));
    }
    return schedule;
  }

  private static DayOfWeek dayOfWeek(String abbreviation) {
    return Arrays.stream(DayOfWeek.values())
        .filter(day -> day.name().startsWith(abbreviation))
        .findFirst()
        .orElseThrow();
  }
}
