package dev.tidegate.bench.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.bench.replay.Audit.Difference;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditTest {

  private static final PeriodKey FIRST = period("weekly", 1);
  private static final PeriodKey SECOND = period("weekly", 2);
  private static final PeriodKey OTHER_LIMIT = period("hourly", 1);

  @Test
  void equalSumsInEveryPeriodAreExact() {
    Audit audit = Audit.compare(Map.of(FIRST, 10L, SECOND, 20L), Map.of(FIRST, 10L, SECOND, 20L));

    assertTrue(audit.isExact());
    assertEquals(2, audit.periods());
  }

  @Test
  void aDifferenceOfOneTokenIsReported() {
    Audit audit =
        Audit.compare(Map.of(FIRST, 1_000_000L, SECOND, 20L), Map.of(FIRST, 999_999L, SECOND, 20L));

    assertFalse(audit.isExact());
    assertEquals(List.of(new Difference(FIRST, 1_000_000, 999_999L)), audit.differences());
  }

  @Test
  void aTokenInTheWrongPeriodIsReportedForBoth() {
    Audit audit = Audit.compare(Map.of(FIRST, 10L, SECOND, 20L), Map.of(FIRST, 11L, SECOND, 19L));

    assertEquals(
        List.of(new Difference(FIRST, 10, 11L), new Difference(SECOND, 20, 19L)),
        audit.differences());
  }

  @Test
  void everyLimitCountsOnItsOwn() {
    Audit audit =
        Audit.compare(Map.of(FIRST, 10L, OTHER_LIMIT, 10L), Map.of(FIRST, 10L, OTHER_LIMIT, 9L));

    assertEquals(List.of(new Difference(OTHER_LIMIT, 10, 9L)), audit.differences());
  }

  @Test
  void aPeriodThatTheServiceForgotIsReported() {
    Audit audit = Audit.compare(Map.of(FIRST, 10L), Map.of());

    assertEquals(List.of(new Difference(FIRST, 10, null)), audit.differences());
  }

  @Test
  void useThatNobodySettledIsReported() {
    Audit audit = Audit.compare(Map.of(), Map.of(FIRST, 1L));

    assertEquals(List.of(new Difference(FIRST, 0, 1L)), audit.differences());
  }

  @Test
  void anIdlePeriodIsNoDifference() {
    assertTrue(Audit.compare(Map.of(), Map.of(FIRST, 0L)).isExact());
  }

  @Test
  void theReportNamesBothSidesOfADifference() {
    Audit audit = Audit.compare(Map.of(FIRST, 1_000L), Map.of(FIRST, 1_001L));

    assertEquals(
        """
        AUDIT FAILED: 1 of 1 periods differ
          replay-1 weekly 1/week (seq 1): settled 1,000, the service says 1,001
        """,
        Report.audit(audit));
  }

  private static PeriodKey period(String limit, long seq) {
    return new PeriodKey("replay-1", limit, seq, seq + "/week");
  }
}
