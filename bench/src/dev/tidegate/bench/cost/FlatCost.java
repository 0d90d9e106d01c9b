package dev.tidegate.bench.cost;

import dev.tidegate.dev.SystemRedis;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.PlanLevel;
import dev.tidegate.store.PlanLimit;
import dev.tidegate.store.Scope;
import dev.tidegate.store.redis.RedisBackend;
import dev.tidegate.store.redis.RedisUnderTest;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * What a reservation and its release cost Redis with few and with many live reservations on the
 * subject, and with few and with many subjects in the store; and the bytes of each.
 */
public final class FlatCost {

  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final Duration TTL = Duration.ofHours(20);
  private static final int ROUNDS = 5;
  private static final int PAIRS = 4_000;
  private static final int AT_ONCE = 256;
  private static final int FEW_LIVE = 10;
  private static final int MANY_LIVE = 10_000;
  private static final int FEW_SUBJECTS = 1_000;
  private static final int COUNTED = 20_000;
  private static final int MAX_HOLDS = 1_000_000;
  private static final long PLENTY = 1L << 40;
  private static final Amounts AMOUNTS = Amounts.of(Map.of("tokens", 100L, "requests", 1L));
  private static final Amounts TOKENS = Amounts.of("tokens", 100L);

  private static final PlanLimit WEEKLY =
      PlanLimit.every(Duration.ofDays(7), "weekly", "tokens", PLENTY);
  private static final List<PlanLimit> THREE =
      List.of(
          WEEKLY,
          PlanLimit.bucket("rpm", "requests", PLENTY, PLENTY, Duration.ofMinutes(1)),
          PlanLimit.sliding("tpm", "tokens", PLENTY, Duration.ofMinutes(1), 6));

  private int tokens;

  private FlatCost() {}

  /**
   * Measures and prints.
   *
   * @param args how many subjects are many
   */
  public static void main(String... args) throws IOException {
    FlatCost cost = new FlatCost();
    Path folder = Files.createTempDirectory("tidegate-cost");
    cost.ofLiveReservations(folder.resolve("live"));
    cost.ofSubjects(folder.resolve("subjects"), Integer.parseInt(args[0]));
    for (int levels = 1; levels <= 3; levels++) {
      cost.bytesOfReservations(folder.resolve("levels-" + levels), levels);
    }
    cost.bytesOfSubjects(folder.resolve("bytes"));
    System.exit(0);
  }

  /** A server of its own with the store on it. */
  private record Server(SystemRedis redis, RedisBackend backend, ScriptTime time)
      implements AutoCloseable {

    static Server start(Path folder) {
      SystemRedis redis = SystemRedis.start(0, folder);
      return new Server(
          redis, RedisBackend.standalone(redis.url()), new ScriptTime(redis.connect()));
    }

    MeteringStore store() {
      return RedisUnderTest.open(backend).store();
    }

    @Override
    public void close() {
      time.close();
      backend.close();
      redis.close();
    }
  }

  private void ofLiveReservations(Path folder) {
    try (Server server = Server.start(folder)) {
      MeteringStore store = server.store();
      Scope few = scope(List.of(level("few", List.of(WEEKLY))));
      Scope many = scope(List.of(level("many", List.of(WEEKLY))));
      hold(store, few, FEW_LIVE);
      hold(store, many, MANY_LIVE);
      compare(
          "%,d live reservations to %,d".formatted(MANY_LIVE, FEW_LIVE),
          server.time(),
          () -> pairs(store, few),
          () -> pairs(store, many),
          1.5);
    }
  }

  private void ofSubjects(Path folder, int many) {
    try (Server few = Server.start(folder.resolve("few"));
        Server full = Server.start(folder.resolve("many"))) {
      MeteringStore ofFew = few.store();
      MeteringStore ofMany = full.store();
      charge(ofFew, FEW_SUBJECTS, List.of(WEEKLY));
      charge(ofMany, many, List.of(WEEKLY));
      List<Double> small = new ArrayList<>();
      List<Double> great = new ArrayList<>();
      for (int round = 0; round <= ROUNDS; round++) {
        small.add(few.time().ofEach(() -> pairsOfMany(ofFew, FEW_SUBJECTS)));
        great.add(full.time().ofEach(() -> pairsOfMany(ofMany, many)));
      }
      print("%,d subjects to %,d".formatted(many, FEW_SUBJECTS), small, great, 1.2);
    }
  }

