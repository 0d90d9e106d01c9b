package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.ReturnSpread;
import dev.tidegate.domain.SubjectId;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When those who wait for a reset are advised to come back. */
@QuarkusTest
class ReturnSpreadTest extends ClockSuite {

  private static final Instant RESET = Instant.parse("2027-03-02T00:00:00Z");
  private static final int SPREAD_SECONDS = 300;
  private static final String SPREAD = ",'return_spread_seconds':" + SPREAD_SECONDS;

  private static String spreadLimit(String name, long amount, String schedule) {
    return limit(name, "tokens", amount, schedule, SPREAD);
  }

  /** A new subject that may take so many tokens a day and whose returns are spread. */
  private static String spreadSubject(long tokens) {
    return subjectOn(plan(spreadLimit("all", tokens, DAILY)));
  }

  private static long offset(String subject) {
    return ReturnSpread.offsetMillis(new SubjectId(subject), SPREAD_SECONDS);
  }

  private static long member(Response refusal, String name) {
    return refusal.jsonPath().getLong(name);
  }

  /** Both waits of a refusal, and the header in accordance. */
  private static void assertWaits(long exactMillis, long advisedMillis, Response refusal) {
    assertStatus(429, refusal);
    assertEquals(exactMillis, member(refusal, "retry_after_ms"));
    assertEquals(advisedMillis, member(refusal, "retry_advised_ms"));
    long seconds = Math.max(1, Math.ceilDiv(advisedMillis, 1000));
    assertEquals("" + seconds, refusal.header("Retry-After"));
  }

  @Test
  @DisplayName("I5 Retry-After is the advised wait in whole seconds, and who waits it is admitted")
  void i5() {
    set(RESET.minusMillis(600));
    String subject = spreadSubject(100);
    charge(subject, 100);
    Response denied = reserve(subject, 100);
    assertProblem(429, "quota-exhausted", denied);
    assertWaits(600, 600 + offset(subject), denied);
    assertEquals(RESET.toString(), denied.jsonPath().getString("reset_at"));
    assertEquals(600, member(denied, "violations[0].retry_after_ms"));
    set(RESET.minusMillis(600).plusSeconds(Long.parseLong(denied.header("Retry-After"))));
    assertStatus(201, reserve(subject, 100));
  }

  @Test
  void whoComesAtTheResetIsAdmittedToo() {
    set(RESET.minusMillis(600));
    String subject = spreadSubject(100);
    charge(subject, 100);
    set(RESET.minusMillis(1));
    assertWaits(1, 1 + offset(subject), charge(subject, 1));
    set(RESET);
    assertStatus(200, charge(subject, 100));
  }

  @Test
  void theAdvisedInstantIsTheSameHoweverOftenAndWhenOneAsks() {
    set(RESET.minusSeconds(3600));
    String subject = spreadSubject(100);
    charge(subject, 100);
    for (int secondsLeft : new int[] {3600, 3600, 60, 1}) {
      set(RESET.minusSeconds(secondsLeft));
      assertWaits(secondsLeft * 1000L, secondsLeft * 1000L + offset(subject), charge(subject, 1));
    }
  }

  private record Waiting(String subject, Instant advised) {}

  @Test
  @DisplayName("I14 Of a herd at the reset each comes in its place, and no more than fit get in")
  void i14() {
    set(RESET.minusSeconds(60));
    String team = spreadSubject(20);
    charge(team, 20);
    List<Waiting> herd = new ArrayList<>();
    for (String member : IntStream.range(0, 60).mapToObj("herd-%02d"::formatted).toList()) {
      putSubject(member, "{'plan':'p-%s','parent':'%s'}".formatted(team, team));
      Response denied = reserve(member, 1);
      assertWaits(60_000, 60_000 + offset(member), denied);
      assertEquals(team, denied.jsonPath().getString("subject"));
      Instant now = RESET.minusSeconds(60);
      herd.add(new Waiting(member, now.plusMillis(member(denied, "retry_advised_ms"))));
    }
    int[] quarters = new int[4];
    herd.forEach(w -> quarters[(int) (offset(w.subject()) * 4 / (SPREAD_SECONDS * 1000L))]++);
    assertTrue(IntStream.of(quarters).allMatch(count -> count >= 10), () -> "" + herd);

    herd.sort(Comparator.comparing(Waiting::advised));
    for (int n = 0; n < herd.size(); n++) {
      set(herd.get(n).advised());
      assertStatus(n < 20 ? 200 : 429, charge(herd.get(n).subject(), 1));
    }
    assertEquals("20/0", usedAndHeld(team));
  }

