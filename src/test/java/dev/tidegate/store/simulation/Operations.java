package dev.tidegate.store.simulation;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Bill;
import dev.tidegate.domain.Breakdown;
import dev.tidegate.domain.CategoryUse;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Level;
import dev.tidegate.store.MeteringStore;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.PlanLevel;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.Scope;
import dev.tidegate.store.simulation.Ledger.Taken;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Draws one random operation after the other and tells the ledger what came of it. */
final class Operations {

  private static final long FROM = Instant.parse("2024-01-01T00:00:00Z").getEpochSecond();
  private static final int SPAN_SECONDS = 5 * 365 * 86_400;
  private static final long PROOF_MILLIS = Duration.ofDays(1).toMillis();

  /** Redis lets a record go by its own clock, so what has less than this left is left alone. */
  private static final long SPARE_MILLIS = Duration.ofMinutes(30).toMillis();

  /** Nobody waits for longer than this. */
  private static final long PATIENCE_MILLIS = Duration.ofDays(400).toMillis();

  /** A jump over more than this leaves nothing alive. */
  private static final long FAR_MILLIS = Duration.ofHours(2).toMillis();

  /** Neighbouring seeds would begin alike. */
  private static final long SCRAMBLE = 0x9E37_79B9_7F4A_7C15L;

  private static final List<MeteringStore.Operation> OPERATIONS =
      List.of(MeteringStore.Operation.values());

  private final Random random;
  private final World world;
  private final Households households;

  /** Instants at which something ends, as the last answers told them. */
  private final List<Long> ends = new ArrayList<>();

  private long tokens;
  private final GrantOperations grants;

  Operations(long seed, World world) {
    this.random = new Random(seed * SCRAMBLE);
    this.world = world;
    this.households = new Households(random);
    this.grants = new GrantOperations(random, world, households, this::scope);
    world.setClock((FROM + random.nextInt(SPAN_SECONDS)) * 1000 + random.nextInt(1000));
  }

  void next() {
    passTime();
    int dice = random.nextInt(100);
    if (random.nextInt(8) == 0) {
      grants.next();
    } else if (dice < 30) {
      reserve();
    } else if (dice < 42) {
      charge();
    } else if (dice < 64) {
      settle();
    } else if (dice < 71) {
      release();
    } else if (dice < 78) {
      extend();
    } else if (dice < 84) {
      find();
    } else if (dice < 90) {
      readPeriods();
    } else if (dice < 93) {
      replay();
    } else if (dice < 98) {
      world.check(scope(households.anyone(resource()), resource()));
    } else if (dice < 99) {
      households.change(world.clockMillis);
    } else if (random.nextInt(3) > 0) {
      world.setRecordVersion(households.changeRecord());
    } else {
      world.disturb();
    }
  }

  private void passTime() {
    long now = world.clockMillis;
    long to =
        switch (random.nextInt(50)) {
          case 0, 1, 2, 3 -> ends.isEmpty() ? now : pick(ends) + random.nextInt(3) - 1;
          case 4, 5, 6 -> leaseEnd() + random.nextInt(3) - 1;
          case 7, 8, 9 -> now + random.nextInt(300_000);
          case 10 -> now - 1 - random.nextInt(5000);
          case 11 -> random.nextInt(6) == 0 ? now + random.nextLong(3 * PROOF_MILLIS) : now;
          case 12, 13, 14, 15, 16, 17, 18, 19 -> now;
          default -> now + random.nextInt(4000);
        };
    // Ends that are past are no aim, but for a step back of a few seconds; far ones are rare aims.
    boolean far = to > now + FAR_MILLIS && random.nextInt(12) != 0;
    if (to == now || to < now - 10_000 || far) {
      return;
    }
    for (Taken taken : recent(60)) {
      if (taken.isLive(now) && !taken.isLive(to)) {
        world.saw("lapse");
      }
    }
    world.setClock(to);
  }

