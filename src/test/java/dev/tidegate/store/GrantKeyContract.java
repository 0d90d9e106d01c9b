package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.store.AuditEvent.Change;
import dev.tidegate.store.AuditEvent.Operation;
import dev.tidegate.store.GrantStore.AuditPage;
import dev.tidegate.store.GrantStore.AuditQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Grants that are repeated, and the trail that they leave. */
abstract class GrantKeyContract extends ContractFixture {

  /** Asks for an emergency top-up of the first limit, on the version that is shown. */
  private static Outcome.Granting click(Caller caller, int max, boolean perDay) {
    String limit = caller.levels.getFirst().limits().getFirst().name();
    return caller.emergency(limit, 10, max, perDay, caller.level(0).version());
  }

  private static IdempotencyKey key(String value) {
    return new IdempotencyKey(value, "fingerprint of " + value);
  }

  @Test
  @DisplayName("Law 20, D4, C11: a retry with its key returns the first result and grants nothing")
  void retried() {
    Caller alice = daily(100L);
    alice.charged(1);
    alice.grantKey = key("k");
    Outcome.ToppedUp first = alice.bought("daily", 50);
    pass(Duration.ofDays(2));
    Outcome.ToppedUp again = alice.bought("daily", 50);
    assertEquals(new Outcome.ToppedUp(first.granted(), first.state(), true), again);
    assertEquals(0, alice.limit().topup());
    assertEquals(1, alice.trail().size());
    alice.grantKey = key("r");
    long seq = alice.limit().seq();
    alice.wasReset("daily");
    assertTrue(alice.wasReset("daily").replayed());
    assertEquals(seq + 1, alice.limit().seq());
    alice.grantKey = key("r2");
    alice.wasReset("daily");
    assertEquals(seq + 2, alice.limit().seq());
  }

  @Test
  @DisplayName("Law 20, D5, D7: the same key for another call is refused")
  void keyReused() {
    Caller alice = daily(100L);
    alice.grantKey = key("k");
    alice.bought("daily", 50);
    alice.grantKey = new IdempotencyKey("k", "another call");
    assertEquals(new Outcome.KeyReused(), alice.purchase("daily", 80));
    assertEquals(new Outcome.KeyReused(), alice.reset("daily"));
    assertEquals(new Outcome.KeyReused(), alice.charge(Caller.tokens(1), alice.grantKey));
    assertEquals(50, alice.limit().topup());
  }

  @Test
  @DisplayName("Law 20, D13: after three days the key is new")
  void keyEnds() {
    Caller alice = daily(100L);
    alice.grantKey = key("k");
    alice.bought("daily", 50);
    pass(Duration.ofDays(3).minusMillis(1));
    assertTrue(alice.bought("daily", 50).replayed());
    passMillis(1);
    assertFalse(alice.bought("daily", 50).replayed());
    assertEquals(50, alice.limit().topup());
  }

  @Test
  @DisplayName("Law 20: a keyed call that changed nothing, or was refused, is remembered too")
  void rememberedRefusals() {
    Caller alice = daily(100L);
    alice.grantKey = key("none");
    assertFalse(alice.wasReset("daily").changed());
    alice.charged(60);
    Outcome.WasReset again = alice.wasReset("daily");
    assertTrue(again.replayed() && !again.changed());
    assertCounts(60, 0, alice.limit());
    alice.grantKey = key("conflict");
    Outcome.VersionConflict conflict =
        assertInstanceOf(Outcome.VersionConflict.class, alice.emergency("daily", 1, 1, false, 3));
    assertEquals(
        new Outcome.VersionConflict(conflict.version(), true),
        alice.emergency("daily", 1, 1, false, conflict.version()));
    alice.grantKey = null;
    click(alice, 1, false);
    alice.grantKey = key("cap");
    Outcome.Granting capped = click(alice, 1, false);
    pass(DAY);
    assertEquals(
        new Outcome.TopUpCapReached("daily", START.plus(DAY), true), click(alice, 1, false));
    assertEquals(new Outcome.TopUpCapReached("daily", START.plus(DAY), false), capped);
  }

  @Test
  @DisplayName("Law 20: a key belongs to one incarnation of a subject")
  void keyOfOneLife() {
    Caller alice = daily(100L);
    alice.grantKey = key("k");
    alice.bought("daily", 50);
    alice.levels = List.of(alice.levels.getFirst().withIncarnation(1));
    assertFalse(alice.bought("daily", 50).replayed());
    assertEquals(2, alice.trail().size(), "the trail is of all lives");
  }

