package dev.tidegate.store.redis;

import static dev.tidegate.store.redis.RedisFixture.key;
import static dev.tidegate.store.redis.SampleTerms.MIDNIGHT;
import static dev.tidegate.store.redis.SampleTerms.MINUTE;
import static dev.tidegate.store.redis.SampleTerms.ann;
import static dev.tidegate.store.redis.SampleTerms.annInTeam;
import static dev.tidegate.store.redis.SampleTerms.tokens;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.Bill;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Scope;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Many at once: whatever the order, the sums are those of one after the other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConcurrencyTest {

  private final RedisFixture fixture = RedisFixture.open();

  @BeforeEach
  void fresh() {
    fixture.fresh();
  }

  @AfterAll
  void close() {
    fixture.close();
  }

  /** All calls are on their way before the first one is answered. */
  private static <T> List<T> parallel(int count, IntFunction<Uni<T>> call) {
    return RedisFixture.get(
        Multi.createFrom()
            .range(0, count)
            .onItem()
            .transformToUni(call::apply)
            .merge(count)
            .collect()
            .asList());
  }

  private Scope ten() {
    return ann(10L, fixture.now());
  }

  private Uni<Outcome.Reserving> reserve(Scope scope) {
    return fixture
        .store()
        .reserve(scope, fixture.newId(scope.root()), tokens(1), MINUTE, false, null);
  }

  private static List<Outcome> only(List<? extends Outcome> outcomes, Class<?> kind) {
    return outcomes.stream().filter(kind::isInstance).map(Outcome.class::cast).toList();
  }

  @Test
  void a2AThousandForTenUnits() {
    Scope scope = ten();
    List<Outcome.Reserving> outcomes = parallel(1_000, n -> reserve(scope));
    assertEquals(10, only(outcomes, Outcome.Held.class).size());
    List<Outcome> denied = only(outcomes, Outcome.Refused.class);
    assertEquals(990, denied.size());
    Set<Object> ends =
        denied.stream()
            .map(Outcome.Refused.class::cast)
            .map(refused -> refused.state().levels().getFirst().limits().getFirst())
            .map(limit -> List.of(String.valueOf(limit.period()), limit.held(), limit.used()))
            .collect(Collectors.toSet());
    assertEquals(1, ends.size(), ends::toString);
    assertTrue(ends.toString().contains(MIDNIGHT.toString()), ends::toString);
    assertEquals("0/10", ScriptRows.view(fixture, scope));
  }

  @Test
  void aTeamOfTwoSharesTheLastUnit() {
    Scope scope = annInTeam(100L, 1L, fixture.now());
    fixture.register(scope.root(), scope.subject().subject(), 1);
    fixture.register(scope.root(), scope.root(), 1);
    List<Outcome.Reserving> outcomes = parallel(64, n -> reserve(scope));
    assertEquals(1, only(outcomes, Outcome.Held.class).size());
    assertEquals("0/1 + 0/1", ScriptRows.view(fixture, scope));
  }

  @Test
  void theFirstCallsEverMakeOneState() {
    Scope scope = ten();
    parallel(8, n -> fixture.store().charge(scope, Bill.of(tokens(1)), SampleTerms.DAY, null));
    assertEquals("8/0", ScriptRows.view(fixture, scope));
    long states =
        fixture.snapshot().keySet().stream().filter(key -> key.contains(":state:")).count();
    assertEquals(1, states);
    assertEquals("1", fixture.text(Command.SCARD, fixture.keyOf(scope, "resources")));
  }

  @Test
  void manySettlementsChargeOnce() {
    Scope scope = ten();
    ReservationId id = fixture.newId(scope.root());
    RedisFixture.get(fixture.store().reserve(scope, id, tokens(5), MINUTE, false, null));
    List<Outcome.Settling> outcomes =
        parallel(64, n -> fixture.store().settle(scope, id, Bill.of(tokens(3)), null));
    assertEquals(64, only(outcomes, Outcome.Settled.class).size());
    long first =
        outcomes.stream()
            .filter(it -> it instanceof Outcome.Settled settled && !settled.replayed())
            .count();
    assertEquals(1, first);
    assertEquals("3/0", ScriptRows.view(fixture, scope));
  }

  @Test
  void settlementsOfDifferentAmountsChargeTheFirst() {
    Scope scope = ten();
    ReservationId id = fixture.newId(scope.root());
    RedisFixture.get(fixture.store().reserve(scope, id, tokens(5), MINUTE, false, null));
    List<Outcome.Settling> outcomes =
        parallel(16, n -> fixture.store().settle(scope, id, Bill.of(tokens(n)), null));
    assertEquals(1, only(outcomes, Outcome.Settled.class).size());
    assertEquals(15, only(outcomes, Outcome.AlreadySettled.class).size());
    Outcome.Settled settled = (Outcome.Settled) only(outcomes, Outcome.Settled.class).getFirst();
    long charged = settled.charged().byMeter().values().iterator().next();
    assertEquals(charged + "/0", ScriptRows.view(fixture, scope));
  }

  @Test
  void aSettlementAndAReleaseGiveBackOnce() {
    Scope scope = ten();
    ReservationId id = fixture.newId(scope.root());
    RedisFixture.get(fixture.store().reserve(scope, id, tokens(5), MINUTE, false, null));
    List<? extends Outcome> outcomes =
        parallel(
            32,
            n ->
                n % 2 == 0
                    ? fixture.store().release(scope, id, null).map(Outcome.class::cast)
                    : fixture
                        .store()
                        .settle(scope, id, Bill.of(tokens(3)), null)
                        .map(Outcome.class::cast));
    assertEquals(32, outcomes.size());
    assertEquals("3/0", ScriptRows.view(fixture, scope));
  }

  @Test
  void callsWithOneKeyTakeOneReservation() {
    Scope scope = ten();
    List<Outcome.Reserving> outcomes =
        parallel(
            64,
            n ->
                fixture
                    .store()
                    .reserve(
                        scope, fixture.newId(scope.root()), tokens(2), MINUTE, false, key("one")));
    Set<ReservationId> ids =
        only(outcomes, Outcome.Held.class).stream()
            .map(it -> ((Outcome.Held) it).id())
            .collect(Collectors.toSet());
    assertEquals(1, ids.size());
    assertEquals("0/2", ScriptRows.view(fixture, scope));
    assertEquals("1", fixture.text(Command.ZCARD, fixture.keyOf(scope, "leases")));
  }

  @Test
  void callsWithOneKeyChargeOnce() {
    Scope scope = ten();
    parallel(
        64, n -> fixture.store().charge(scope, Bill.of(tokens(2)), SampleTerms.DAY, key("one")));
    assertEquals("2/0", ScriptRows.view(fixture, scope));
  }

  @Test
  void h8ManyCallsAtAFlushedServerCountOnceEach() {
    Scope scope = ann(100L, fixture.now());
    fixture.send(Command.SCRIPT, "FLUSH");
    parallel(64, n -> fixture.store().charge(scope, Bill.of(tokens(1)), SampleTerms.DAY, null));
    assertEquals("64/0", ScriptRows.view(fixture, scope));
  }
}