  private void bytesOfReservations(Path folder, int levels) {
    try (Server server = Server.start(folder)) {
      MeteringStore store = server.store();
      List<PlanLevel> chain =
          IntStream.range(0, levels).mapToObj(n -> level("level-" + n, List.of(WEEKLY))).toList();
      hold(store, scope(chain), 1);
      long before = server.time().usedBytes();
      hold(store, scope(chain), COUNTED);
      System.out.printf(
          Locale.ROOT,
          "%d bytes per live reservation with %d level(s) of one limit%n",
          (server.time().usedBytes() - before) / COUNTED,
          levels);
    }
  }

  private void bytesOfSubjects(Path folder) {
    try (Server server = Server.start(folder)) {
      MeteringStore store = server.store();
      charge(store, 1, THREE);
      long before = server.time().usedBytes();
      charge(store, COUNTED, THREE);
      System.out.printf(
          Locale.ROOT,
          "%d bytes per idle subject with three limits%n",
          (server.time().usedBytes() - before) / COUNTED);
    }
  }

  private static void compare(
      String what, ScriptTime time, Runnable few, Runnable many, double aim) {
    List<Double> small = new ArrayList<>();
    List<Double> great = new ArrayList<>();
    for (int round = 0; round <= ROUNDS; round++) {
      small.add(time.ofEach(few));
      great.add(time.ofEach(many));
    }
    print(what, small, great, aim);
  }

  /** The first round warms up and is not counted. */
  private static void print(String what, List<Double> few, List<Double> many, double aim) {
    double[] ratios =
        IntStream.rangeClosed(1, ROUNDS).mapToDouble(n -> many.get(n) / few.get(n)).toArray();
    double[] base = IntStream.rangeClosed(1, ROUNDS).mapToDouble(few::get).toArray();
    Arrays.sort(ratios);
    Arrays.sort(base);
    double median = ratios[ROUNDS / 2];
    System.out.printf(
        Locale.ROOT,
        "%s: script time %.2f (%.2f to %.2f) times %.0f us, the aim is at most %.1f: %s%n",
        what,
        median,
        ratios[0],
        ratios[ROUNDS - 1],
        base[ROUNDS / 2],
        aim,
        median <= aim ? "met" : "missed");
  }

  private void pairs(MeteringStore store, Scope scope) {
    all(
        PAIRS,
        n -> {
          ReservationId id = newId(scope);
          return store
              .reserve(scope, id, TOKENS, TTL, false, null)
              .chain(taken -> store.release(scope, id, null));
        },
        1);
  }

  private void pairsOfMany(MeteringStore store, int subjects) {
    all(
        PAIRS,
        n -> {
          int subject = (int) (n * 7919L % subjects);
          Scope scope = scope(List.of(level("subject-" + subject, List.of(WEEKLY))));
          ReservationId id = newId(scope);
          return store
              .reserve(scope, id, TOKENS, TTL, false, null)
              .chain(taken -> store.release(scope, id, null));
        },
        1);
  }

  private void hold(MeteringStore store, Scope scope, int count) {
    all(count, n -> store.reserve(scope, newId(scope), TOKENS, TTL, false, null), AT_ONCE);
  }

  private void charge(MeteringStore store, int subjects, List<PlanLimit> limits) {
    all(
        subjects,
        n ->
            store.charge(
                scope(List.of(level("subject-" + n, limits))), Bill.of(AMOUNTS), TTL, null),
        AT_ONCE);
  }

  private static void all(int count, IntFunction<Uni<? extends Outcome>> call, int atOnce) {
    Multi.createFrom()
        .range(0, count)
        .onItem()
        .transformToUni(call::apply)
        .merge(atOnce)
        .invoke(FlatCost::check)
        .onItem()
        .ignoreAsUni()
        .await()
        .atMost(PATIENCE);
  }

  private static void check(Outcome outcome) {
    if (outcome instanceof Outcome.Refused || outcome instanceof Outcome.Stale) {
      throw new IllegalStateException(outcome.toString());
    }
  }

  private ReservationId newId(Scope scope) {
    return new ReservationId(String.format(Locale.ROOT, "c%015d", tokens++), scope.root());
  }

  private static PlanLevel level(String subject, List<PlanLimit> limits) {
    return PlanLevel.of(subject).withMaxHolds(MAX_HOLDS).withLimits(limits);
  }

  private static Scope scope(List<PlanLevel> levels) {
    return PlanLevel.scope(levels, "api", 1, Instant.now());
  }
}
