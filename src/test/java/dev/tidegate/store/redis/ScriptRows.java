package dev.tidegate.store.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.ClosedPeriod;
import dev.tidegate.store.Insight;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import dev.tidegate.store.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Tables of {@code given state | call | answer | state after}; each row has a test and keys of its
 * own.
 */
final class ScriptRows {

  private final RedisFixture fixture;
  private final Function<RedisFixture, Scope> view;
  private final List<DynamicTest> tests = new ArrayList<>();

  /**
   * @param view the scope that a row's state is read with afterwards
   */
  ScriptRows(RedisFixture fixture, Function<RedisFixture, Scope> view) {
    this.fixture = fixture;
    this.view = view;
  }

  Stream<DynamicTest> tests() {
    return tests.stream();
  }

  /**
   * A call that may change something.
   *
   * @param answer what {@link #words} makes of the outcome
   * @param after what {@link #view} makes of the state
   */
  ScriptRows row(
      String name,
      Consumer<RedisFixture> given,
      Function<RedisFixture, Outcome> call,
      String answer,
      String after) {
    tests.add(
        DynamicTest.dynamicTest(
            name,
            () -> {
              fixture.fresh();
              given.accept(fixture);
              SortedMap<String, RedisFixture.Stored> before = fixture.snapshot();
              assertEquals(answer, words(call.apply(fixture)));
              assertEquals(after, view(fixture, view.apply(fixture)));
              assertNoImmortalKeyAppeared(before, fixture.snapshot());
            }));
    return this;
  }

  /** A call that leaves every key and every view as it was, and no key a longer life. */
  ScriptRows refusal(
      String name,
      Consumer<RedisFixture> given,
      Function<RedisFixture, Outcome> call,
      String answer) {
    tests.add(
        DynamicTest.dynamicTest(
            name,
            () -> {
              fixture.fresh();
              given.accept(fixture);
              assertChangesNothing(
                  fixture,
                  view.apply(fixture),
                  () -> {
                    assertEquals(answer, words(call.apply(fixture)));
                  });
            }));
    return this;
  }

  /** Runs {@code call} and compares every key, every time to live and every view. */
  static void assertChangesNothing(RedisFixture fixture, Scope view, Runnable call) {
    String viewBefore = view(fixture, view);
    SortedMap<String, RedisFixture.Stored> before = fixture.snapshot();
    call.run();
    SortedMap<String, RedisFixture.Stored> after = fixture.snapshot();
    assertEquals(dumps(before), dumps(after));
    assertNoTtlGrew(before, after);
    assertEquals(viewBefore, view(fixture, view));
  }

  static void assertNoTtlGrew(
      SortedMap<String, RedisFixture.Stored> before, SortedMap<String, RedisFixture.Stored> after) {
    before.forEach(
        (key, stored) -> {
          RedisFixture.Stored now = after.get(key);
          if (now != null && stored.ttlMillis() >= 0) {
            assertTrue(
                now.ttlMillis() >= 0 && now.ttlMillis() <= stored.ttlMillis(),
                () -> key + " lived " + stored.ttlMillis() + ", now " + now.ttlMillis());
          }
        });
  }

  /** A subject that expires gets no key that does not. */
  private static void assertNoImmortalKeyAppeared(
      SortedMap<String, RedisFixture.Stored> before, SortedMap<String, RedisFixture.Stored> after) {
    boolean expiring =
        before.entrySet().stream()
            .anyMatch(it -> it.getKey().contains(":state:") && it.getValue().ttlMillis() > 0);
    if (expiring) {
      after.forEach(
          (key, stored) ->
              assertTrue(
                  stored.ttlMillis() > 0 || before.containsKey(key), () -> key + " never expires"));
    }
  }

