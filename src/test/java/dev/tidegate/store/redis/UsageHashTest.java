package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.SampleTerms.ANN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.Bill;
import dev.tidegate.domain.Breakdown;
import dev.tidegate.domain.CategoryUse;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Scope;
import dev.tidegate.store.StoreException;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The sums of what was used: bounded, and gone with what they are about. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UsageHashTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Bill BILL =
      new Bill(
          SampleTerms.tokens(3),
          new Breakdown(
              new TreeMap<>(
                  Map.of(
                      "tokens",
                      new TreeMap<>(Map.of("text", new CategoryUse(2, new BigDecimal("2.5"))))))));

  private final RedisFixture fixture = RedisFixture.open();

  @AfterAll
  void close() {
    fixture.close();
  }

  @BeforeEach
  void startOver() {
    fixture.fresh();
  }

  private Scope scope() {
    return SampleTerms.ann(1_000_000L, fixture.now());
  }

  private String key() {
    return fixture.keyOf(scope(), "usage");
  }

  private void charge() {
    assertInstanceOf(
        Outcome.Charged.class,
        RedisFixture.get(fixture.store().charge(scope(), BILL, MINUTE, null)));
  }

  private ReservationId hold(Duration ttl) {
    ReservationId id = fixture.newId(ANN);
    assertInstanceOf(
        Outcome.Held.class,
        RedisFixture.get(
            fixture.store().reserve(scope(), id, SampleTerms.tokens(3), ttl, false, null)));
    return id;
  }

  private void settle(ReservationId id) {
    assertInstanceOf(
        Outcome.Settled.class, RedisFixture.get(fixture.store().settle(scope(), id, BILL, null)));
  }

  private void pass(Duration elapsed) {
    fixture.at(fixture.now().plus(elapsed));
  }

  private List<String> fields(String prefix) {
    List<String> fields = new ArrayList<>();
    Response all = fixture.send(Command.HKEYS, key());
    if (all != null) {
      all.forEach(field -> fields.add(field.toString()));
    }
    return fields.stream().filter(field -> field.startsWith(prefix)).sorted().toList();
  }

  private static String field(Instant day) {
    return "c:daily:" + day.getEpochSecond() / 86_400;
  }

  @Test
  void whatIsHeldReleasedAndReadLeavesNoSums() {
    ReservationId id = hold(MINUTE);
    RedisFixture.get(fixture.store().read(scope()));
    RedisFixture.get(fixture.store().release(SampleTerms.withoutLimits(scope()), id, null));
    assertEquals(
        0, fixture.snapshot().keySet().stream().filter(k -> k.contains(":usage:")).count());
  }

  @Test
  void sumsLiveAsLongAsTheStateAlsoWhenTheyComeLater() {
    ReservationId id = hold(MINUTE);
    pass(Duration.ofSeconds(30));
    settle(id);
    Response ofState = fixture.send(Command.PTTL, fixture.keyOf(scope(), "state"));
    Response ofUsage = fixture.send(Command.PTTL, key());
    assertTrue(ofState != null && ofUsage != null && ofUsage.toLong() > 0);
    long apart = ofState.toLong() - ofUsage.toLong();
    assertTrue(apart >= -1000 && apart <= 31_000, "" + apart);
  }

  @Test
  void theSumsOfAPeriodAreForgottenTogetherWithIt() {
    for (int day = 0; day < RedisFixture.HISTORY_KEPT + 4; day++) {
      charge();
      pass(SampleTerms.DAY);
    }
    charge();
    int kept = RedisFixture.HISTORY_KEPT;
    assertEquals(kept + 1, fields("c:").size());
    Response closed = fixture.send(Command.HLEN, fixture.keyOf(scope(), "history"));
    assertTrue(closed != null && closed.toLong() == kept);
    assertEquals(
        field(fixture.now().minus(SampleTerms.DAY.multipliedBy(kept))), fields("c:").getFirst());
    assertEquals(field(fixture.now()), fields("c:").getLast());
  }

  @Test
  void theSumsOfAPeriodThatIsSettledIntoForTheLastTimeGoWithIt() {
    ReservationId id = hold(SampleTerms.DAY);
    String first = field(fixture.now());
    charge();
    for (int day = 0; day <= RedisFixture.HISTORY_KEPT + 1; day++) {
      fixture.at(RedisFixture.NOW.plus(Duration.ofMinutes(1 + 10L * day)));
      charge();
    }
    settle(id);
    assertEquals("text 32 40 0", fixture.text(Command.HGET, key(), first));
  }

  @Test
  void aLateSettlementCorrectsTheSumsOfTheClosedPeriod() {
    ReservationId id = hold(MINUTE);
    charge();
    String first = field(fixture.now());
    pass(SampleTerms.DAY);
    charge();
    settle(id);
    assertEquals("text 4 5 0", fixture.text(Command.HGET, key(), first));
    assertEquals("text 2 2 500000", fixture.text(Command.HGET, key(), field(fixture.now())));
  }

  @Test
  void minutesAndHoursAreKeptForTheirWindowsAlone() {
    for (int minute = 0; minute < 150; minute++) {
      charge();
      pass(MINUTE);
    }
    int ofAnHour = fixture.text(Command.HGET, key(), "o:tokens").length();
    for (int hour = 0; hour < 30; hour++) {
      charge();
      pass(Duration.ofHours(1));
    }
    assertEquals(List.of("m:tokens"), fields("m:"));
    assertEquals(List.of("o:tokens"), fields("o:"));
    int ofADay = fixture.text(Command.HGET, key(), "o:tokens").length();
    assertTrue(ofAnHour < 61 * 12 && ofADay < 26 * 12, ofAnHour + " " + ofADay);
  }

  @Test
  void anotherLifeHasSumsOfItsOwn() {
    charge();
    assertTrue(key().endsWith(":usage:ann:0:claude"), key());
    assertEquals(
        1, fixture.snapshot().keySet().stream().filter(k -> k.contains(":usage:")).count());
  }

  @Test
  void aCorruptRecordStopsTheCallBeforeItWrites() {
    ReservationId id = hold(MINUTE);
    charge();
    fixture.send(Command.HSET, key(), "m:tokens", "1e400");
    var before = fixture.snapshot();
    for (Runnable call : List.<Runnable>of(this::charge, () -> settle(id))) {
      StoreException refused = assertThrows(StoreException.class, call::run);
      assertTrue(String.valueOf(refused.getMessage()).contains("CORRUPT usage: 1e400"));
      var after = fixture.snapshot();
      assertEquals(before.keySet(), after.keySet());
      before.forEach(
          (key, stored) ->
              assertEquals(stored.dump(), after.getOrDefault(key, stored).dump(), key));
    }
  }
}