  private long leaseEnd() {
    List<Taken> recent = recent(12);
    return recent.isEmpty() ? world.clockMillis : pick(recent).expiresAtMillis;
  }

  private List<Taken> recent(int count) {
    List<Taken> all = world.ledger.taken();
    return all.subList(Math.max(0, all.size() - count), all.size());
  }

  private String resource() {
    return random.nextInt(4) == 0 ? "gpt" : "claude";
  }

  /** A scope whose periods are now and then those of another time. */
  private Scope scope(List<PlanLevel> levels, String resource) {
    long idea = random.nextInt(3) == 0 ? world.clockMillis : world.latestMillis;
    if (random.nextInt(40) == 0) {
      idea += random.nextLong(-PROOF_MILLIS, PROOF_MILLIS);
    }
    List<PlanLevel> called = new ArrayList<>(levels);
    if (random.nextInt(40) == 0) {
      int n = random.nextInt(called.size());
      called.set(n, called.get(n).withRecordVersion(2000));
    }
    return PlanLevel.scope(
        called,
        resource,
        plans(),
        Instant.ofEpochMilli(idea),
        level -> random.nextInt(60) == 0 ? Map.of() : world.restarts.of(level, resource));
  }

  /** The plans change now and then, and some calls are decided with older ones. */
  private long plans() {
    long newest = 2L + world.step / 50;
    return world.step % 37 == 0 ? newest - 1 : newest;
  }

  private long amount() {
    return switch (random.nextInt(12)) {
      case 0 -> 0;
      case 1 -> 1;
      case 2 -> 100 + random.nextInt(1000);
      case 3 -> households.huge ? Amounts.MAX - random.nextInt(3) : 50;
      case 4, 5 -> random.nextInt(300);
      default -> random.nextInt(60);
    };
  }

  private Amounts amounts() {
    Map<String, Long> amounts = new TreeMap<>();
    Households.METERS.forEach(meter -> amounts.put(meter, amount()));
    if (random.nextInt(20) == 0) {
      amounts.put("cents", amount());
    }
    return Amounts.of(amounts);
  }

  /** Usage by category, or none. */
  private Breakdown breakdown() {
    if (random.nextInt(3) == 0) {
      return Breakdown.NONE;
    }
    SortedMap<String, CategoryUse> uses = new TreeMap<>();
    for (String category : List.of("input", "cached_input", "output")) {
      if (random.nextBoolean()) {
        long units = amount();
        BigDecimal weight = BigDecimal.valueOf(random.nextInt(1_000_000), CategoryUse.DECIMALS);
        uses.put(category, new CategoryUse(units, weight.multiply(BigDecimal.valueOf(units))));
      }
    }
    return new Breakdown(new TreeMap<>(Map.of(pick(Households.METERS), uses)));
  }

  private Duration ttl() {
    return switch (random.nextInt(10)) {
      case 0 -> Duration.ofSeconds(1);
      case 1 -> Duration.ofDays(1);
      case 2, 3 -> Duration.ofMillis(1000 + random.nextInt(3_000_000));
      default -> Duration.ofMillis(1000 + random.nextInt(120_000));
    };
  }

  /** A key out of few, so that keys repeat with the same call and with another. */
  private @Nullable IdempotencyKey key(MeteringStore.Operation operation) {
    return random.nextInt(3) == 0 ? anyKey(operation) : null;
  }

  private IdempotencyKey anyKey(MeteringStore.Operation operation) {
    int n = random.nextInt(20);
    int owner = random.nextInt(8) == 0 ? random.nextInt(5) : n % 5;
    MeteringStore.Operation of = random.nextInt(8) == 0 ? operation : OPERATIONS.get(owner);
    String fingerprint = of == operation ? "" : "other";
    return new IdempotencyKey("key-" + n, operation + fingerprint);
  }

  private boolean twice() {
    return random.nextInt(5) == 0;
  }

