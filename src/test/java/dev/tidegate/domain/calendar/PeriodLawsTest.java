package dev.tidegate.domain.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What holds for the periods of every schedule in every zone at every instant. */
class PeriodLawsTest {

  private static final long SEED = 71_001;
  private static final Instant FROM = Instant.EPOCH;
  private static final Instant TO = Instant.parse("2100-01-01T00:00:00Z");

  /** Later transitions repeat the same rules every year. */
  private static final Instant RULES_ONLY = Instant.parse("2038-01-01T00:00:00Z");

  private static final int SAMPLES = 20_000;
  private static final Duration AROUND = Duration.ofDays(3);

  @Test
  void periodsTileTimeForAnyScheduleZoneAndInstant() {
    Random random = new Random(SEED);
    List<ZoneId> zones = List.copyOf(SampleZones.distinct());
    for (int sample = 0; sample < SAMPLES; sample++) {
      ZoneId zone = zones.get(random.nextInt(zones.size()));
      Instant instant = Instant.ofEpochMilli(random.nextLong(TO.toEpochMilli()));
      checkLaws(SampleSchedules.any(random), zone, instant);
    }
  }

  @Test
  void periodsTileTimeAroundEveryTransitionOfEveryZone() {
    Random random = new Random(SEED);
    List<PeriodicSchedule> schedules = SampleSchedules.representative();
    int transitions = 0;
    for (ZoneId zone : SampleZones.distinct()) {
      for (ZoneOffsetTransition transition : SampleZones.transitions(zone, FROM, RULES_ONLY)) {
        for (PeriodicSchedule schedule : schedules) {
          long offsetMillis = random.nextLong(-AROUND.toMillis(), AROUND.toMillis());
          checkLaws(schedule, zone, transition.getInstant());
          checkLaws(schedule, zone, transition.getInstant().plusMillis(offsetMillis));
        }
        transitions++;
      }
    }
    assertTrue(transitions > 10_000, "only " + transitions + " transitions");
  }

  @Test
  void periodsFollowEachOtherThroughThreeDaysAroundLongShifts() {
    for (ZoneId zone : SampleZones.distinct()) {
      for (ZoneOffsetTransition transition : SampleZones.transitions(zone, FROM, TO)) {
        if (transition.getDuration().abs().compareTo(Duration.ofHours(2)) >= 0) {
          for (PeriodicSchedule schedule : SampleSchedules.representative()) {
            walkThrough(schedule, zone, transition.getInstant());
          }
        }
      }
    }
  }

  @Test
  void boundaryKFromTheAnchorIsWhereKStepsArrive() {
    Random random = new Random(SEED);
    List<ZoneId> zones = List.copyOf(SampleZones.distinct());
    for (int sample = 0; sample < 300; sample++) {
      CalendarSchedule schedule = SampleSchedules.calendar(random).withReference(date(random));
      if (schedule.calendarUnit() != CalendarUnit.HOUR) {
        checkSteps(schedule, zones.get(random.nextInt(zones.size())));
      }
    }
  }

  private static void checkSteps(CalendarSchedule schedule, ZoneId zone) {
    LocalDate anchor = firstDate(schedule);
    TreeSet<Instant> boundaries = new TreeSet<>();
    for (int k = 0; k <= 60; k++) {
      LocalDateTime local = dateOf(schedule, anchor, k).atTime(schedule.at());
      boundaries.add(ZonedDateTime.ofLocal(local, zone, null).toInstant());
    }
    List<Instant> direct = List.copyOf(boundaries).subList(0, 50);
    List<Period> steps = schedule.periodsFrom(direct.getFirst(), zone, direct.size());
    assertEquals(direct, steps.stream().map(Period::start).toList(), () -> schedule + " " + zone);
    for (Period step : steps) {
      assertEquals(step, schedule.periodAt(step.start(), zone));
    }
  }

  /** The first date of the schedule on or after its reference, found day by day. */
  private static LocalDate firstDate(CalendarSchedule schedule) {
    LocalDate date = schedule.reference();
    while (!fits(schedule, date)) {
      date = date.plusDays(1);
    }
    return date;
  }

