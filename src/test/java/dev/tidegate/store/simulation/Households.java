package dev.tidegate.store.simulation;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.calendar.CalendarSchedule;
import dev.tidegate.domain.calendar.CalendarUnit;
import dev.tidegate.domain.calendar.CronSchedule;
import dev.tidegate.domain.calendar.FixedSchedule;
import dev.tidegate.domain.calendar.Schedule;
import dev.tidegate.domain.calendar.SessionSchedule;
import dev.tidegate.store.Level;
import dev.tidegate.store.PlanLevel;
import dev.tidegate.store.PlanLimit;
import dev.tidegate.store.PlanLimit.Drip;
import dev.tidegate.store.PlanLimit.Pace;
import dev.tidegate.store.PlanLimit.Periods;
import dev.tidegate.store.PlanLimit.Window;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random subjects under random parents with random plans, which may change at any time. */
final class Households {

  static final List<String> METERS = List.of("requests", "tokens");
  static final List<String> RESOURCES = List.of("claude", "gpt");

  private static final List<ZoneId> ZONES =
      List.of(
          ZoneId.of("UTC"),
          ZoneId.of("Europe/Berlin"),
          ZoneId.of("America/New_York"),
          ZoneId.of("Australia/Lord_Howe"));
  private static final List<List<String>> CHAINS =
      List.of(
          List.of("alice"),
          List.of("bob", "team"),
          List.of("carol", "team"),
          List.of("team"),
          List.of("dave", "crew", "firm"),
          List.of("éva", "crew", "firm"),
          List.of("crew", "firm"));

  private final Random random;
  private final Map<String, PlanLevel> levels = new HashMap<>();

  /** Whether amounts are so large that sums overflow. */
  final boolean huge;

  Households(Random random) {
    this.random = random;
    this.huge = random.nextInt(2) == 0;
    for (List<String> chain : CHAINS) {
      for (String subject : chain) {
        for (String resource : RESOURCES) {
          levels.computeIfAbsent(key(subject, resource), k -> randomLevel(subject));
        }
      }
    }
  }

  private static String key(String subject, String resource) {
    return subject + "/" + resource;
  }

  private PlanLevel level(String subject, String resource) {
    return Objects.requireNonNull(levels.get(key(subject, resource)));
  }

  /** A random caller with its parents, as plans and records are now. */
  List<PlanLevel> anyone(String resource) {
    return pick(CHAINS).stream().map(subject -> level(subject, resource)).toList();
  }

  /** The same subjects as those of an earlier call, in the same lives, with today's plans. */
  List<PlanLevel> today(List<Level> earlier, String resource) {
    List<PlanLevel> today = new ArrayList<>();
    for (Level level : earlier) {
      PlanLevel now = level(level.subject().value(), resource);
      today.add(now.withIncarnation(level.incarnation()));
    }
    return today;
  }

  /** Changes the plan or the life of a random subject. */
  void change(long nowMillis) {
    String subject = pick(pick(CHAINS));
    String resource = pick(RESOURCES);
    PlanLevel level = level(subject, resource);
    List<PlanLimit> limits = new ArrayList<>(level.limits());
    int which = random.nextInt(12);
    if (which == 0) {
      levels.put(key(subject, resource), level.withMaxHolds(1 + random.nextInt(8)));
    } else if (which == 1) {
      RESOURCES.forEach(
          r ->
              levels.put(
                  key(subject, r), level(subject, r).withIncarnation(level.incarnation() + 1)));
    } else if (which <= 3 || limits.isEmpty()) {
      levels.put(key(subject, resource), level.withLimits(randomLimits()));
    } else {
      int n = random.nextInt(limits.size());
      PlanLimit limit = limits.get(n);
      PlanLimit changed =
          switch (which) {
            case 4, 5, 6 -> limit.withPace(randomPace());
            case 7, 8 -> limit.withAmount(randomAmount());
            case 9 -> limit.withCap(randomCap());
            default -> limit.withAmountLater(randomAmount(), Instant.ofEpochMilli(nowMillis));
          };
      limits.set(n, changed);
      levels.put(key(subject, resource), level.withLimits(limits));
    }
  }

