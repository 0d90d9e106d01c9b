package dev.tidegate.store.redis;

import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import io.smallrye.common.vertx.VertxContext;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One held connection and the event loop that it is used from.
 *
 * <p>It has a client of its own, because closing that is the only way to end a connection, or an
 * attempt at one, whatever state it is in: what the client had not sent yet is dropped with it.
 *
 * <p>Nothing that a caller was told has failed is sent later. Commands wait only for a connection
 * that is being opened, and no longer than they have time. A connection that owes an answer for
 * longer than the deadline gets no more commands; when it still owes it a deadline later, it is
 * closed. Until the next attempt to open it, commands fail at once; that attempt waits no longer
 * when another lane finds the server again.
 */
final class Lane {

  /**
   * How many commands may be under way. Redis runs about ten of our scripts in a millisecond on one
   * connection, so that with more it could not answer them all within a deadline.
   */
  static final int MAX_UNDER_WAY = 512;

  /** How long an attempt to connect may take, with TLS and a cluster's nodes. */
  static final int OPENING_MILLIS = 2000;

  /** The pause after the first attempt that failed; it doubles with each that follows. */
  private static final long FIRST_PAUSE_MILLIS = 20;

  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private final Vertx vertx;
  private final Supplier<Redis> clients;
  private final long deadlineNanos;
  private final Contact contact;

  private @Nullable Context context;
  private volatile @Nullable Thread thread;

  // All below is touched by the event loop alone; what is volatile or atomic, others may look at.

  private final Queue<Call> waiting = new ArrayDeque<>();
  private volatile boolean opening;
  private @Nullable Redis client;
  private volatile @Nullable RedisConnection connection;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger waitingCount = new AtomicInteger();

  /** Whether the connection has answered nothing since it let a command wait too long. */
  private boolean late;

  private long openedAt;
  private boolean hasAnswered;
  private int failures;
  private long closedAt = System.nanoTime();
  private long closedUntil = closedAt;
  private String lastFailure = "not connected";

  /**
   * Makes a lane that is closed.
   *
   * @param clients makes a client, in the lane's context, for each attempt to connect
   * @param contact shared by all lanes to the server
   */
  Lane(Vertx vertx, Supplier<Redis> clients, long deadlineNanos, Contact contact) {
    this.vertx = vertx;
    this.clients = clients;
    this.deadlineNanos = deadlineNanos;
    this.contact = contact;
  }

  /** A command and whom to answer. */
  private final class Call {

    private final Request request;
    private final boolean asking;
    private final Sequel sequel;
    private final UniEmitter<? super @Nullable Response> emitter;
    private final long timer;
    private long sentAt;
    private boolean sent;
    private boolean over;

    Call(
        Request request,
        long dueNanos,
        boolean asking,
        Sequel sequel,
        UniEmitter<? super @Nullable Response> emitter) {
      this.request = request;
      this.asking = asking;
      this.sequel = sequel;
      this.emitter = emitter;
      long millis = TimeUnit.NANOSECONDS.toMillis(dueNanos - System.nanoTime());
      this.timer = vertx.setTimer(Math.max(1, millis), ignored -> expire());
    }

    private void expire() {
      if (!over) {
        over = true;
        emitter.fail(
            sent
                ? new StoreException(Kind.UNANSWERED, "Redis gave no answer in time")
                : away("Redis could not be reached in time"));
        if (sent) {
          noteLate(sentAt);
        }
      }
    }

    void fail(Throwable why) {
      if (!over) {
        over = true;
        vertx.cancelTimer(timer);
        emitter.fail(why);
      }
    }

    void answer(@Nullable Response response) {
      if (!over) {
        over = true;
        vertx.cancelTimer(timer);
        emitter.complete(response);
      }
    }
  }

  /** What the lane is doing, as seen from any thread. */
  LaneUse use() {
    boolean open = connection != null;
    boolean connecting = !open && opening;
    return new LaneUse(
        open ? 1 : 0,
        connecting ? 1 : 0,
        open || connecting ? 0 : 1,
        underWay.getOpaque(),
        waitingCount.getOpaque());
  }

