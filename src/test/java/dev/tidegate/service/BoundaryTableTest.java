package dev.tidegate.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.calendar.CalendarSchedule;
import dev.tidegate.domain.calendar.CalendarUnit;
import dev.tidegate.domain.calendar.CronSchedule;
import dev.tidegate.domain.calendar.FixedSchedule;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.domain.calendar.PeriodicSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BoundaryTableTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ZoneId LORD_HOWE = ZoneId.of("Australia/Lord_Howe");
  private static final ZoneId APIA = ZoneId.of("Pacific/Apia");

  /** Half an hour before the clocks of Berlin go back. */
  private static final Instant START = Instant.parse("2026-10-25T00:30:00Z");

  private static final PeriodicSchedule SECONDS =
      new FixedSchedule(Duration.ofSeconds(1), Instant.EPOCH);
  private static final PeriodicSchedule DAYS = CalendarSchedule.every(CalendarUnit.DAY);
  private static final PeriodicSchedule WEEKS = CalendarSchedule.every(CalendarUnit.WEEK);

  private static final List<PeriodicSchedule> SCHEDULES =
      List.of(
          SECONDS,
          new FixedSchedule(Duration.ofSeconds(7), START),
          new FixedSchedule(Duration.ofHours(5), Instant.EPOCH),
          CalendarSchedule.every(CalendarUnit.HOUR),
          CalendarSchedule.every(3, CalendarUnit.HOUR),
          DAYS,
          WEEKS,
          CalendarSchedule.every(CalendarUnit.MONTH).withDayOfMonth(31),
          CalendarSchedule.every(CalendarUnit.YEAR),
          CronSchedule.parse("* * * * *"),
          CronSchedule.parse("*/15 9-17 * * MON-FRI"));

  private static Set<BoundaryTable.Key> keys(ZoneId... zones) {
    return Set.of(zones).stream()
        .flatMap(zone -> SCHEDULES.stream().map(schedule -> new BoundaryTable.Key(schedule, zone)))
        .collect(Collectors.toSet());
  }

  private static void assertSame(BoundaryTable.Key key, Instant now, BoundaryTable.Pair found) {
    Period current = key.schedule().periodAt(now, key.zone());
    assertEquals(current, found.current(), () -> key + " at " + now);
    assertEquals(
        key.schedule().periodAfter(current, key.zone()), found.next(), () -> key + " at " + now);
  }

  private static void look(BoundaryTable table, BoundaryTable.Key key, Instant now) {
    assertSame(key, now, table.at(key.schedule(), key.zone(), now));
  }

  @Test
  void noLookUpMissesWhileTheTableIsRefreshedEveryMinute() {
    BoundaryTable table = new BoundaryTable(100);
    Set<BoundaryTable.Key> wanted = keys(BERLIN, LORD_HOWE);
    Set<PeriodicSchedule> schedules = Set.copyOf(SCHEDULES);
    Random random = new Random(7);
    for (int minute = 0; minute < 90; minute++) {
      Instant refreshed = START.plus(Duration.ofMinutes(minute));
      table.refresh(wanted, schedules, refreshed);
      for (int n = 0; n < 8; n++) {
        Instant now = refreshed.plusMillis(n == 0 ? 0 : random.nextInt(60_000));
        wanted.forEach(key -> look(table, key, now));
      }
    }
    assertEquals(0, table.misses());
    assertEquals(90L * 8 * wanted.size(), table.hits());
    assertEquals(wanted.size(), table.size());
  }

  @Test
  void theShortestPeriodsLastUntilALateRefresh() {
    BoundaryTable table = new BoundaryTable(1);
    table.refresh(Set.of(new BoundaryTable.Key(SECONDS, BERLIN)), Set.of(SECONDS), START);
    for (int second = 0; second < BoundaryTable.ROW_LENGTH - 1; second++) {
      look(table, new BoundaryTable.Key(SECONDS, BERLIN), START.plusSeconds(second));
    }
    assertEquals(0, table.misses());
    look(
        table,
        new BoundaryTable.Key(SECONDS, BERLIN),
        START.plusSeconds(BoundaryTable.ROW_LENGTH - 1));
    assertEquals(1, table.misses());
  }

  @Test
  void withoutARefreshEveryAnswerIsTheSame() {
    BoundaryTable table = new BoundaryTable(100);
    BoundaryTable none = new BoundaryTable(0);
    for (int minute = 0; minute < 600; minute++) {
      Instant now = START.plus(Duration.ofMinutes(minute)).plusMillis(minute);
      for (BoundaryTable.Key key : keys(BERLIN)) {
        look(table, key, now);
        look(none, key, now);
      }
    }
    assertEquals(0, none.size());
    assertEquals(0, none.hits());
  }

  @Test
  void aClockThatStepsBackIsAnsweredRight() {
    BoundaryTable table = new BoundaryTable(100);
    table.refresh(keys(BERLIN), Set.copyOf(SCHEDULES), START);
    for (BoundaryTable.Key key : keys(BERLIN)) {
      look(table, key, START.minus(Duration.ofDays(400)));
      look(table, key, START);
      look(table, key, START.plus(Duration.ofDays(400)));
    }
  }

  @Test
  void anEndBelongsToTheNextPeriod() {
    BoundaryTable table = new BoundaryTable(100);
    for (BoundaryTable.Key key : keys(BERLIN)) {
      Instant end = table.at(key.schedule(), key.zone(), START).current().end();
      look(table, key, end.minusMillis(1));
      look(table, key, end);
    }
  }

  @Test
  void theTableHoldsNoMoreThanItMay() {
    BoundaryTable table = new BoundaryTable(3);
    Set<BoundaryTable.Key> wanted = keys(BERLIN, LORD_HOWE, APIA);
    table.refresh(wanted, Set.copyOf(SCHEDULES), START);
    assertEquals(3, table.size());
    for (int round = 0; round < 3; round++) {
      wanted.forEach(key -> look(table, key, START));
      assertEquals(3, table.size());
    }
  }

  @Test
  void aRowOfAZoneThatIsUsedStays() {
    BoundaryTable table = new BoundaryTable(100);
    Set<PeriodicSchedule> schedules = new HashSet<>(Set.of(DAYS, WEEKS));
    look(table, new BoundaryTable.Key(DAYS, APIA), START);
    table.refresh(Set.of(), schedules, START);
    assertEquals(1, table.size());
    look(table, new BoundaryTable.Key(DAYS, APIA), START);
    table.refresh(Set.of(), schedules, START);
    assertEquals(1, table.size());
    assertEquals(1, table.hits());
  }

  @Test
  void aRowOfAZoneThatIsNotUsedGoes() {
    BoundaryTable table = new BoundaryTable(100);
    look(table, new BoundaryTable.Key(DAYS, APIA), START);
    table.refresh(Set.of(), Set.of(DAYS), START);
    table.refresh(Set.of(), Set.of(DAYS), START);
    assertEquals(0, table.size());
  }

  @Test
  void aRowOfADroppedScheduleGoes() {
    BoundaryTable table = new BoundaryTable(100);
    Set<BoundaryTable.Key> wanted = Set.of(new BoundaryTable.Key(DAYS, BERLIN));
    look(table, new BoundaryTable.Key(DAYS, BERLIN), START);
    look(table, new BoundaryTable.Key(WEEKS, BERLIN), START);
    look(table, new BoundaryTable.Key(WEEKS, APIA), START);
    table.refresh(wanted, Set.of(DAYS), START);
    assertEquals(1, table.size());
    look(table, new BoundaryTable.Key(DAYS, BERLIN), START);
    assertTrue(table.hits() > 0);
  }
}