  @Test
  @DisplayName("Law 20: the first answer can be looked up when the call cannot be decided any more")
  void lookedUp() {
    Caller alice = daily(100L);
    alice.grantKey = key("k");
    Outcome.ToppedUp first = alice.bought("daily", 50);
    Scope scope = alice.scope();
    assertEquals(
        new Outcome.ToppedUp(first.granted(), first.state(), true), replay(scope, key("k")));
    assertEquals(new Outcome.NotFound(), replay(scope, key("other")));
    assertEquals(new Outcome.KeyReused(), replay(scope, new IdempotencyKey("k", "other")));
  }

  private Outcome.Granting replay(Scope scope, IdempotencyKey key) {
    return Caller.await(under.grants().replay(scope.root(), scope.subject().subject(), 0, key));
  }

  @Test
  @DisplayName("Law 21: every operation that writes has exactly one event, which tells all of it")
  void audited() {
    Caller alice = daily(100L);
    alice.charged(60);
    long version = alice.level(0).version();
    long seq = alice.limit().seq();
    alice.grantKey = key("k");
    alice.bought("daily", 50);
    alice.bought("daily", 50);
    AuditEvent event = alice.trail().getFirst();
    assertEquals(1, alice.trail().size());
    Instant reset = START.plus(DAY);
    assertEquals(
        new AuditEvent(
            nowMillis + "-0",
            START,
            Operation.PURCHASE,
            "olga",
            "operator",
            "claude",
            version,
            version + 1,
            "a reason",
            "k",
            List.of(
                new Change(
                    "daily",
                    50,
                    new AuditEvent.Quota(seq, 100L, 0, 60, 0, reset),
                    new AuditEvent.Quota(seq, 100L, 50, 60, 0, reset)))),
        event);
    alice.grantKey = null;
    click(alice, 1, false);
    click(alice, 1, false);
    alice.wasReset("daily");
    alice.restart(0, "daily");
    assertEquals(
        List.of(Operation.RESTART, Operation.KEEP_ANCHOR, Operation.EMERGENCY, Operation.PURCHASE),
        alice.trail().stream().map(AuditEvent::operation).toList());
    AuditEvent.Quota after = alice.trail().getFirst().limits().getFirst().after();
    assertEquals(new AuditEvent.Quota(seq + 2, 100L, 0, 0, 0, reset), after);
  }

  @Test
  @DisplayName("Law 21: a keyed no-op has an event, an unkeyed one writes nothing")
  void auditedNoOps() {
    Caller alice = daily(100L);
    alice.wasReset("daily");
    assertEquals(List.of(), alice.trail());
    alice.grantKey = key("k");
    alice.wasReset("daily");
    alice.wasReset("daily");
    AuditEvent event = alice.trail().getFirst();
    assertEquals(1, alice.trail().size());
    assertEquals(event.limits().getFirst().before(), event.limits().getFirst().after());
    assertEquals(0, event.version());
  }

  @Test
  @DisplayName("Law 21: the trail is read in pages, by operation and by resource, the newest first")
  void auditPages() {
    Caller alice = daily(100L);
    for (int n = 1; n <= 5; n++) {
      alice.bought("daily", n);
      alice.wasReset("daily");
    }
    alice.resource = "gpt";
    alice.bought("daily", 99);
    alice.resource = "claude";
    assertEquals(10, alice.trail().size());
    List<Long> found = new ArrayList<>();
    String after = null;
    int pages = 0;
    do {
      AuditPage page = audit(alice, new AuditQuery("claude", Operation.PURCHASE, after, 2));
      page.events().forEach(event -> found.add(event.limits().getFirst().granted()));
      after = page.next();
      pages++;
    } while (after != null);
    assertEquals(List.of(5L, 4L, 3L, 2L, 1L), found);
    assertEquals(3, pages);
    Set<String> ids = Set.copyOf(alice.trail().stream().map(AuditEvent::id).toList());
    assertEquals(10, ids.size());
  }

  private AuditPage audit(Caller caller, AuditQuery query) {
    Scope scope = caller.scope();
    return Caller.await(under.grants().audit(scope.root(), scope.subject().subject(), query));
  }

  @Test
  @DisplayName("Law 21: an event is told for 400 days")
  void auditEnds() {
    Caller alice = daily(100L);
    alice.bought("daily", 1);
    pass(Duration.ofDays(400));
    assertEquals(1, alice.trail().size());
    passMillis(1);
    assertEquals(0, alice.trail().size());
  }
}