  /** Whether the calling thread is the event loop of this lane. */
  boolean isMine() {
    return thread == Thread.currentThread();
  }

  /**
   * Makes {@code candidate}'s event loop, the calling thread, the one of this lane, if it has none.
   */
  synchronized boolean claim(Context candidate) {
    if (context != null) {
      return false;
    }
    context = VertxContext.getRootContext(candidate);
    thread = Thread.currentThread();
    return true;
  }

  /** Of the next event loop in turn, where none has claimed it; a thread is given but one. */
  private synchronized Context context() {
    if (context == null) {
      context = ((VertxInternal) vertx).createEventLoopContext();
    }
    return context;
  }

  /**
   * Sends a command.
   *
   * @param dueNanos when it must have been answered, as {@link System#nanoTime} counts
   * @param asking whether it is for a slot that the server is about to take over
   * @param sequel what follows on the same connection; the answer is that to {@code request}
   */
  void send(
      Request request,
      long dueNanos,
      boolean asking,
      Sequel sequel,
      UniEmitter<? super @Nullable Response> emitter) {
    if (isMine()) {
      dispatch(request, dueNanos, asking, sequel, emitter);
    } else {
      context().runOnContext(ignored -> dispatch(request, dueNanos, asking, sequel, emitter));
    }
  }

  private void dispatch(
      Request request,
      long dueNanos,
      boolean asking,
      Sequel sequel,
      UniEmitter<? super @Nullable Response> emitter) {
    if (thread == null) {
      // It was given a loop by a call from outside of all; the calls of that loop are its own.
      thread = Thread.currentThread();
    }
    StoreException refusal = refusal(System.nanoTime(), dueNanos);
    if (refusal != null) {
      emitter.fail(refusal);
      return;
    }
    Call call = new Call(request, dueNanos, asking, sequel, emitter);
    if (connection != null) {
      transmit(call, connection);
    } else {
      waiting.add(call);
      waitingCount.setOpaque(waiting.size());
      if (!opening) {
        open();
      }
    }
  }

  /** Why a command cannot be taken now, or null. */
  private @Nullable StoreException refusal(long now, long dueNanos) {
    if (now - dueNanos >= 0) {
      return new StoreException(Kind.REFUSED, "the time of the call was over");
    }
    if (underWay.getPlain() + waiting.size() >= MAX_UNDER_WAY) {
      return new StoreException(Kind.REFUSED, "too many commands are under way to Redis");
    }
    if (late) {
      return away("Redis owes answers");
    }
    boolean closed = connection == null && !opening && isPausing(now);
    // One that has more time than a call may wait for what is opened slowly.
    boolean opensSlowly =
        opening && now - openedAt > deadlineNanos && dueNanos - now <= deadlineNanos;
    return closed || opensSlowly ? away("Redis is not reachable: " + lastFailure) : null;
  }

  private boolean isPausing(long now) {
    return now - closedUntil < 0 && !contact.isAfter(closedAt);
  }

  private static StoreException away(String why) {
    return new StoreException(Kind.AWAY, why);
  }

  private void transmit(Call call, RedisConnection open) {
    call.sent = true;
    call.sentAt = System.nanoTime();
    underWay.setOpaque(underWay.getPlain() + 1);
    if (call.asking) {
      // It holds for the next command alone; nobody else uses the connection, so that is ours.
      open.send(Request.cmd(Command.ASKING));
    }
    open.send(call.request).onComplete(answer -> answered(call, open, answer));
  }

  private void answered(Call call, RedisConnection from, AsyncResult<Response> answer) {
    if (from == connection) {
      underWay.setOpaque(underWay.getPlain() - 1);
    }
    if (answer.succeeded()) {
      goOn(call, from, answer.result(), answer.result());
      noteAnswer(from);
    } else if (answer.cause() instanceof ErrorType error && !isBreak(error)) {
      call.fail(error);
      noteAnswer(from);
      if (RedisError.isOfReplica(error) && from == connection) {
        // What was the master is none any more; another connection may lead to the one that is.
        close("Redis is a replica");
      }
    } else {
      call.fail(new StoreException(Kind.UNANSWERED, "the connection to Redis broke"));
      if (from == connection) {
        close(String.valueOf(answer.cause().getMessage()));
      }
    }
  }

