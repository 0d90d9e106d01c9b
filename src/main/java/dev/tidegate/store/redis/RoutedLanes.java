package dev.tidegate.store.redis;

import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.RequestImpl;
import io.vertx.redis.client.impl.ZModem;
import io.vertx.redis.client.impl.types.ErrorType;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The way to a cluster, or to the master that sentinels name: lanes to each server, and the routes
 * that a {@link Directory} tells.
 *
 * <p>Servers share nothing here, so that one that is away or stands still fails the calls for its
 * own slots and no others. The directory is asked anew when a server says that it does not answer
 * for a slot, when one does not answer at all, and when what is known is old; one who does not
 * answer in time is passed over, and another one begins each time.
 */
final class RoutedLanes implements RedisWay {

  /** How often one call is sent on before it pauses: two moves, and an importing server each. */
  private static final int MAX_HOPS = 4;

  /** How long one of those who know the routes may take to tell them. */
  private static final Duration ANSWER_WITHIN = Duration.ofMillis(500);

  /** The directory is not asked more often, however many calls fail. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Directory directory;
  private final Set<URI> seeds;
  private final Duration deadline;
  private final long routesLastNanos;
  private final Function<URI, RedisLanes> lanesTo;
  private final Function<URI, RedisLanes> lanesToAsk;

  private final Map<URI, RedisLanes> servers = new ConcurrentHashMap<>();
  private final Map<URI, RedisLanes> asked = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Routes> routes = new AtomicReference<>();
  private final AtomicInteger turns = new AtomicInteger();
  private @Nullable Uni<Routes> asking;
  private volatile long askedAt = System.nanoTime() - PAUSE_NANOS;

  /** How servers are reached. */
  interface Connector {

    /** Makes a number of lanes to a server. */
    RedisLanes lanes(URI server, int count, Duration deadline);
  }

  /**
   * Makes the way; nothing is connected yet.
   *
   * @param seeds where the directory is asked first
   * @param count how many connections are held to each server
   * @param deadline how long an answer may take
   * @param routesLast after how long the directory is asked anew when nothing has failed
   */
  RoutedLanes(
      Directory directory,
      List<URI> seeds,
      Connector connector,
      int count,
      Duration deadline,
      Duration routesLast) {
    this.directory = directory;
    this.seeds = new LinkedHashSet<>(seeds);
    this.deadline = deadline;
    this.routesLastNanos = routesLast.toNanos();
    this.lanesTo = server -> connector.lanes(server, count, deadline);
    this.lanesToAsk = server -> connector.lanes(server, 1, ANSWER_WITHIN);
  }

  @Override
  public long trips() {
    return servers.values().stream().mapToLong(RedisLanes::trips).sum();
  }

  @Override
  public LaneUse use() {
    return servers.values().stream().map(RedisLanes::use).reduce(LaneUse.NONE, LaneUse::and);
  }

  @Override
  public long dueNanos() {
    return System.nanoTime() + deadline.toNanos();
  }

  @Override
  public Uni<@Nullable Response> send(Request request, long dueNanos, Sequel sequel) {
    return known(dueNanos).chain(known -> route(known, request, dueNanos, sequel));
  }

  private Uni<@Nullable Response> route(
      Routes known, Request request, long dueNanos, Sequel sequel) {
    URI server = serverOf(known, request);
    if (server == null) {
      refresh();
      return Uni.createFrom()
          .failure(new StoreException(Kind.AWAY, "nobody is known to answer for the slot"));
    }
    Uni<@Nullable Response> answer = lanes(server).send(request, dueNanos, sequel);
    return follow(request, dueNanos, sequel, server, MAX_HOPS, answer);
  }

  /** A command without a key may be sent to any server. */
  private static @Nullable URI serverOf(Routes known, Request request) {
    List<byte[]> keys = ((RequestImpl) request).keys();
    return keys.isEmpty()
        ? known.servers().stream().findFirst().orElse(null)
        : known.of(ZModem.generate(keys.getFirst()));
  }

  private RedisLanes lanes(URI server) {
    return servers.computeIfAbsent(server, lanesTo);
  }

  /** Sends the command on as long as Redis says where. */
  private Uni<@Nullable Response> follow(
      Request request,
      long dueNanos,
      Sequel sequel,
      URI server,
      int hops,
      Uni<@Nullable Response> answer) {
    return answer
        .onFailure()
        .recoverWithUni(
            failure -> {
              Redirection redirection = Redirection.of(failure, server);
              if (redirection == null || hops == 0) {
                if (redirection != null || saysThatRoutesMayBeOld(failure)) {
                  refresh();
                }
                return Uni.createFrom().failure(failure);
              }
              RedisLanes there = lanes(redirection.to());
              if (redirection.isMove()) {
                note(redirection);
              }
              Uni<@Nullable Response> next =
                  redirection.isMove()
                      ? there.send(request, dueNanos, sequel)
                      : there.sendAsking(request, dueNanos, sequel);
              return follow(request, dueNanos, sequel, redirection.to(), hops - 1, next);
            });
  }