  private void reserve() {
    String resource = resource();
    Scope scope = scope(households.anyone(resource), resource);
    ReservationId id = newId(scope.root());
    Amounts amounts = amounts();
    Duration ttl = ttl();
    boolean dryRun = random.nextInt(8) == 0;
    IdempotencyKey key = key(MeteringStore.Operation.RESERVE);
    String text = text("reserve " + (dryRun ? "dry " : ""), scope, id, amounts, key) + ttl;
    for (int n = key != null && twice() ? 2 : 1; n > 0; n--) {
      Outcome.Reserving outcome =
          world.both(text, s -> s.reserve(scope, id, amounts, ttl, dryRun, key));
      World.when(
          Outcome.Held.class,
          outcome,
          held -> {
            world.ledger.held(scope, id, held);
            aimAt(held.state());
          });
      World.when(Outcome.Refused.class, outcome, refused -> aimAt(refused, scope));
    }
    world.check(scope);
  }

  private void charge() {
    String resource = resource();
    Scope scope = scope(households.anyone(resource), resource);
    Amounts amounts = amounts();
    Duration kept = Duration.ofHours(1 + random.nextInt(48));
    IdempotencyKey key = key(MeteringStore.Operation.CHARGE);
    Bill bill = new Bill(amounts, breakdown());
    String text = text("charge ", scope, null, amounts, key) + kept + bill.breakdown();
    for (int n = key != null && twice() ? 2 : 1; n > 0; n--) {
      Outcome.Charging outcome = world.both(text, s -> s.charge(scope, bill, kept, key));
      World.when(
          Outcome.Charged.class,
          outcome,
          charged -> {
            world.ledger.charged(scope, charged);
            aimAt(charged.state());
          });
      World.when(Outcome.Refused.class, outcome, refused -> aimAt(refused, scope));
    }
    world.check(scope);
  }

  private void settle() {
    Taken taken = anyTaken();
    if (taken == null) {
      return;
    }
    Scope scope = scopeOf(taken, random.nextInt(15) != 0);
    Amounts amounts = settlement(taken);
    IdempotencyKey key = key(MeteringStore.Operation.SETTLE);
    Bill bill = amounts == null ? null : new Bill(amounts, breakdown());
    String text = text("settle ", scope, taken.id, amounts, key) + bill;
    for (int n = twice() ? 2 : 1; n > 0; n--) {
      Outcome.Settling outcome = world.both(text, s -> s.settle(scope, taken.id, bill, key));
      World.when(Outcome.Settled.class, outcome, s -> world.ledger.settled(taken, scope, s));
    }
    world.check(scope);
  }

  private @Nullable Amounts settlement(Taken taken) {
    int dice = random.nextInt(16);
    if (dice < 3) {
      return null;
    }
    Map<String, Long> amounts = new TreeMap<>(taken.amounts.byMeter());
    if (dice < 8) {
      amounts.remove("requests");
    }
    if (dice == 8) {
      amounts.remove("tokens");
    } else if (dice < 14) {
      boolean any = dice == 9;
      boolean overflows = dice == 10 && households.huge;
      amounts.put(
          "tokens",
          overflows
              ? Amounts.MAX
              : any ? amount() : taken.amounts.byMeter().getOrDefault("tokens", 0L) / 2);
    }
    if (random.nextInt(12) == 0) {
      amounts.put("cents", amount());
    }
    return Amounts.of(amounts);
  }

  private void release() {
    Taken taken = anyTaken();
    if (taken == null) {
      return;
    }
    Scope scope = scopeOf(taken, false);
    IdempotencyKey key = key(MeteringStore.Operation.RELEASE);
    String text = text("release ", scope, taken.id, null, key);
    for (int n = twice() ? 2 : 1; n > 0; n--) {
      Outcome.Releasing outcome = world.both(text, s -> s.release(scope, taken.id, key));
      World.when(Outcome.Closed.class, outcome, c -> world.ledger.closed(taken, c));
    }
    world.check(scopeOf(taken, true));
  }

