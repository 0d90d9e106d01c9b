package dev.tidegate.domain.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The engine against a walk that only reads the local clock. */
class ClockWalkTest {

  private static final long SEED = 20_261_130;
  private static final int TRANSITIONS_PER_ZONE = 2;
  private static final Instant FROM = Instant.EPOCH;
  private static final Instant TO = Instant.parse("2045-01-01T00:00:00Z");
  private static final Duration AROUND = Duration.ofDays(3);
  private static final Duration BEFORE = Duration.ofDays(5);

  /** A schedule, the local times it stands for, and how the clock is read. */
  private record Probe(
      PeriodicSchedule schedule, boolean everyReading, Predicate<LocalDateTime> pattern) {}

  private static final List<Probe> PROBES =
      List.of(
          every(CalendarSchedule.every(CalendarUnit.HOUR), local -> local.getMinute() == 0),
          every(
              CalendarSchedule.every(CalendarUnit.HOUR).withAt(LocalTime.of(0, 20)),
              local -> local.getMinute() == 20),
          once(CalendarSchedule.every(2, CalendarUnit.HOUR), local -> hours(local, 2, 0)),
          once(
              CalendarSchedule.every(5, CalendarUnit.HOUR).withAt(LocalTime.of(0, 30)),
              local -> hours(local, 5, 30)),
          once(CalendarSchedule.every(24, CalendarUnit.HOUR), local -> at(local, 0, 0)),
          once(CalendarSchedule.every(CalendarUnit.DAY), local -> at(local, 0, 0)),
          once(
              CalendarSchedule.every(CalendarUnit.DAY).withAt(LocalTime.of(2, 30)),
              local -> at(local, 2, 30)),
          once(
              CalendarSchedule.every(3, CalendarUnit.DAY).withAt(LocalTime.of(23, 30)),
              local -> at(local, 23, 30) && local.toLocalDate().toEpochDay() % 3 == 0),
          once(
              CalendarSchedule.every(CalendarUnit.WEEK).withDayOfWeek(DayOfWeek.SUNDAY),
              local -> at(local, 0, 0) && local.getDayOfWeek() == DayOfWeek.SUNDAY),
          once(
              CalendarSchedule.every(CalendarUnit.MONTH).withDayOfMonth(31),
              local -> at(local, 0, 0) && local.plusDays(1).getDayOfMonth() == 1),
          every(CronSchedule.parse("*/15 * * * *"), local -> local.getMinute() % 15 == 0),
          every(CronSchedule.parse("7 */3 * * *"), ClockWalkTest::sevenPastEveryThird),
          every(CronSchedule.parse("*/5 *,3 * * *"), local -> local.getMinute() % 5 == 0),
          once(CronSchedule.parse("0 0 * * *"), local -> at(local, 0, 0)),
          once(CronSchedule.parse("7 0-23/3 * * *"), ClockWalkTest::sevenPastEveryThird),
          once(
              CronSchedule.parse("*/10 1-2 * * SAT,SUN"),
              local ->
                  local.getMinute() % 10 == 0
                      && (local.getHour() == 1 || local.getHour() == 2)
                      && local.getDayOfWeek().getValue() > 5));

  @Test
  void theEngineFindsWhatTheClockShowsAroundTransitionsOfEveryZone() {
    Random random = new Random(SEED);
    int walks = 0;
    for (ZoneId zone : SampleZones.distinct()) {
      for (ZoneOffsetTransition transition : sample(zone, random)) {
        compareAround(transition.getInstant(), zone, stride(transition), PROBES);
        walks++;
      }
    }
    assertTrue(walks > 400, "only " + walks + " walks");
  }

  @Test
  void theEngineFindsWhatTheClockShowsForAnyGridOfHoursAroundLongGaps() {
    List<Probe> grids = new ArrayList<>();
    for (int hours = 2; hours <= 48; hours++) {
      int every = hours;
      grids.add(
          once(
              CalendarSchedule.every(hours, CalendarUnit.HOUR).withAt(LocalTime.of(0, 45)),
              local -> hours(local, every, 45)));
    }
    Set<Instant> seen = new HashSet<>();
    for (ZoneId zone : SampleZones.distinct()) {
      for (ZoneOffsetTransition transition : SampleZones.transitions(zone, FROM, TO)) {
        boolean isLong = transition.getDuration().abs().compareTo(Duration.ofHours(2)) >= 0;
        if (isLong && seen.add(transition.getInstant())) {
          compareAround(transition.getInstant(), zone, stride(transition), grids);
        }
      }
    }
    assertTrue(seen.size() > 20, "only " + seen.size() + " long shifts");
  }

  private static void compareAround(
      Instant transition, ZoneId zone, int strideSeconds, List<Probe> probes) {
    Instant middle = transition.truncatedTo(ChronoUnit.MINUTES);
    Instant from = middle.minus(AROUND);
    Instant to = middle.plus(AROUND);
    ClockWalk walk =
        new ClockWalk(zone, middle.minus(BEFORE), to.plus(Duration.ofDays(1)), strideSeconds);
    for (Probe probe : probes) {
      NavigableSet<Instant> shown =
          probe.everyReading()
              ? walk.everyReading(probe.pattern())
              : walk.eachOnce(probe.pattern());
      SortedSet<Instant> expected = shown.subSet(from, to);
      assertEquals(
          List.copyOf(expected),
          startsIn(probe.schedule(), zone, from, to),
          () -> probe.schedule() + " in " + zone + " around " + transition);
    }
  }

  private static List<Instant> startsIn(
      PeriodicSchedule schedule, ZoneId zone, Instant from, Instant to) {
    List<Instant> starts = new ArrayList<>();
    Period period = schedule.periodAt(from, zone);
    while (period.start().isBefore(to)) {
      if (!period.start().isBefore(from)) {
        starts.add(period.start());
      }
      period = schedule.periodAfter(period, zone);
    }
    return starts;
  }

  private static List<ZoneOffsetTransition> sample(ZoneId zone, Random random) {
    List<ZoneOffsetTransition> all = SampleZones.transitions(zone, FROM, TO);
    Collections.shuffle(all, random);
    return all.subList(0, Math.min(TRANSITIONS_PER_ZONE, all.size()));
  }

  private static int stride(ZoneOffsetTransition transition) {
    boolean wholeMinutes =
        transition.getOffsetBefore().getTotalSeconds() % 60 == 0
            && transition.getOffsetAfter().getTotalSeconds() % 60 == 0;
    return wholeMinutes ? 60 : 1;
  }

  private static Probe every(PeriodicSchedule schedule, Predicate<LocalDateTime> pattern) {
    return new Probe(schedule, true, onWholeMinutes(pattern));
  }

  private static Probe once(PeriodicSchedule schedule, Predicate<LocalDateTime> pattern) {
    return new Probe(schedule, false, onWholeMinutes(pattern));
  }

  private static Predicate<LocalDateTime> onWholeMinutes(Predicate<LocalDateTime> pattern) {
    return local -> local.getSecond() == 0 && pattern.test(local);
  }

  private static boolean at(LocalDateTime local, int hour, int minute) {
    return local.getMinute() == minute && local.getHour() == hour;
  }

  private static boolean sevenPastEveryThird(LocalDateTime local) {
    return local.getMinute() == 7 && local.getHour() % 3 == 0;
  }

  private static boolean hours(LocalDateTime local, int every, int minute) {
    return local.getMinute() == minute
        && Math.floorDiv(local.toEpochSecond(ZoneOffset.UTC), 3600) % every == 0;
  }
}
