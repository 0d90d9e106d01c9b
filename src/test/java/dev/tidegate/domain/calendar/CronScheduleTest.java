package dev.tidegate.domain.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {

  private static final ZoneId UTC = ZoneId.of("UTC");

  @ParameterizedTest(name = "{0} is refused: {1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      textBlock =
          """
          60 * * * *;         minute: 60 is above 59
          0 24 * * *;         hour: 24 is above 23
          0 0 0 * *;          day of month: 0 is below 1
          0 0 32 * *;         day of month: 32 is above 31
          0 0 * 0 *;          month: 0 is below 1
          0 0 * 13 *;         month: 13 is above 12
          0 0 * * 8;          day of week: 8 is above 7
          0 0 * FOO *;        month: 'FOO' is not a number or a name
          0 0 * JANUARY *;    month: 'JANUARY' is not a number or a name
          MON 0 * * *;        minute: 'MON' is not a number
          -5 0 * * *;         minute: a value is missing
          5- 0 * * *;         minute: a value is missing
          1,,2 0 * * *;       minute: a value is missing
          1, 0 * * *;         minute: a value is missing
          1-2-3 0 * * *;      minute: '2-3' is not a number
          9-5 0 * * *;        minute: the range 9-5 runs backwards
          0 0 * * 5-2;        day of week: the range 5-2 runs backwards
          */0 0 * * *;        minute: a step of 0 is below 1
          */60 0 * * *;       minute: a step of 60 is above 59
          */ 0 * * *;         minute: a value is missing
          1/2/3 0 * * *;      minute: '2/3' is not a number
          99999999999 0 * * *; minute: '99999999999' is not a number
          ? 0 * * *;          minute: '?' is not a number
          0 0 L * *;          day of month: 'L' is not a number
          0 0 * * MON#1;      day of week: 'MON#1' is not a number or a name
          +1 0 * * *;         minute: '+1' is not a number
          ٣ 0 * * *;          minute: '٣' is not a number
          0 0 30 2 *;         '0 0 30 2 *' can go eight years without a date, such as 30 February
          0 0 31 4,6,9,11 *;  '0 0 31 4,6,9,11 *' can go eight years without a date, such as 30 February
          @daily;             '@daily' is a macro: write the five fields it stands for
          0 0 * *;            a cron expression has five fields (minute, hour, day of month, month, day of week), not 4
          0 0 * * * *;        a cron expression has five fields (minute, hour, day of month, month, day of week), not 6
          "";                 a cron expression has five fields (minute, hour, day of month, month, day of week), not 0
          """)
  void unreadableExpressionsAreRefusedWithTheirReason(String expression, String reason) {
    var refusal =
        assertThrows(IllegalArgumentException.class, () -> CronSchedule.parse(expression));
    assertEquals(reason, refusal.getMessage());
  }

  @ParameterizedTest(name = "{0} is the same as {1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      textBlock =
          """
          5/10 0 * * *;           5,15,25,35,45,55 0 * * *
          0 9-17/4 * * *;         0 9,13,17 * * *
          */25 0 * * *;           0,25,50 0 * * *
          0 0 * jan-Mar *;        0 0 * 1,2,3 *
          0 0 * * SUN;            0 0 * * 7
          0 0 * * 0;              0 0 * * 7
          0 0 * * 5-7;            0 0 * * FRI,SAT,SUN
          0 0 * * FRI-SUN;        0 0 * * 5,6,0
          0 0 * * 5/1;            0 0 * * 5,6
          0 0 * * 0-7;            0 0 * * *
          00 00 01 01 *;          0 0 1 1 *
          " 0   0  1 1  * ";      0 0 1 1 *
          0 0 1-31 * MON;         0 0 * * *
          """)
  void notationsOfTheSameTimes(String expression, String plain) {
    Instant now = Instant.parse("2026-02-03T04:05:06Z");
    assertEquals(
        CronSchedule.parse(plain).periodsFrom(now, UTC, 40),
        CronSchedule.parse(expression).periodsFrom(now, UTC, 40));
  }

  @Test
  void aWildcardDayWithAStepMustFitTogetherWithTheOtherDay() {
    CronSchedule mondayTheFirst = CronSchedule.parse("0 0 */31 * MON");
    Period period = mondayTheFirst.periodAt(Instant.parse("2026-06-15T00:00:00Z"), UTC);
    assertEquals(Instant.parse("2026-06-01T00:00:00Z"), period.start());
    assertEquals(Instant.parse("2027-02-01T00:00:00Z"), period.end());
  }

  @Test
  void bothDaysRestrictedMeansEither() {
    CronSchedule schedule = CronSchedule.parse("0 0 13 * FRI");
    List<Instant> starts =
        schedule.periodsFrom(Instant.parse("2026-10-09T00:00:00Z"), UTC, 3).stream()
            .map(Period::start)
            .toList();
    assertEquals(
        List.of(
            Instant.parse("2026-10-09T00:00:00Z"),
            Instant.parse("2026-10-13T00:00:00Z"),
            Instant.parse("2026-10-16T00:00:00Z")),
        starts);
  }

  @Test
  void aLeapDayIsFoundEightYearsBack() {
    Period period =
        CronSchedule.parse("0 0 29 2 *").periodAt(Instant.parse("2104-02-28T23:59:59.999Z"), UTC);
    assertEquals(Instant.parse("2096-02-29T00:00:00Z"), period.start());
    assertEquals(Instant.parse("2104-02-29T00:00:00Z"), period.end());
  }

  @Test
  void aDateThatAZoneSkippedIsFoundAYearLater() {
    ZoneId apia = ZoneId.of("Pacific/Apia");
    Period period =
        CronSchedule.parse("0 * 30 12 *").periodAt(Instant.parse("2011-12-31T00:00:00Z"), apia);
    assertEquals(Instant.parse("2010-12-31T09:00:00Z"), period.start());
    assertEquals(Instant.parse("2012-12-29T10:00:00Z"), period.end());
  }

  @Test
  void theOrdinalIsTheStartInMinutesSince1970() {
    Period period =
        CronSchedule.parse("30 2 * * *").periodAt(Instant.parse("1970-01-02T02:30:00Z"), UTC);
    assertEquals(24 * 60 + 150, period.ordinal());
    Period first = CronSchedule.parse("30 2 * * *").periodAt(Instant.EPOCH, UTC);
    assertEquals(150 - 24 * 60, first.ordinal());
  }

  @Test
  void schedulesAreEqualWhenTheirTextIs() {
    assertEquals(CronSchedule.parse("0 0 * * *"), new CronSchedule("0 0 * * *"));
    assertEquals(CronSchedule.parse("0 0 * * *").hashCode(), "0 0 * * *".hashCode());
    assertEquals("0 0 * * *", CronSchedule.parse("0 0 * * *").expression());
    assertEquals("cron", CronSchedule.parse("0 0 * * *").unit());
  }

  @Test
  void anExpressionHasAtMostAHundredCharacters() {
    String longest = "0 0 * * *" + " ".repeat(CronSchedule.MAX_LENGTH - 9);
    assertEquals(longest, CronSchedule.parse(longest).expression());
    assertThrows(IllegalArgumentException.class, () -> CronSchedule.parse(longest + " "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"* * * * *", "30 2 29 2 *", "0 0 1 1 *", "* 0-23 * * *"})
  void denseAndSparseExpressionsAreAnsweredQuickly(String expression) {
    CronSchedule schedule = CronSchedule.parse(expression);
    ZoneId zone = ZoneId.of("Europe/Berlin");
    assertTimeout(
        Duration.ofSeconds(5),
        () -> {
          for (int day = 0; day < 1000; day++) {
            Instant now = Instant.parse("2096-03-01T00:00:00Z").plus(Duration.ofDays(day));
            assertTrue(schedule.periodAt(now, zone).contains(now));
          }
        });
  }
}