  private static Map<String, String> dumps(SortedMap<String, RedisFixture.Stored> stored) {
    return stored.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, it -> it.getValue().dump()));
  }

  /** {@code used/held} of every limit of every level, then the closed periods of the first. */
  static String view(RedisFixture fixture, Scope scope) {
    Outcome.Reading reading = RedisFixture.get(fixture.store().read(scope));
    if (!(reading instanceof Outcome.Quota(QuotaState state, List<Insight> insights))) {
      return reading.getClass().getSimpleName();
    }
    String levels =
        state.levels().stream()
            .map(
                level ->
                    level.limits().stream()
                        .map(ScriptRows::amounts)
                        .collect(Collectors.joining(" ")))
            .collect(Collectors.joining(" + "));
    return levels + closed(fixture, scope);
  }

  private static String closed(RedisFixture fixture, Scope scope) {
    return RedisFixture.get(fixture.store().readPeriods(scope)) instanceof Outcome.Periods periods
        ? periods.closed().stream()
            .sorted(Comparator.comparingLong(ClosedPeriod::seq))
            .map(period -> ", closed %d/%d".formatted(period.used(), period.held()))
            .collect(Collectors.joining())
        : "";
  }

  private static String amounts(LimitState limit) {
    return limit.used() + "/" + limit.held();
  }

  /** An outcome in a few words. */
  static String words(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Held held -> "HELD" + amounts(held.amounts()) + replayed(held.replayed());
      case Outcome.Fits fits -> "FITS";
      case Outcome.Refused refused -> refused(refused);
      case Outcome.Settled settled ->
          "SETTLED"
              + amounts(settled.charged())
              + (settled.late() ? " late" : "")
              + replayed(settled.replayed());
      case Outcome.AlreadySettled(Outcome.Settled first) ->
          "ALREADY_SETTLED" + amounts(first.charged()) + (first.late() ? " late" : "");
      case Outcome.Unnamed(String meter) -> "UNNAMED " + meter;
      case Outcome.SettleOverflow(String meter) -> "OVERFLOW " + meter;
      case Outcome.Closed closed -> "CLOSED " + closed.state() + replayed(closed.replayed());
      case Outcome.NotExtendable(Outcome.ReservationState state) -> "CLOSED " + state;
      case Outcome.Extended extended ->
          "EXTENDED" + (extended.capped() ? " capped" : "") + replayed(extended.replayed());
      case Outcome.Charged charged ->
          "CHARGED" + amounts(charged.charged()) + replayed(charged.replayed());
      case Outcome.Found found ->
          "FOUND " + found.state() + amounts(found.amounts()) + amounts(found.charged());
      case Outcome.ToppedUp toppedUp ->
          "GRANTED" + amounts(toppedUp.granted()) + replayed(toppedUp.replayed());
      case Outcome.WasReset reset ->
          "RESET"
              + (reset.changed() ? reset.limits().stream().map(ScriptRows::ended).toList() : "")
              + replayed(reset.replayed());
      case Outcome.VersionConflict conflict -> "CONFLICT" + replayed(conflict.replayed());
      case Outcome.TopUpCapReached cap ->
          "TOPUP_CAPPED " + cap.nextAvailableAt() + replayed(cap.replayed());
      case Outcome.RestartCapReached cap ->
          "RESTART_CAPPED " + cap.nextAvailableAt() + replayed(cap.replayed());
      case Outcome.TopUpOverflow overflow ->
          "OVERFLOW " + overflow.limit() + replayed(overflow.replayed());
      case Outcome.Unsupported unsupported -> "UNSUPPORTED " + unsupported.limit();
      case Outcome.StaleAnchors stale -> "STALE_ANCHOR " + stale.anchors().size();
      case Outcome.StaleLevels stale -> "STALE_LEVELS " + stale.levels();
      case Outcome.StalePeriod stale -> "STALE_PERIOD";
      case Outcome.StaleConfiguration stale -> "STALE_CONFIG";
      case Outcome.NotFound unknown -> "NOT_FOUND";
      case Outcome.KeyReused reused -> "KEY_REUSED";
      case Outcome.Quota(QuotaState state, List<Insight> insights) -> "STATE" + versions(state);
      case Outcome.Periods periods -> "PERIODS " + periods.closed().size();
    };
  }

  private static String ended(Outcome.LimitReset reset) {
    ClosedPeriod previous = reset.previous();
    return previous == null ? "none" : previous.used() + "/" + previous.held();
  }

  private static String versions(QuotaState state) {
    return state.levels().stream()
        .map(LevelState::version)
        .map(version -> " " + (version == 0 ? "unused" : "used"))
        .collect(Collectors.joining());
  }

  private static String refused(Outcome.Refused refused) {
    return refused.reason()
        + (refused.estimated() ? " about " : " ")
        + refused.retryAfterMillis()
        + refused.refusals().stream()
            .map(
                it ->
                    " [%s %d.%d %d]"
                        .formatted(it.reason(), it.level(), it.limit(), it.freesMillis()))
            .collect(Collectors.joining());
  }

  private static String amounts(dev.tidegate.domain.Amounts amounts) {
    return amounts.byMeter().values().stream()
        .map(amount -> " " + amount)
        .collect(Collectors.joining());
  }

  private static String replayed(boolean replayed) {
    return replayed ? " replayed" : "";
  }

  /** The id that stands for the n-th reservation of a row. */
  static ReservationId id(Scope scope, int n) {
    return new ReservationId("reservation%05d".formatted(n), scope.root());
  }
}
