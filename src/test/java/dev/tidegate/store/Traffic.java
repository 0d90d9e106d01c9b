package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.SubjectId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many callers who reserve and settle until they are told to stop. One who gets no answer to a
 * settlement sends it again until there is one, as a client does.
 */
final class Traffic implements AutoCloseable {

  private static final int CALLERS = 4;
  private static final int ESTIMATE = 5;
  private static final long PAUSE_MILLIS = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<Account> accounts = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
  private final AtomicLong refusals = new AtomicLong();
  private volatile boolean stopped;

  /**
   * Starts it.
   *
   * @param subjects how many there are, each with a quota and a slot of its own
   */
  static Traffic start(ContractFixture fixture, int subjects) {
    Traffic traffic = new Traffic();
    for (int n = 0; n < subjects; n++) {
      PlanLimit limit = PlanLimit.every(ContractFixture.DAY, "daily", "tokens", 1_000_000_000L);
      String name = "subject-" + n;
      traffic.accounts.add(new Account(name, fixture.caller(PlanLevel.of(name, limit))));
    }
    traffic.accounts.forEach(Traffic::connect);
    for (int n = 0; n < CALLERS; n++) {
      Random random = new Random(n);
      Thread thread = new Thread(() -> traffic.run(random));
      thread.setDaemon(true);
      thread.start();
      traffic.threads.add(thread);
    }
    return traffic;
  }

  /** The first calls find no connection yet, and a machine that is busy with starting servers. */
  private static void connect(Account account) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        account.caller.read();
        return;
      } catch (StoreException away) {
        assertTrue(System.nanoTime() < deadline, away::getMessage);
        pause();
      }
    }
  }

  /** A settlement, and when it was acknowledged. */
  private record Settlement(ReservationId id, long at) {}

  /** A subject and what was settled on its behalf. */
  private static final class Account {

    private final String name;
    private final Caller caller;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final ConcurrentLinkedQueue<Settlement> settled = new ConcurrentLinkedQueue<>();

    Account(String name, Caller caller) {
      this.name = name;
      this.caller = caller;
    }
  }

  private void run(Random random) {
    try {
      while (!stopped) {
        Account account = accounts.get(random.nextInt(accounts.size()));
        ReservationId id = account.caller.newId();
        if (isHeld(account, id)) {
          settle(account, id, 1 + random.nextInt(ESTIMATE));
        }
      }
    } catch (RuntimeException | AssertionError fault) {
      faults.add(fault);
    }
  }

  private boolean isHeld(Account account, ReservationId id) {
    try {
      assertInstanceOf(
          Outcome.Held.class, account.caller.reserve(id, Caller.tokens(ESTIMATE), null));
      return true;
    } catch (StoreException away) {
      refused(away);
      return false;
    }
  }

  private void settle(Account account, ReservationId id, long amount) {
    while (!stopped) {
      try {
        if (account.caller.settle(id, amount) instanceof Outcome.Settled) {
          account.settled.add(new Settlement(id, System.nanoTime()));
          account.acknowledged.incrementAndGet();
        }
        return;
      } catch (StoreException away) {
        refused(away);
      }
    }
  }

  /** What a client is answered with 503. */
  private void refused(StoreException away) {
    assertTrue(away.isTransient(), away::getMessage);
    refusals.incrementAndGet();
    pause();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** The subjects. */
  List<SubjectId> subjects() {
    return accounts.stream().map(account -> new SubjectId(account.name)).toList();
  }

  /** How many calls were refused so far. */
  long refusals() {
    return refusals.get();
  }

  /** Waits until so many more settlements of every subject were acknowledged. */
  void await(int settlements) {
    List<Integer> goals =
        accounts.stream().map(account -> account.acknowledged.get() + settlements).toList();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (int n = 0; n < goals.size(); n++) {
      Account account = accounts.get(n);
      while (account.acknowledged.get() < goals.get(n)) {
        assertEquals(List.of(), List.copyOf(faults));
        assertTrue(System.nanoTime() < deadline, account.name + " is not served");
        pause();
      }
    }
  }

  /** Ends it and waits for the last answers. */
  void stop() {
    stopped = true;
    try {
      for (Thread thread : threads) {
        thread.join(PATIENCE);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    assertEquals(List.of(), List.copyOf(faults));
  }

  /**
   * Looks up every settlement that was acknowledged. All that were until an instant are there, and
   * what the quotas count is what those that are there have charged.
   *
   * @param keptUntil as {@link System#nanoTime} counts
   * @return how many of the later ones are gone
   */
  int audit(long keptUntil) {
    int lost = 0;
    for (Account account : accounts) {
      long charged = 0;
      for (Settlement settlement : account.settled) {
        long found = charged(account, settlement.id);
        boolean kept = settlement.at - keptUntil < 0;
        assertTrue(found > 0 || !kept, () -> settlement.id + " was acknowledged and is gone");
        charged += found;
        lost += found > 0 ? 0 : 1;
      }
      long used = account.caller.limit().used();
      assertTrue(used >= charged, () -> "%s used %d".formatted(account.name, used));
      assertTrue(
          used <= charged + (long) CALLERS * ESTIMATE,
          account.name + ": more than the settlements without an answer may have charged");
    }
    return lost;
  }

  private static long charged(Account account, ReservationId id) {
    return account.caller.find(id) instanceof Outcome.Found found
        ? found.charged().byMeter().getOrDefault("tokens", 0L)
        : 0;
  }

  @Override
  public void close() {
    stopped = true;
  }
}