  @Test
  void aDryRunAdvisesTheSame() {
    set(RESET.minusSeconds(60));
    String subject = spreadSubject(100);
    charge(subject, 100);
    Response asked = reserve(subject, "{'amounts':{'tokens':1},'dry_run':true}");
    assertStatus(200, asked);
    assertEquals(60_000, member(asked, "retry_after_ms"));
    assertEquals(60_000 + offset(subject), member(asked, "retry_advised_ms"));
  }

  @Test
  void aCallThatNoWaitingHelpsGetsNoAdvice() {
    String subject = spreadSubject(100);
    Response refused = reserve(subject, 101);
    assertProblem(422, "exceeds-capacity", refused);
    assertNull(refused.jsonPath().get("retry_advised_ms"));
    assertNull(refused.header("Retry-After"));
  }

  @Test
  void theEndOfASessionIsAReset() {
    set(RESET);
    String subject = subjectOn(plan(spreadLimit("all", 100, "{'type':'session','seconds':3600}")));
    charge(subject, 100);
    assertWaits(3_600_000, 3_600_000 + offset(subject), charge(subject, 1));
  }

  @Test
  void withoutASpreadTheAdviceIsTheExactWait() {
    set(RESET.minusMillis(1500));
    String subject = dailySubject(100);
    charge(subject, 100);
    assertWaits(1500, 1500, charge(subject, 1));
  }

  @Test
  void aSubjectMayHaveASpreadOfItsOwn() {
    set(RESET.minusMillis(1500));
    String subject = dailySubject(100);
    putSubject(
        subject,
        "{'plan':'p-%s','overrides':{'api':{'limits':{'all':{'return_spread_seconds':%d}}}}}"
            .formatted(subject, SPREAD_SECONDS));
    charge(subject, 100);
    assertWaits(1500, 1500 + offset(subject), charge(subject, 1));
  }

  @Test
  void aWaitForALeaseIsNotSpread() {
    set(RESET.minusSeconds(3600));
    String subject = spreadSubject(100);
    held(subject, 100, 40);
    assertWaits(40_000, 40_000, reserve(subject, 1));
  }

  @Test
  void aWaitForFewerReservationsIsNotSpread() {
    set(RESET.minusSeconds(3600));
    String subject = subjectOn(planWith("'hold':{'max_holds':1},", spreadLimit("all", 100, DAILY)));
    held(subject, 1, 30);
    Response refused = reserve(subject, 1);
    assertProblem(429, "too-many-holds", refused);
    assertWaits(30_000, 30_000, refused);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'kind':'token_bucket','capacity':10,'refill':10,'interval_seconds':60",
        "'kind':'sliding','limit':10,'window_seconds':60"
      })
  void aWaitForARateIsNotSpread(String rate) {
    set(RESET.minusSeconds(3600));
    String subject =
        subjectOn(plan("{'name':'rate','meter':'tokens',%s%s}".formatted(rate, SPREAD)));
    charge(subject, 10);
    Response denied = charge(subject, 1);
    assertProblem(429, "rate-limited", denied);
    long exactMillis = member(denied, "retry_after_ms");
    assertWaits(exactMillis, exactMillis, denied);
  }

  @Test
  void theNamedLimitDecidesWhetherTheWaitIsSpread() {
    set(RESET.minusSeconds(10));
    String minutes = "{'type':'cron','expr':'*/5 * * * *'}";
    String weekly = "{'type':'calendar','unit':'week'}";
    String first =
        subjectOn(plan(limit("short", "tokens", 10, minutes), spreadLimit("long", 10, weekly)));
    String second =
        subjectOn(plan(spreadLimit("short", 10, minutes), limit("long", "tokens", 10, weekly)));
    charge(first, 10);
    charge(second, 10);
    long weekMillis = 6 * 86_400_000L + 10_000;
    assertWaits(weekMillis, weekMillis + offset(first), charge(first, 1));
    assertWaits(weekMillis, weekMillis, charge(second, 1));
  }
}
