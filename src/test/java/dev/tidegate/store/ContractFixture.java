package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.store.QuotaState.LimitState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the contract's tests share: an empty store whose clock stands at the start of a day. */
abstract class ContractFixture {

  static final Instant START = Instant.parse("2026-10-12T00:00:00Z");
  static final Duration SECOND = Duration.ofSeconds(1);
  static final Duration HOUR = Duration.ofHours(1);
  static final Duration DAY = Duration.ofDays(1);
  static final long DAY_MILLIS = DAY.toMillis();

  @SuppressWarnings("NullAway.Init")
  StoreUnderTest under;

  long nowMillis;

  /** An empty store. */
  abstract StoreUnderTest newStore();

  @BeforeEach
  void openStore() {
    under = newStore();
    passTo(START);
  }

  @AfterEach
  void closeStore() {
    under.close();
  }

  void passTo(Instant instant) {
    nowMillis = instant.toEpochMilli();
    under.setClock(nowMillis);
  }

  void pass(Duration elapsed) {
    passTo(Instant.ofEpochMilli(nowMillis).plus(elapsed));
  }

  void passMillis(long elapsed) {
    pass(Duration.ofMillis(elapsed));
  }

  Caller caller(PlanLevel... levels) {
    return new Caller(this, under, levels);
  }

  /** Someone with tokens per day. */
  Caller daily(@Nullable Long tokensPerDay) {
    return caller(PlanLevel.of("alice", PlanLimit.every(DAY, "daily", "tokens", tokensPerDay)));
  }

  /** Someone with tokens per session of five hours. */
  Caller sessions(long tokensPerSession) {
    PlanLimit session =
        PlanLimit.session(Duration.ofHours(5), "session", "tokens", tokensPerSession);
    return caller(PlanLevel.of("alice", session));
  }

  static void assertCounts(long used, long held, LimitState limit) {
    assertEquals("used " + used + " held " + held, text(limit.used(), limit.held()));
  }

  static void assertCounts(long used, long held, ClosedPeriod period) {
    assertEquals("used " + used + " held " + held, text(period.used(), period.held()));
  }

  private static String text(long used, long held) {
    return "used " + used + " held " + held;
  }
}
