package dev.tidegate.domain.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SessionScheduleTest {

  private static final SessionSchedule FIVE_HOURS = new SessionSchedule(Duration.ofHours(5));
  private static final Instant OPENED = Instant.parse("2026-03-01T06:17:00Z");

  @Test
  void theFirstUseOpensTheFirstSession() {
    Instant end = Instant.parse("2026-03-01T11:17:00Z");
    assertEquals(new Period(OPENED, end, 1), FIVE_HOURS.sessionAt(null, OPENED));
  }

  @Test
  void aUseBeforeTheEndMovesNothing() {
    Period session = FIVE_HOURS.sessionAt(null, OPENED);
    assertSame(session, FIVE_HOURS.sessionAt(session, session.end().minusMillis(1)));
  }

  @Test
  void aUseAtTheEndOpensTheNextSession() {
    Period session = FIVE_HOURS.sessionAt(null, OPENED);
    Period next = FIVE_HOURS.sessionAt(session, session.end());
    assertEquals(session.end(), next.start());
    assertEquals(2, next.ordinal());
  }

  @Test
  void aSessionLastsWholeSecondsAndAtLeastOne() {
    assertEquals(Duration.ofSeconds(1), new SessionSchedule(Duration.ofSeconds(1)).length());
    assertThrows(IllegalArgumentException.class, () -> new SessionSchedule(Duration.ofMillis(999)));
    assertThrows(
        IllegalArgumentException.class, () -> new SessionSchedule(Duration.ofSeconds(1, 1)));
  }

  @Test
  void aFixedPeriodLastsWholeSecondsAndAtLeastOne() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new FixedSchedule(Duration.ofMillis(999), Instant.EPOCH));
    assertThrows(
        IllegalArgumentException.class,
        () -> new FixedSchedule(Duration.ofMillis(1500), Instant.EPOCH));
  }
}