  /** Sends what follows a command, if anything does, and answers the call after the last of it. */
  private void goOn(
      Call call, RedisConnection open, @Nullable Response first, @Nullable Response last) {
    Request next = call.over ? null : call.sequel.next(last);
    if (next == null) {
      call.answer(first);
      return;
    }
    open.send(next)
        .onComplete(
            answer -> {
              if (answer.succeeded()) {
                goOn(call, open, first, answer.result());
              } else if (answer.cause() instanceof ErrorType error && !isBreak(error)) {
                call.answer(first);
              } else {
                call.fail(new StoreException(Kind.UNANSWERED, "the connection to Redis broke"));
              }
            });
  }

  /** The client says in this way, too, that a connection has ended. */
  private static boolean isBreak(ErrorType error) {
    return "CONNECTION_CLOSED".equals(error.getMessage());
  }

  private void noteAnswer(RedisConnection from) {
    if (from == connection) {
      if (!hasAnswered) {
        hasAnswered = true;
        contact.made();
      }
      failures = 0;
      late = false;
    }
  }

  /** A command whose call had little time left says nothing of the connection. */
  private void noteLate(long sentAt) {
    RedisConnection owing = connection;
    long now = System.nanoTime();
    if (owing == null || late || now - sentAt < deadlineNanos / 2) {
      return;
    }
    late = true;
    vertx.setTimer(
        Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNanos)),
        ignored -> {
          if (late && owing == connection) {
            close("it owed answers");
          }
        });
  }

  private void open() {
    opening = true;
    openedAt = System.nanoTime();
    context()
        .runOnContext(
            ignored -> {
              Redis mine = clients.get();
              client = mine;
              mine.connect().onComplete(connected -> opened(mine, connected));
              vertx.setTimer(
                  OPENING_MILLIS,
                  overdue -> {
                    if (client == mine && opening) {
                      close("connecting takes too long");
                    }
                  });
            });
  }

  private void opened(Redis mine, AsyncResult<RedisConnection> connected) {
    if (client != mine) {
      return;
    }
    if (connected.failed()) {
      close(String.valueOf(connected.cause().getMessage()));
      return;
    }
    RedisConnection open = connected.result();
    connection = open;
    opening = false;
    hasAnswered = false;
    open.exceptionHandler(broken -> closeIf(open, String.valueOf(broken.getMessage())));
    open.endHandler(ended -> closeIf(open, "the connection ended"));
    waitingCount.setOpaque(0);
    for (Call call = waiting.poll(); call != null; call = waiting.poll()) {
      if (!call.over) {
        transmit(call, open);
      }
    }
  }

  private void closeIf(RedisConnection ended, String why) {
    if (ended == connection) {
      close(why);
    }
  }

  /** Ends the connection or the attempt at one; one that never answered counts as a failure. */
  private void close(String why) {
    lastFailure = why;
    failures = connection != null && hasAnswered ? 0 : failures + 1;
    closedAt = System.nanoTime();
    closedUntil = closedAt + TimeUnit.MILLISECONDS.toNanos(pauseMillis(failures));
    Redis closing = client;
    client = null;
    connection = null;
    opening = false;
    underWay.setOpaque(0);
    late = false;
    if (closing != null) {
      closing.close();
    }
    waitingCount.setOpaque(0);
    for (Call call = waiting.poll(); call != null; call = waiting.poll()) {
      call.fail(away("Redis is not reachable: " + why));
    }
  }

  /** Half of the pause is by chance, so that lanes and services do not come back all at once. */
  private static long pauseMillis(int failures) {
    if (failures == 0) {
      return 0;
    }
    long doubled = FIRST_PAUSE_MILLIS << Math.min(failures - 1, 10);
    long half = Math.min(LONGEST_PAUSE_MILLIS, doubled) / 2;
    return half + ThreadLocalRandom.current().nextLong(half + 1);
  }
}
