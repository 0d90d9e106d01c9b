package dev.tidegate.store.redis;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The way to one server: a fixed number of held connections, each used from one event loop, over
 * which commands pipeline. See {@link Lane} for what happens when one breaks.
 */
final class RedisLanes implements RedisWay {

  private final Duration deadline;
  private final List<Lane> lanes;
  private final AtomicInteger next = new AtomicInteger();
  private final LongAdder trips = new LongAdder();

  /**
   * Makes lanes, each of which connects when it is first used.
   *
   * @param clients makes a client with a connection to Redis, for one lane
   * @param count how many connections are held
   * @param deadline how long an answer may take
   */
  RedisLanes(Vertx vertx, Supplier<Redis> clients, int count, Duration deadline) {
    this.deadline = deadline;
    Contact contact = new Contact();
    this.lanes =
        IntStream.range(0, count)
            .mapToObj(n -> new Lane(vertx, clients, deadline.toNanos(), contact))
            .toList();
  }

  @Override
  public long trips() {
    return trips.sum();
  }

  @Override
  public LaneUse use() {
    return lanes.stream().map(Lane::use).reduce(LaneUse.NONE, LaneUse::and);
  }

  @Override
  public long dueNanos() {
    return System.nanoTime() + deadline.toNanos();
  }

  @Override
  public Uni<@Nullable Response> send(Request request, long dueNanos, Sequel sequel) {
    return send(request, dueNanos, false, sequel);
  }

  /**
   * Sends one command for a slot that the server is about to take over.
   *
   * @param dueNanos of the call
   * @param sequel see {@link #send(Request, long, Sequel)}
   */
  Uni<@Nullable Response> sendAsking(Request request, long dueNanos, Sequel sequel) {
    return send(request, dueNanos, true, sequel);
  }

  private Uni<@Nullable Response> send(
      Request request, long dueNanos, boolean asking, Sequel sequel) {
    return Uni.createFrom().deferred(() -> send(lane(), request, dueNanos, asking, sequel));
  }

  private Uni<@Nullable Response> send(
      Lane lane, Request request, long dueNanos, boolean asking, Sequel sequel) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              trips.increment();
              lane.send(request, dueNanos, asking, sequel, emitter);
            });
  }

  @Override
  public Uni<Void> warmUp(long due) {
    Request script = Request.cmd(Command.EVAL).arg("return 1").arg(0);
    return Uni.join()
        .all(lanes.stream().map(lane -> send(lane, script, due, false, Sequel.NONE)).toList())
        .andFailFast()
        .replaceWithVoid();
  }

  @Override
  public Uni<List<RedisLanes>> servers() {
    return Uni.createFrom().item(List.of(this));
  }

  /**
   * The lane of the calling event loop, so that neither the command nor its answer changes threads.
   */
  private Lane lane() {
    Context current = Vertx.currentContext();
    if (current != null && current.isEventLoopContext()) {
      for (Lane lane : lanes) {
        if (lane.isMine()) {
          return lane;
        }
      }
      for (Lane lane : lanes) {
        if (lane.claim(current)) {
          return lane;
        }
      }
    }
    return lanes.get(Math.floorMod(next.getAndIncrement(), lanes.size()));
  }
}
