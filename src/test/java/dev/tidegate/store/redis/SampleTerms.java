package dev.tidegate.store.redis;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.calendar.FixedSchedule;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.domain.calendar.SessionSchedule;
import dev.tidegate.store.Level;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.ScheduleLabel;
import dev.tidegate.store.Scope;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The terms that tests hand over: a subject `ann`, her team, limits by the day and by the session.
 */
final class SampleTerms {

  static final SubjectId ANN = new SubjectId("ann");
  static final SubjectId TEAM = new SubjectId("team");
  static final String RESOURCE = "claude";
  static final String TOKENS = "tokens";
  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Duration DAY = Duration.ofDays(1);
  static final int MAX_HOLDS = 10_000;

  /** The end of the day that the clock stands in at first. */
  static final Instant MIDNIGHT = Instant.parse("2026-10-15T00:00:00Z");

  private static final ZoneId UTC = ZoneOffset.UTC;

  private SampleTerms() {}

  static Amounts tokens(long amount) {
    return Amounts.of(TOKENS, amount);
  }

  /** A change that waited for a period that is long over. */
  private static final List<LimitTerms.Deferral> LONG_AGO =
      List.of(new LimitTerms.Deferral(Instant.EPOCH, 1L));

  /** A limit on tokens by the day. */
  static LimitTerms daily(@Nullable Long amount, Instant now) {
    return fixed("daily", TOKENS, amount, DAY, now);
  }

  static LimitTerms fixed(
      String name, String meter, @Nullable Long amount, Duration length, Instant now) {
    FixedSchedule schedule = new FixedSchedule(length, Instant.EPOCH);
    Period current = schedule.periodAt(now, UTC);
    return new LimitTerms.Periodic(
        name,
        meter,
        amount,
        ScheduleLabel.of(schedule, UTC),
        current,
        schedule.periodAfter(current, UTC),
        LONG_AGO,
        twiceADay(now),
        null);
  }

  static LimitTerms session(@Nullable Long amount, Duration length) {
    return new LimitTerms.Session(
        "session",
        TOKENS,
        amount,
        ScheduleLabel.of(new SessionSchedule(length), UTC),
        length,
        List.of(),
        LimitTerms.Emergencies.NONE);
  }

  /** Two emergency top-ups a day. */
  private static LimitTerms.Emergencies twiceADay(Instant now) {
    FixedSchedule days = new FixedSchedule(DAY, Instant.EPOCH);
    Period today = days.periodAt(now, UTC);
    return new LimitTerms.Emergencies(2, List.of(today, days.periodAfter(today, UTC)));
  }

  /** A token bucket of tokens that is refilled with so many a minute. */
  static LimitTerms bucket(long capacity, long perMinute) {
    return bucket(capacity, perMinute, MINUTE);
  }

  static LimitTerms bucket(long capacity, long refill, Duration interval) {
    return new LimitTerms.Bucket(
        "rate", TOKENS, capacity, refill, interval, ScheduleLabel.ofBucket(UTC));
  }

  /** A sliding budget of tokens per minute. */
  static LimitTerms sliding(@Nullable Long amount, int buckets) {
    return sliding(amount, MINUTE, buckets);
  }

  static LimitTerms sliding(@Nullable Long amount, Duration window, int buckets) {
    return new LimitTerms.Sliding(
        "rate", TOKENS, amount, window, buckets, ScheduleLabel.ofSliding(UTC));
  }

  static Level level(SubjectId subject, long version, LimitTerms... limits) {
    return new Level(subject, version, 0, MAX_HOLDS, List.of(limits));
  }

  static Level withMaxHolds(Level level, int maxHolds) {
    return new Level(
        level.subject(), level.recordVersion(), level.incarnation(), maxHolds, level.limits());
  }

  /** The first level's root is the last level. */
  static Scope scope(Level... levels) {
    return new Scope(levels[levels.length - 1].subject(), List.of(levels), RESOURCE, 1);
  }

  /** Ann alone, whom nobody registered, with a limit on tokens by the day. */
  static Scope ann(@Nullable Long amount, Instant now) {
    return scope(level(ANN, 0, daily(amount, now)));
  }

  /** Ann in a team, both registered with version 1. */
  static Scope annInTeam(@Nullable Long own, @Nullable Long shared, Instant now) {
    return scope(level(ANN, 1, daily(own, now)), level(TEAM, 1, daily(shared, now)));
  }

  /** The same levels, to be looked at whatever version their records have. */
  static Scope anyVersion(Scope scope) {
    List<Level> levels =
        scope.levels().stream()
            .map(
                it ->
                    new Level(
                        it.subject(),
                        Level.ANY_VERSION,
                        it.incarnation(),
                        it.maxHolds(),
                        it.limits()))
            .toList();
    return scope.withLevels(levels);
  }

  /** The first level alone, in the slot of the last. */
  static Scope leavingTheTeam(Scope scope) {
    return scope.ofSubject();
  }

  /** The same levels without their limits, as what touches reservations alone hands over. */
  static Scope withoutLimits(Scope scope) {
    List<Level> levels =
        scope.levels().stream()
            .map(
                it ->
                    new Level(
                        it.subject(),
                        it.recordVersion(),
                        it.incarnation(),
                        it.maxHolds(),
                        List.<LimitTerms>of()))
            .toList();
    return scope.withLevels(levels);
  }
}
