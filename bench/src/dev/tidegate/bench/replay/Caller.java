package dev.tidegate.bench.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.bench.replay.Call.Fate;
import dev.tidegate.bench.replay.ServiceClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** Plays calls: reserve, wait as long as the model would take, settle. Safe for many threads. */
final class Caller {

  private static final int CREATED = 201;
  private static final int OK = 200;
  private static final int UNPROCESSABLE = 422;
  private static final int TOO_MANY = 429;

  private static final int LATE_TTL_SECONDS = 1;

  /** A lease that was taken before its answer came has lapsed this long after the answer. */
  private static final Duration LATE_WAIT = Duration.ofMillis(LATE_TTL_SECONDS * 1_000 + 100);

  /** About a minute in all, long enough for a store that restarts. */
  private static final int SETTLE_ATTEMPTS = 35;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final Settings settings;
  private final ServiceClient service;
  private final Tally tally;
  private final Semaphore slots;

  /**
   * Makes a caller.
   *
   * @param slots one of them is held by whoever calls {@link #play}
   */
  Caller(Settings settings, ServiceClient service, Tally tally, Semaphore slots) {
    this.settings = settings;
    this.service = service;
    this.tally = tally;
    this.slots = slots;
  }

  /** Plays one call from its reservation to its end. */
  void play(Call call) {
    tally.lag.add(Math.max(0, System.nanoTime() - call.dueNanos()));
    tally.started.increment();
    try {
      long estimate = call.row().contextTokens() + settings.outputCap();
      Answer answer =
          call.fate() == Fate.SETTLES_LATE
              ? service.reserve(call.subject(), estimate, LATE_TTL_SECONDS)
              : service.reserve(call.subject(), estimate);
      tally.reserve.add(answer.elapsedNanos());
      switch (answer.status()) {
        case CREATED -> finish(call, estimate, answer.body());
        case UNPROCESSABLE, TOO_MANY -> tally.denied(answer.code());
        default -> tally.failed(answer.code());
      }
    } catch (IOException lost) {
      // Whether it was taken is not known; if so, it lapses and counts nothing.
      tally.failed(lost.getClass().getSimpleName());
    } finally {
      tally.finished.increment();
    }
  }

  private void finish(Call call, long estimate, JsonNode reservation) {
    tally.admitted.increment();
    long nanos = (long) (call.row().length().toNanos() / settings.speed());
    Duration length = Duration.ofNanos(nanos);
    sleep(length);
    switch (call.fate()) {
      case DIES -> tally.died.increment();
      case SETTLES -> settle(call, estimate, reservation);
      case SETTLES_LATE -> {
        waitWithoutSlot(LATE_WAIT.minus(length));
        settle(call, estimate, reservation);
      }
    }
  }

  /** Lets another call run in the meantime: this one is over, only its bill is late. */
  private void waitWithoutSlot(Duration rest) {
    slots.release();
    sleep(rest);
    slots.acquireUninterruptibly();
  }

  private void settle(Call call, long estimate, JsonNode reservation) {
    String id = reservation.path("id").asText();
    Duration pause = FIRST_PAUSE;
    for (int attempt = 1; ; attempt++) {
      String why;
      try {
        Answer answer = service.settle(call.subject(), id, call.row().usedTokens());
        tally.settle.add(answer.elapsedNanos());
        if (answer.status() == OK) {
          note(call, estimate, reservation, answer.body());
          return;
        }
        why = answer.code();
        attempt = answer.isTransient() ? attempt : SETTLE_ATTEMPTS;
      } catch (IOException lost) {
        why = lost.getClass().getSimpleName();
      }
      if (attempt == SETTLE_ATTEMPTS) {
        tally.unsettled(why);
        return;
      }
      tally.settleRetries.increment();
      sleep(pause);
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  private void note(Call call, long estimate, JsonNode reservation, JsonNode settlement) {
    long used = call.row().usedTokens();
    tally.settled.increment();
    tally.chargedTokens.add(used);
    tally.returnedTokens.add(Math.max(0, estimate - used));
    if (settlement.path("late").asBoolean()) {
      tally.settledLate.increment();
    }
    Periods.current(reservation.path("limits"), call.subject())
        .forEach(
            (period, limit) -> {
              switch (limit.path("meter").asText()) {
                case "tokens" -> tally.settledIn(period, used);
                case "requests" -> tally.settledIn(period, 1);
                default -> {
                  // No other meter is named by a reservation of a replay.
                }
              }
            });
  }

  private static void sleep(Duration duration) {
    if (duration.isPositive()) {
      try {
        Thread.sleep(duration);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
