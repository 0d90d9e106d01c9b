package dev.tidegate.domain.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class CalendarScheduleTest {

  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
  private static final ZoneId APIA = ZoneId.of("Pacific/Apia");

  private static final CalendarSchedule HOURLY = CalendarSchedule.every(CalendarUnit.HOUR);
  private static final CalendarSchedule DAILY = CalendarSchedule.every(CalendarUnit.DAY);
  private static final CalendarSchedule WEEKLY = CalendarSchedule.every(CalendarUnit.WEEK);
  private static final CalendarSchedule MONTHLY = CalendarSchedule.every(CalendarUnit.MONTH);
  private static final CalendarSchedule YEARLY = CalendarSchedule.every(CalendarUnit.YEAR);

  @Test
  @DisplayName("C15 a month of Tokyo ends at its local midnight, not nine hours later")
  void monthOfTokyo() {
    ZoneId tokyo = ZoneId.of("Asia/Tokyo");
    Instant reset = Instant.parse("2026-07-31T15:00:00Z");
    assertEquals(reset, MONTHLY.periodAt(reset.minusMillis(1), tokyo).end());
    assertEquals(reset, MONTHLY.periodAt(reset, tokyo).start());
  }

  @Test
  @DisplayName("C16 a month is a calendar month: 31 January is one day from its end")
  void monthIsNotThirtyDays() {
    Period period = MONTHLY.periodAt(Instant.parse("2026-01-31T00:00:00Z"), UTC);
    assertEquals(Instant.parse("2026-01-01T00:00:00Z"), period.start());
    assertEquals(Instant.parse("2026-02-01T00:00:00Z"), period.end());
  }

  @Test
  @DisplayName("C17 month anchor 31 in early March")
  void monthAnchorInEarlyMarch() {
    Period period = MONTHLY.withDayOfMonth(31).periodAt(Instant.parse("2026-03-02T00:00:00Z"), UTC);
    assertEquals(Instant.parse("2026-02-28T00:00:00Z"), period.start());
    assertEquals(Instant.parse("2026-03-31T00:00:00Z"), period.end());
  }

  @Test
  @DisplayName("C18 both passes of a repeated hour are periods of their own")
  void repeatedHour() {
    Period first = HOURLY.periodAt(Instant.parse("2026-11-01T05:30:00Z"), NEW_YORK);
    Period second = HOURLY.periodAt(Instant.parse("2026-11-01T06:30:00Z"), NEW_YORK);
    assertEquals(Instant.parse("2026-11-01T05:00:00Z"), first.start());
    assertEquals(Instant.parse("2026-11-01T06:00:00Z"), second.start());
    assertEquals(first.ordinal() + 1, second.ordinal());
  }

  @Test
  @DisplayName("C26 a time in a gap is back at its place the day after")
  void timeIsNotStuckAfterGap() {
    assertEquals(
        instants("2026-03-07T07:30:00Z", "2026-03-08T07:30:00Z", "2026-03-09T06:30:00Z"),
        starts(DAILY.withAt(LocalTime.of(2, 30)), "2026-03-07T12:00:00Z", NEW_YORK, 3));
  }

  @Test
  @DisplayName("C26 a 31st is a 31st again after February")
  void dayIsNotStuckAfterFebruary() {
    assertEquals(
        instants("2026-01-31T00:00:00Z", "2026-02-28T00:00:00Z", "2026-03-31T00:00:00Z"),
        starts(MONTHLY.withDayOfMonth(31), "2026-02-01T00:00:00Z", UTC, 3));
  }

  @Test
  void ordinalsOfSinglePeriodsCountFrom1970InLocalTime() {
    Instant monday = Instant.parse("2026-10-11T22:00:00Z");
    long epochDay = LocalDate.of(2026, 10, 12).toEpochDay();
    assertEquals(epochDay * 24 + 1 - 2, HOURLY.periodAt(monday, BERLIN).ordinal());
    assertEquals(epochDay, DAILY.periodAt(monday, BERLIN).ordinal());
    assertEquals(2962, WEEKLY.periodAt(monday, BERLIN).ordinal());
    assertEquals(56 * 12 + 9, MONTHLY.periodAt(monday, BERLIN).ordinal());
    assertEquals(56, YEARLY.periodAt(monday, BERLIN).ordinal());
  }

  @Test
  void theOrdinalOfWeeksIsTheirStartInWeeksSince1970WhateverTheDay() {
    for (DayOfWeek day : DayOfWeek.values()) {
      Period week =
          WEEKLY.withDayOfWeek(day).periodAt(Instant.parse("2026-10-14T12:00:00Z"), BERLIN);
      long epochDay = LocalDate.ofInstant(week.start(), BERLIN).toEpochDay();
      assertEquals(Math.floorDiv(epochDay, 7), week.ordinal(), day.name());
    }
  }

  @Test
  void theReferenceChangesNothingForSinglePeriods() {
    Instant now = Instant.parse("2026-10-14T12:00:00Z");
    for (CalendarUnit unit : CalendarUnit.values()) {
      CalendarSchedule schedule = CalendarSchedule.every(unit);
      assertEquals(
          schedule.periodAt(now, BERLIN),
          schedule.withReference(LocalDate.of(2026, 10, 13)).periodAt(now, BERLIN),
          unit.word());
    }
  }

  @Test
  void thePeriodThatStartsAtTheReferenceHasOrdinalZero() {
    LocalDate reference = LocalDate.of(2026, 1, 5);
    Instant start = reference.atStartOfDay(BERLIN).toInstant();
    for (CalendarUnit unit : CalendarUnit.values()) {
      CalendarSchedule schedule =
          CalendarSchedule.every(3, unit).withDayOfMonth(5).withReference(reference);
      Period period = schedule.periodAt(start, BERLIN);
      assertEquals(start, period.start(), unit.word());
      assertEquals(0, period.ordinal(), unit.word());
      assertEquals(-1, schedule.periodAt(start.minusMillis(1), BERLIN).ordinal(), unit.word());
    }
  }

  @Test
  void countingStartsOnTheFirstFittingDateOnOrAfterTheReference() {
    LocalDate reference = LocalDate.of(2026, 1, 20);
    Map<CalendarUnit, String> starts =
        Map.of(
            CalendarUnit.WEEK, "2026-01-26T00:00:00Z",
            CalendarUnit.MONTH, "2026-02-15T00:00:00Z",
            CalendarUnit.YEAR, "2027-01-15T00:00:00Z");
    starts.forEach(
        (unit, start) -> {
          CalendarSchedule schedule =
              CalendarSchedule.every(2, unit).withDayOfMonth(15).withReference(reference);
          assertEquals(0, schedule.periodAt(Instant.parse(start), UTC).ordinal());
          assertEquals(-1, schedule.periodAt(Instant.parse(start).minusMillis(1), UTC).ordinal());
        });
  }

  @Test
  void aDayThatNeverWasTakesNoOrdinal() {
    Period last = DAILY.periodAt(Instant.parse("2011-12-30T09:59:59.999Z"), APIA);
    Period next = DAILY.periodAt(Instant.parse("2011-12-30T10:00:00Z"), APIA);
    assertEquals(LocalDate.of(2011, 12, 29).toEpochDay(), last.ordinal());
    assertEquals(last.ordinal() + 1, next.ordinal());
    assertEquals(
        LocalDate.of(2026, 1, 1).toEpochDay() - 1,
        DAILY.periodAt(Instant.parse("2026-01-01T00:00:00Z"), APIA).ordinal());
  }

  @Test
  void aReferenceOnTheDayThatNeverWasIsCountedFromTheDayAfter() {
    CalendarSchedule schedule =
        CalendarSchedule.every(2, CalendarUnit.HOUR).withReference(LocalDate.of(2011, 12, 30));
    Period first = schedule.periodAt(Instant.parse("2011-12-30T10:00:00Z"), APIA);
    assertEquals(Instant.parse("2011-12-30T10:00:00Z"), first.start());
    assertEquals(0, first.ordinal());
    assertEquals(12, schedule.periodAt(Instant.parse("2011-12-31T10:00:00Z"), APIA).ordinal());
  }

  @Test
  void aRepeatedOrSkippedHourMovesNoOrdinalOfDays() {
    for (int year = 1970; year <= 2100; year++) {
      Instant noon = LocalDateTime.of(year, 7, 1, 12, 0).atZone(NEW_YORK).toInstant();
      assertEquals(LocalDate.of(year, 7, 1).toEpochDay(), DAILY.periodAt(noon, NEW_YORK).ordinal());
    }
  }

  @Test
  void twoHourGridsOfTrollLoseOnePointASpring() {
    ZoneId troll = ZoneId.of("Antarctica/Troll");
    CalendarSchedule schedule = CalendarSchedule.every(2, CalendarUnit.HOUR);
    long winter2100 = schedule.periodAt(Instant.parse("2100-01-01T00:00:00Z"), troll).ordinal();
    long winter2101 = schedule.periodAt(Instant.parse("2101-01-01T00:00:00Z"), troll).ordinal();
    assertEquals(365 * 12 - 1, winter2101 - winter2100);
  }

  @Test
  void hoursOfLordHoweThatLastHalfAnHourMayShareAnOrdinal() {
    ZoneId lordHowe = ZoneId.of("Australia/Lord_Howe");
    Period half =
        HOURLY
            .withAt(LocalTime.of(0, 30))
            .periodAt(Instant.parse("2026-10-03T15:00:00Z"), lordHowe);
    assertEquals(Instant.parse("2026-10-03T15:30:00Z"), half.end());
    assertEquals(
        half.ordinal(), HOURLY.withAt(LocalTime.of(0, 30)).periodAfter(half, lordHowe).ordinal());
  }

  @Test
  void anAnchoredScheduleHasABoundaryAtItsAnchorAndOneUnitLater() {
    LocalDateTime local = LocalDateTime.of(2026, 1, 31, 13, 25, 10);
    Instant anchor = local.atZone(UTC).toInstant();
    Map<CalendarUnit, String> ends =
        Map.of(
            CalendarUnit.HOUR, "2026-01-31T14:25:10Z",
            CalendarUnit.DAY, "2026-02-01T13:25:10Z",
            CalendarUnit.WEEK, "2026-02-07T13:25:10Z",
            CalendarUnit.MONTH, "2026-02-28T13:25:10Z",
            CalendarUnit.YEAR, "2027-01-31T13:25:10Z");
    ends.forEach(
        (unit, end) -> {
          Period period = CalendarSchedule.every(unit).anchoredAt(local).periodAt(anchor, UTC);
          assertEquals(anchor, period.start(), unit.word());
          assertEquals(Instant.parse(end), period.end(), unit.word());
        });
  }

  @Test
  void anAnchoredGridOfHoursIsCountedFromItsAnchor() {
    LocalDateTime local = LocalDateTime.of(2026, 1, 31, 13, 25, 10);
    CalendarSchedule schedule = CalendarSchedule.every(5, CalendarUnit.HOUR).anchoredAt(local);
    Period period = schedule.periodAt(Instant.parse("2026-01-31T13:25:10Z"), UTC);
    assertEquals(Instant.parse("2026-01-31T18:25:10Z"), period.end());
    assertEquals(0, period.ordinal());
  }

  @Test
  void aListOfPeriodsStartsWithTheCurrentOne() {
    Instant now = Instant.parse("2026-10-14T12:00:00Z");
    List<Period> periods = DAILY.periodsFrom(now, BERLIN, 1000);
    assertTrue(periods.getFirst().contains(now));
    assertEquals(1000, periods.size());
    assertThrows(IllegalArgumentException.class, () -> DAILY.periodsFrom(now, BERLIN, 0));
    assertThrows(IllegalArgumentException.class, () -> DAILY.periodsFrom(now, BERLIN, 1001));
  }

  @Test
  void theLargestIntervalsAndTheEndsOfTheRangeWork() {
    for (CalendarUnit unit : CalendarUnit.values()) {
      CalendarSchedule schedule = CalendarSchedule.every(CalendarSchedule.MAX_INTERVAL, unit);
      for (String now : List.of("1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z")) {
        assertTrue(schedule.periodAt(Instant.parse(now), APIA).contains(Instant.parse(now)));
      }
    }
  }

  @Test
  void fieldsOutOfRangeAreRefusedByName() {
    refused("interval: 0 is not from 1 to 1000", () -> CalendarSchedule.every(0, CalendarUnit.DAY));
    refused(
        "interval: 1001 is not from 1 to 1000",
        () -> CalendarSchedule.every(1001, CalendarUnit.DAY));
    refused("day_of_month: 0 is not from 1 to 31", () -> MONTHLY.withDayOfMonth(0));
    refused("day_of_month: 32 is not from 1 to 31", () -> MONTHLY.withDayOfMonth(32));
    refused("month: 0 is not from 1 to 12", () -> YEARLY.withMonth(0));
    refused("month: 13 is not from 1 to 12", () -> YEARLY.withMonth(13));
    refused(
        "at: 10:00:00.500 is not a whole second",
        () -> DAILY.withAt(LocalTime.of(10, 0).plusNanos(500_000_000)));
    refused(
        "reference_date: 1969-12-31 is not from 1970-01-01 to 8999-12-31",
        () -> DAILY.withReference(LocalDate.of(1969, 12, 31)));
    refused(
        "reference_date: 9000-01-01 is not from 1970-01-01 to 8999-12-31",
        () -> DAILY.withReference(LocalDate.of(9000, 1, 1)));
  }

  @Test
  void schedulesAreEqualWhenTheirFieldsAre() {
    assertEquals(WEEKLY, CalendarSchedule.every(1, CalendarUnit.WEEK));
    assertNotEquals(WEEKLY, WEEKLY.withDayOfWeek(DayOfWeek.SUNDAY));
    assertFalse(WEEKLY.equals(DAILY));
  }

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  private static List<Instant> starts(
      PeriodicSchedule schedule, String now, ZoneId zone, int count) {
    return schedule.periodsFrom(Instant.parse(now), zone, count).stream()
        .map(Period::start)
        .toList();
  }

  private static List<Instant> instants(String... texts) {
    return List.of(texts).stream().map(Instant::parse).toList();
  }
}
