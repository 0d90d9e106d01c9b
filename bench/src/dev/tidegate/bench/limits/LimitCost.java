package dev.tidegate.bench.limits;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.PlanLevel;
import dev.tidegate.store.PlanLimit;
import dev.tidegate.store.Scope;
import dev.tidegate.store.redis.RedisUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a reservation and its settlement cost with one limit and with five, one call at a time, and
 * how many bytes a subject takes in Redis.
 */
public final class LimitCost {

  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final Duration TTL = Duration.ofMinutes(2);
  private static final int ROUNDS = 7;
  private static final int PAIRS = 3_000;
  private static final int SUBJECTS = 200;
  private static final long PLENTY = 1L << 40;
  private static final Amounts AMOUNTS = Amounts.of(Map.of("tokens", 100L, "requests", 1L));

  private static final PlanLimit WEEKLY =
      PlanLimit.every(Duration.ofDays(7), "weekly", "tokens", PLENTY);
  private static final PlanLimit SESSION =
      PlanLimit.session(Duration.ofHours(5), "session", "tokens", PLENTY);
  private static final PlanLimit MONTHLY =
      PlanLimit.every(Duration.ofDays(30), "monthly", "tokens", PLENTY);
  private static final PlanLimit RPM =
      PlanLimit.bucket("rpm", "requests", PLENTY, PLENTY, Duration.ofMinutes(1));
  private static final PlanLimit TPM =
      PlanLimit.sliding("tpm", "tokens", PLENTY, Duration.ofMinutes(1), 6);

  private static final List<PlanLimit> ONE = List.of(WEEKLY);
  private static final List<PlanLimit> THREE = List.of(WEEKLY, RPM, TPM);
  private static final List<PlanLimit> FIVE = List.of(WEEKLY, RPM, TPM, SESSION, MONTHLY);

  private LimitCost() {}

  /** Measures and prints. */
  public static void main(String... none) {
    try (RedisUnderTest redis = RedisUnderTest.open()) {
      pairs(redis.store(), ONE, "warm-up");
      pairs(redis.store(), FIVE, "warm-up");
      List<Double> one = new ArrayList<>();
      List<Double> five = new ArrayList<>();
      List<Double> ratios = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        double ofOne = pairs(redis.store(), ONE, "one");
        double ofFive = pairs(redis.store(), FIVE, "five");
        one.add(ofOne);
        five.add(ofFive);
        ratios.add(ofFive / ofOne);
      }
      print("one limit, us per reserve and settle", one);
      print("five limits, us per reserve and settle", five);
      print("five limits to one", ratios);
    }
    bytes("one limit", ONE);
    bytes("three limits", THREE);
    bytes("five limits", FIVE);
    System.exit(0);
  }

  private static double pairs(MeteringStore store, List<PlanLimit> limits, String subject) {
    Scope scope = scope(subject, limits);
    long started = System.nanoTime();
    for (int n = 0; n < PAIRS; n++) {
      pair(store, scope, String.format(Locale.ROOT, "%s-%012d", subject, n));
    }
    return (System.nanoTime() - started) / 1e3 / PAIRS;
  }

  private static void pair(MeteringStore store, Scope scope, String token) {
    ReservationId id = new ReservationId(token, scope.root());
    Outcome.Reserving taken =
        store.reserve(scope, id, AMOUNTS, TTL, false, null).await().atMost(DEADLINE);
    Outcome.Settling settled =
        store.settle(scope, id, Bill.of(AMOUNTS), null).await().atMost(DEADLINE);
    if (!(taken instanceof Outcome.Held) || !(settled instanceof Outcome.Settled)) {
      throw new IllegalStateException(taken + ", " + settled);
    }
  }

  private static Scope scope(String subject, List<PlanLimit> limits) {
    return PlanLevel.scope(
        List.of(PlanLevel.of(subject).withLimits(limits)), "api", 1, Instant.now());
  }

  /** Bytes of a subject that was used once, without its reservation records. */
  private static void bytes(String what, List<PlanLimit> limits) {
    try (RedisUnderTest redis = RedisUnderTest.open()) {
      for (int n = 0; n < SUBJECTS; n++) {
        Scope scope = scope("subject-" + n, limits);
        redis.store().charge(scope, Bill.of(AMOUNTS), TTL, null).await().atMost(DEADLINE);
      }
      System.out.printf(
          Locale.ROOT, "%s: %d bytes per idle subject%n", what, redis.bytes() / SUBJECTS);
    }
  }

  private static void print(String what, List<Double> values) {
    Collections.sort(values);
    System.out.printf(
        Locale.ROOT,
        "%s: %.2f (%.2f to %.2f)%n",
        what,
        values.get(values.size() / 2),
        values.getFirst(),
        values.getLast());
  }
}