  private void extend() {
    Taken taken = anyTaken();
    if (taken == null) {
      return;
    }
    Scope scope = scopeOf(taken, false);
    Duration ttl = ttl();
    IdempotencyKey key = key(MeteringStore.Operation.EXTEND);
    String text = text("extend ", scope, taken.id, null, key) + ttl;
    for (int n = key != null || twice() ? 2 : 1; n > 0; n--) {
      Outcome.Extending outcome = world.both(text, s -> s.extend(scope, taken.id, ttl, key));
      World.when(Outcome.Extended.class, outcome, e -> world.ledger.extended(taken, e));
    }
    world.check(scopeOf(taken, true));
  }

  private void find() {
    Taken taken = anyTaken();
    if (taken != null) {
      Scope scope = scopeOf(taken, false);
      world.both(text("find ", scope, taken.id, null, null), s -> s.find(scope, taken.id));
    }
  }

  private void readPeriods() {
    String resource = resource();
    Scope scope = scope(households.anyone(resource), resource);
    world.both(text("periods ", scope, null, null, null), s -> s.readPeriods(scope));
  }

  private void replay() {
    MeteringStore.Operation operation = pick(OPERATIONS);
    IdempotencyKey key = anyKey(operation);
    Scope scope = scope(households.anyone("claude"), "claude");
    Level level = scope.subject();
    world.both(
        text("replay " + operation, scope, null, null, key),
        s -> s.replay(scope.root(), level.subject(), level.incarnation(), operation, key));
  }

  /** A reservation, mostly a recent one; null = there is none that may be touched. */
  private @Nullable Taken anyTaken() {
    List<Taken> candidates = recent(random.nextInt(10) == 0 ? 300 : 10);
    if (candidates.isEmpty()) {
      return null;
    }
    Taken taken = pick(candidates);
    long left = taken.expiresAtMillis + PROOF_MILLIS - world.latestMillis;
    boolean doomed = left > -SPARE_MILLIS && left < SPARE_MILLIS;
    return doomed ? null : taken;
  }

  /** The scope of a later call about a reservation, now and then a wrong one. */
  private Scope scopeOf(Taken taken, boolean withLimits) {
    String resource = taken.scope.resource();
    if (random.nextInt(40) == 0) {
      return scope(households.anyone(resource()), resource());
    }
    List<PlanLevel> levels = new ArrayList<>(households.today(taken.scope.levels(), resource));
    if (random.nextInt(40) == 0) {
      levels.set(0, levels.getFirst().withIncarnation(levels.getFirst().incarnation() + 1));
    }
    if (!withLimits) {
      levels.replaceAll(level -> level.withLimits(List.of()));
    }
    if (random.nextInt(10) == 0) {
      levels.replaceAll(level -> level.withRecordVersion(Level.ANY_VERSION));
    }
    return scope(levels, resource);
  }

  private void aimAt(QuotaState state) {
    state.levels().stream()
        .flatMap(level -> level.limits().stream())
        .forEach(
            limit -> {
              if (limit.resetAt() != null) {
                aimAt(limit.resetAt().toEpochMilli());
              }
            });
    while (ends.size() > 20) {
      ends.removeFirst();
    }
  }

  private void aimAt(Outcome.Refused refused, Scope scope) {
    if (refused.retryAfterMillis() > 0 && !scope.levels().isEmpty()) {
      aimAt(refused.state().now().toEpochMilli() + refused.retryAfterMillis());
    }
  }

  private void aimAt(long millis) {
    if (millis < world.latestMillis + PATIENCE_MILLIS) {
      ends.add(millis);
    }
  }

  private ReservationId newId(SubjectId root) {
    return new ReservationId("r%015d".formatted(++tokens), root);
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static String text(
      String verb,
      Scope scope,
      @Nullable ReservationId id,
      @Nullable Amounts amounts,
      @Nullable IdempotencyKey key) {
    return "%s %s %s %s %s "
        .formatted(verb, scope, id == null ? "" : id.token(), amounts == null ? "" : amounts, key);
  }
}