  private static boolean saysThatRoutesMayBeOld(Throwable failure) {
    return switch (failure) {
      case ErrorType error -> RedisError.isOfReplica(error) || error.is("CLUSTERDOWN");
      case StoreException lost -> lost.kind() == Kind.AWAY || lost.kind() == Kind.UNANSWERED;
      default -> false;
    };
  }

  /**
   * Where a server sends a command.
   *
   * @param isMove whether the slot has moved for good; else only this command is sent on
   */
  private record Redirection(boolean isMove, int slot, URI to) {

    /** Reads {@code MOVED slot host:port} and {@code ASK slot host:port}; null for all else. */
    static @Nullable Redirection of(Throwable failure, URI from) {
      if (!(failure instanceof ErrorType error) || !(error.is("MOVED") || error.is("ASK"))) {
        return null;
      }
      String[] words = String.valueOf(error.getMessage()).split(" ", -1);
      int colon = words[2].lastIndexOf(':');
      String host = colon == 0 ? null : words[2].substring(0, colon);
      int port = Integer.parseInt(words[2].substring(colon + 1));
      int slot = Integer.parseInt(words[1]);
      return new Redirection(error.is("MOVED"), slot, Directory.at(from, host, port));
    }
  }

  /** A slot that moved alone is noted; the directory tells whether others did as well. */
  private void note(Redirection move) {
    Routes known = routes.get();
    if (known != null) {
      known.put(move.slot(), move.slot(), move.to());
    }
    refresh();
  }

  /** The routes, which only the first calls wait for. */
  private Uni<Routes> known(long dueNanos) {
    Routes known = routes.get();
    if (known == null) {
      return ask()
          .ifNoItem()
          .after(Duration.ofNanos(Math.max(1, dueNanos - System.nanoTime())))
          .failWith(() -> new StoreException(Kind.AWAY, "nobody told in time where Redis is"));
    }
    if (System.nanoTime() - askedAt > routesLastNanos) {
      refresh();
    }
    return Uni.createFrom().item(known);
  }

  private void refresh() {
    if (System.nanoTime() - askedAt > PAUSE_NANOS) {
      ask().subscribe().with(told -> {}, failed -> {});
    }
  }

  /** Asks the directory, once for all who want to know. */
  private synchronized Uni<Routes> ask() {
    if (asking == null) {
      askedAt = System.nanoTime();
      asking =
          ask(whomToAsk(), 0)
              .onItem()
              .invoke(routes::set)
              .onTermination()
              .invoke(this::asked)
              .memoize()
              .indefinitely();
    }
    return asking;
  }

  private synchronized void asked() {
    asking = null;
  }

  /** All who may know; another one is asked first each time, for one may know what is old. */
  private List<URI> whomToAsk() {
    Set<URI> all = new LinkedHashSet<>();
    Routes known = routes.get();
    if (known != null && directory.knowsItself()) {
      all.addAll(known.servers());
    }
    all.addAll(seeds);
    List<URI> rotated = new ArrayList<>(all);
    Collections.rotate(rotated, turns.getAndIncrement());
    return rotated;
  }

  private Uni<Routes> ask(List<URI> who, int index) {
    if (index == who.size()) {
      return Uni.createFrom().failure(new StoreException(Kind.AWAY, "nobody tells where Redis is"));
    }
    URI next = who.get(index);
    return asked
        .computeIfAbsent(next, lanesToAsk)
        .send(directory.question())
        .map(answer -> directory.routes(answer, next))
        .onFailure()
        .recoverWithNull()
        .chain(told -> told == null ? ask(who, index + 1) : Uni.createFrom().item(told));
  }

  @Override
  public Uni<List<RedisLanes>> servers() {
    return servers(dueNanos());
  }

  private Uni<List<RedisLanes>> servers(long due) {
    return known(due).map(known -> known.servers().stream().map(this::lanes).toList());
  }

  @Override
  public Uni<Void> warmUp(long dueNanos) {
    return servers(dueNanos)
        .map(all -> all.stream().map(server -> server.warmUp(dueNanos)).toList())
        .chain(all -> Uni.join().all(all).andFailFast())
        .replaceWithVoid();
  }
}