  /** Gives the record of a random subject another version. */
  PlanLevel changeRecord() {
    List<String> chain = pick(CHAINS);
    String subject = pick(chain);
    long version = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(1000);
    for (String resource : RESOURCES) {
      levels.put(key(subject, resource), level(subject, resource).withRecordVersion(version));
    }
    return level(subject, RESOURCES.getFirst());
  }

  /** The root of the household that a subject belongs to. */
  static SubjectId rootOf(SubjectId subject) {
    return CHAINS.stream()
        .filter(chain -> chain.contains(subject.value()))
        .map(chain -> new SubjectId(chain.getLast()))
        .findFirst()
        .orElseThrow();
  }

  private PlanLevel randomLevel(String subject) {
    return PlanLevel.of(subject)
        .withMaxHolds(random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 100)
        .withLimits(randomLimits());
  }

  private List<PlanLimit> randomLimits() {
    List<PlanLimit> limits = new ArrayList<>();
    int count = random.nextInt(4);
    for (int n = 0; n < count; n++) {
      PlanLimit limit =
          new PlanLimit("limit-" + n, pick(METERS), randomAmount(), randomPace(), pick(ZONES));
      limits.add(limit.withCap(randomCap()));
    }
    return limits;
  }

  private @Nullable Long randomAmount() {
    return switch (random.nextInt(10)) {
      case 0 -> null;
      case 3 -> huge ? null : 200L;
      case 1 -> random.nextInt(3) == 0 ? (long) random.nextInt(10) : 300L;
      case 2 -> huge ? Amounts.MAX : 1_000_000L;
      default -> 100L + random.nextInt(900);
    };
  }

  /** A natural day is seldom one of the limit's zone. */
  private PlanLimit.Cap randomCap() {
    return new PlanLimit.Cap(1 + random.nextInt(3), random.nextInt(2) == 0 ? pick(ZONES) : null);
  }

  private Pace randomPace() {
    return switch (random.nextInt(5)) {
      case 0 -> randomDrip();
      case 1 -> randomWindow();
      default -> new Periods(randomSchedule());
    };
  }

  private Drip randomDrip() {
    long refill = huge && random.nextInt(6) == 0 ? Amounts.MAX : 1 + random.nextInt(100);
    return new Drip(refill, Duration.ofSeconds(pick(List.of(1, 7, 60, 3600, 86_400 * 30))));
  }

  private Window randomWindow() {
    int seconds = pick(List.of(1, 10, 60, 61, 3600, 86_400));
    return new Window(Duration.ofSeconds(seconds), pick(List.of(1, 1, 2, 6, 7, 60)));
  }

  private Schedule randomSchedule() {
    return switch (random.nextInt(8)) {
      case 0 -> fixed(60);
      case 1 -> fixed(900 + random.nextInt(3) * 100);
      case 2 -> fixed(7 * 86_400);
      case 3, 4 -> new SessionSchedule(Duration.ofSeconds(30 + random.nextInt(3) * 600));
      case 5 -> calendar(CalendarUnit.HOUR);
      case 6 -> calendar(CalendarUnit.DAY);
      default -> new CronSchedule(pick(List.of("*/7 * * * *", "30 2,14 * * *", "0 0 1 * *")));
    };
  }

  private static FixedSchedule fixed(int seconds) {
    return new FixedSchedule(Duration.ofSeconds(seconds), Instant.ofEpochSecond(17));
  }

  private CalendarSchedule calendar(CalendarUnit unit) {
    return new CalendarSchedule(
        unit, 1 + random.nextInt(2), LocalTime.of(2, 30), DayOfWeek.MONDAY, 1, 1, LocalDate.EPOCH);
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