  private static boolean fits(CalendarSchedule schedule, LocalDate date) {
    boolean dayFits = date.getDayOfMonth() == Math.min(schedule.dayOfMonth(), date.lengthOfMonth());
    return switch (schedule.calendarUnit()) {
      case HOUR, DAY -> true;
      case WEEK -> date.getDayOfWeek() == schedule.dayOfWeek();
      case MONTH -> dayFits;
      case YEAR -> dayFits && date.getMonthValue() == schedule.month();
    };
  }

  private static LocalDate dateOf(CalendarSchedule schedule, LocalDate anchor, int k) {
    long units = (long) k * schedule.interval();
    return switch (schedule.calendarUnit()) {
      case HOUR -> throw new IllegalArgumentException("hours have no date");
      case DAY -> anchor.plusDays(units);
      case WEEK -> anchor.plusWeeks(units);
      case MONTH -> clamped(anchor.withDayOfMonth(1).plusMonths(units), schedule.dayOfMonth());
      case YEAR -> clamped(anchor.withDayOfMonth(1).plusYears(units), schedule.dayOfMonth());
    };
  }

  private static LocalDate clamped(LocalDate first, int dayOfMonth) {
    return first.withDayOfMonth(Math.min(dayOfMonth, first.lengthOfMonth()));
  }

  private static LocalDate date(Random random) {
    return LocalDate.EPOCH.plusDays(random.nextInt(30_000));
  }

  private static void walkThrough(PeriodicSchedule schedule, ZoneId zone, Instant transition) {
    Period period = schedule.periodAt(transition.minus(AROUND), zone);
    while (period.start().isBefore(transition.plus(AROUND))) {
      Period next = schedule.periodAfter(period, zone);
      checkNeighbours(schedule, zone, period, next);
      period = next;
    }
  }

  private static void checkLaws(PeriodicSchedule schedule, ZoneId zone, Instant instant) {
    Period period = schedule.periodAt(instant, zone);
    String what = schedule + " in " + zone + " at " + instant + ": " + period;
    assertTrue(period.contains(instant), what);
    assertEquals(period, schedule.periodAt(period.start(), zone), what);
    assertEquals(period, schedule.periodAt(period.end().minusMillis(1), zone), what);
    checkNeighbours(schedule, zone, period, schedule.periodAfter(period, zone));
    Period before = schedule.periodAt(period.start().minusMillis(1), zone);
    checkNeighbours(schedule, zone, before, period);
  }

  private static void checkNeighbours(
      PeriodicSchedule schedule, ZoneId zone, Period period, Period next) {
    String what = schedule + " in " + zone + ": " + period + " before " + next;
    assertEquals(period.end(), next.start(), what);
    long growth = next.ordinal() - period.ordinal();
    switch (schedule) {
      case CronSchedule cron -> {
        assertEquals(Math.floorDiv(next.start().getEpochSecond(), 60), next.ordinal(), what);
        assertTrue(growth > 0, what);
      }
      case CalendarSchedule calendar when isEveryHour(calendar) ->
          assertTrue(growth >= (hasWholeHours(period) ? 1 : 0), what);
      default -> assertEquals(1, growth, what);
    }
  }

  private static boolean isEveryHour(CalendarSchedule schedule) {
    return schedule.calendarUnit() == CalendarUnit.HOUR && schedule.interval() == 1;
  }

  private static boolean hasWholeHours(Period period) {
    return Duration.between(period.start(), period.end()).toSeconds() % 3600 == 0;
  }

  @Test
  void everyHourHasItsMinuteWhateverTheHourOfTheTimeGiven() {
    ZoneId zone = ZoneId.of("America/New_York");
    CalendarSchedule half = CalendarSchedule.every(CalendarUnit.HOUR).withAt(LocalTime.of(0, 30));
    List<Period> periods = new ArrayList<>();
    for (int hour = 0; hour < 24; hour++) {
      periods.add(half.withAt(LocalTime.of(hour, 30)).periodAt(TO, zone));
    }
    assertEquals(List.of(half.periodAt(TO, zone)), periods.stream().distinct().toList());
  }
}
