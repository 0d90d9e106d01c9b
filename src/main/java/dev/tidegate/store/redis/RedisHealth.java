package dev.tidegate.store.redis;

import dev.tidegate.config.TidegateSettings.Persistence;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.StoreClock;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import dev.tidegate.store.StoreHealth;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** How the Redis servers are. Managed ones forbid CONFIG GET; INFO tells as much. */
final class RedisHealth implements StoreHealth {

  /** Of nobody: a key that no call ever made. */
  private static final SubjectId NOBODY = new SubjectId("health");

  private static final IdempotencyKey NEVER_USED = new IdempotencyKey("health", "health");

  private final ScriptRunner scripts;
  private final Keys keys;
  private final StoreClock clock;
  private final Copies copies;
  private final Persistence expected;

  RedisHealth(
      ScriptRunner scripts, Keys keys, StoreClock clock, Copies copies, Persistence expected) {
    this.copies = copies;
    this.expected = expected;
    this.scripts = scripts;
    this.keys = keys;
    this.clock = clock;
  }

  @Override
  public Uni<Void> warmUp() {
    return scripts.warmUp();
  }

  @Override
  public Uni<Condition> condition() {
    return ofEachServer(this::ask).map(RedisHealth::worst);
  }

  private <T> Uni<List<T>> ofEachServer(Function<ScriptRunner, Uni<T>> question) {
    return scripts
        .perServer()
        .chain(
            servers ->
                servers.isEmpty()
                    ? Uni.createFrom()
                        .failure(new StoreException(Kind.AWAY, "no server answers for any slot"))
                    : Uni.join().all(servers.stream().map(question).toList()).andFailFast());
  }

  private Uni<List<Finding>> ask(ScriptRunner server) {
    return server
        .send(Request.cmd(Command.INFO))
        .map(info -> findings(ServerInfo.parse(String.valueOf(info))))
        .onFailure(failure -> ((StoreException) failure).kind() == Kind.REFUSED)
        .recoverWithItem(
            refused ->
                ServerInfo.refused("the settings of Redis are not known: " + refused.getMessage()));
  }

  /** What it says of itself; fails where it cannot confirm copies that are wanted. */
  private List<Finding> findings(ServerInfo server) {
    copies
        .impossibleOn(server)
        .ifPresent(
            why -> {
              throw new StoreException(Kind.UNCONFIRMED, why);
            });
    return server.findings(expected);
  }

  private static Condition worst(List<List<Finding>> ofServers) {
    return new Condition(
        Stream.of(Aspect.values())
            .flatMap(
                aspect ->
                    ofServers.stream()
                        .flatMap(Collection::stream)
                        .filter(finding -> finding.aspect() == aspect)
                        .max(Comparator.comparing(Finding::safety))
                        .stream())
            .toList());
  }

  /** One of our own needs a key, which one server has; that the others run any must do. */
  @Override
  public Uni<Void> runScript() {
    Arguments arguments = new Arguments().add(clock.pinnedMillis()).add(NEVER_USED);
    String key = keys.idempotency(NOBODY, NOBODY, 0, NEVER_USED.value());
    return ofEachServer(server -> server.send(Request.cmd(Command.EVAL).arg("return 1").arg(0)))
        .chain(() -> scripts.run(Script.READ_REPLAY, List.of(key), arguments))
        .replaceWithVoid();
  }
}
