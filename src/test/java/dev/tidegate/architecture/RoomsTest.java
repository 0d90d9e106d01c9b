package dev.tidegate.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The rooms of the house and what each may know of. */
class RoomsTest {

  private static final String BASE = "dev.tidegate.";

  /** What every room may use: the platform, and the words for what can be null. */
  private static final List<String> ALWAYS = List.of("java..", "org.jspecify..");

  /** What every room but domain may use: to be put together, and to write a log. */
  private static final List<String> EVERY_ROOM_BUT_DOMAIN =
      List.of("jakarta.inject..", "jakarta.enterprise..", "org.jboss.logging..");

  /**
   * A room.
   *
   * @param rooms that it may know of
   * @param libraries that it may use, from package to why
   */
  private record Room(String name, Set<String> rooms, Map<String, String> libraries) {}

  private static final List<Room> ROOMS =
      List.of(
          new Room("domain", Set.of(), Map.of()),
          new Room(
              "document",
              Set.of("domain"),
              Map.of(
                  "com.fasterxml.jackson..", "reads JSON and YAML",
                  "org.yaml.snakeyaml..", "where a YAML file is wrong")),
          new Room(
              "config",
              Set.of("domain", "document"),
              Map.of(
                  "io.smallrye.config..", "the tree of settings",
                  "com.fasterxml.jackson..", "YAML files")),
          new Room("store", Set.of("domain"), Map.of("io.smallrye.mutiny..", "ports answer later")),
          new Room(
              "store.redis",
              Set.of("store", "domain", "config"),
              Map.of(
                  "io.smallrye.mutiny..", "ports answer later",
                  "io.vertx.redis..", "the client",
                  "io.quarkus.redis..", "how it is configured, and changes are told on a channel",
                  "io.vertx.core..", "a lane is bound to an event loop",
                  "io.smallrye.common.vertx..", "which is not that of the call",
                  "io.micrometer.core..", "calls of Redis are measured")),
          new Room(
              "service",
              Set.of("domain", "document", "store", "config"),
              Map.of(
                  "io.smallrye.mutiny..", "calls are chained",
                  "com.github.benmanes.caffeine..", "subjects are cached in the process",
                  "com.fasterxml.jackson.databind..", "documents are stored as they were sent",
                  "io.quarkus.runtime..", "the service starts, in a profile")),
          new Room(
              "schedule",
              Set.of("service", "config", "store", "security"),
              Map.of(
                  "io.quarkus.scheduler..", "timers",
                  "io.smallrye.mutiny..", "a timer waits for its call")),
          new Room(
              "http",
              Set.of("service", "domain", "security", "document", "store", "config"),
              Map.ofEntries(
                  Map.entry("io.smallrye.mutiny..", "answers come later"),
                  Map.entry("jakarta.ws.rs..", "resources"),
                  Map.entry("jakarta.annotation.security..", "who may call"),
                  Map.entry("com.fasterxml.jackson..", "bodies"),
                  Map.entry("org.jboss.resteasy.reactive..", "parameters as they were sent"),
                  Map.entry("io.quarkus.security..", "refusals become problems"),
                  Map.entry("io.quarkus.runtime..", "records are kept in the native image"),
                  Map.entry("io.vertx.core.http..", "raw paths and sizes before a body is read"),
                  Map.entry("io.vertx.core.buffer..", "answers before a resource is found"),
                  Map.entry("io.vertx.core.json..", "answers before a resource is found"),
                  Map.entry("io.vertx.core", "handlers of the router"),
                  Map.entry("io.vertx.ext.web..", "routes before resources"))),
          new Room(
              "observe",
              Set.of("service", "store", "domain", "config", "security"),
              Map.of(
                  "io.micrometer.core..", "meters",
                  "io.quarkus.info.runtime.spi..", "what /q/info shows",
                  "org.eclipse.microprofile.health..", "health",
                  "io.smallrye.health.api..", "health that is asked for",
                  "io.smallrye.mutiny..", "and told later",
                  "io.quarkus.runtime..", "meters exist from the start")),
          new Room(
              "security",
              Set.of("domain", "config", "document"),
              Map.ofEntries(
                  Map.entry("io.quarkus.security..", "identities"),
                  Map.entry("io.quarkus.vertx.http.runtime.security..", "the mechanism of keys"),
                  Map.entry("io.quarkus.runtime..", "keys of the demo stay out of production"),
                  Map.entry("io.smallrye.jwt..", "verifies tokens"),
                  Map.entry("org.jose4j..", "claims and key sets"),
                  Map.entry("org.eclipse.microprofile.config..", "the standard settings of tokens"),
                  Map.entry("io.vertx.core.http..", "the header of a request"),
                  Map.entry("io.vertx.ext.web..", "the request"),
                  Map.entry("io.netty.handler.codec.http..", "names of headers and statuses"),
                  Map.entry("io.smallrye.mutiny..", "identities come later"),
                  Map.entry("jakarta.ws.rs..", "the caller of a resource"))));

  private static String packageOf(String room) {
    return BASE + room + (room.equals("store") ? "" : "..");
  }

  private static String[] allowedFor(Room room) {
    List<String> allowed = new ArrayList<>(ALWAYS);
    if (!room.name().equals("domain")) {
      allowed.addAll(EVERY_ROOM_BUT_DOMAIN);
    }
    allowed.add(packageOf(room.name()));
    room.rooms().forEach(other -> allowed.add(packageOf(other)));
    allowed.addAll(room.libraries().keySet());
    return allowed.toArray(String[]::new);
  }

  @TestFactory
  Stream<DynamicTest> aRoomKnowsWhatItMay() {
    return ROOMS.stream()
        .map(
            room ->
                DynamicTest.dynamicTest(
                    room.name(),
                    () ->
                        classes()
                            .that()
                            .resideInAPackage(packageOf(room.name()))
                            .should()
                            .onlyDependOnClassesThat()
                            .resideInAnyPackage(allowedFor(room))
                            .check(MainClasses.ALL)));
  }

  @Test
  void everyClassIsInARoom() {
    Set<String> strangers = new TreeSet<>();
    for (JavaClass type : MainClasses.ALL) {
      String inside = type.getPackageName().substring(BASE.length() - 1);
      boolean known =
          ROOMS.stream()
              .map(Room::name)
              .anyMatch(room -> inside.equals("." + room) || inside.startsWith("." + room + "."));
      if (!known) {
        strangers.add(type.getName());
      }
    }
    assertEquals(Set.of(), strangers);
  }

  @Test
  void noRoomsKnowEachOther() {
    slices().matching("dev.tidegate.(*)..").should().beFreeOfCycles().check(MainClasses.ALL);
  }

  @Test
  void theStoreKnowsNothingOfRedis() {
    noClasses()
        .that()
        .resideInAPackage("dev.tidegate.store")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.tidegate.store.redis..", "io.vertx..")
        .check(MainClasses.ALL);
  }

  @Test
  void theAdapterIsReachedThroughItsPortsAlone() {
    classes()
        .that()
        .resideInAPackage("dev.tidegate.store.redis..")
        .should()
        .notBePublic()
        .check(MainClasses.ALL);
  }

  @Test
  void noClassIsNamedAfterNothing() {
    noClasses()
        .should()
        .haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)$")
        .check(MainClasses.ALL);
  }
}
