package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.RespConnection;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** TLS, and a user with no more rights than documented. */
@QuarkusTest
@TestProfile(SecuredRedis.class)
class SecuredRedisTest extends SmokeSuite {

  private static final Pattern CALLED = Pattern.compile("cmdstat_([a-z|]+):");

  private static final Pattern CALL = Pattern.compile("redis\\.call\\(\\s*'([A-Z]+)'");

  /** What the test itself and the client's first words need; Redis asks no right for the latter. */
  private static final Set<String> OTHERS = Set.of("auth", "client|list", "hello", "acl|log");

  @Test
  @DisplayName("The user that is documented may do all that the service does, and nothing else")
  void rights() {
    metering();
    keys();
    pools();
    grants();
    configuration();
    try (RespConnection redis = SecuredRedis.connect()) {
      assertEquals(List.of(), redis.send("ACL", "LOG"), "what was refused");
      Set<String> called =
          CALLED
              .matcher(redis.text("INFO", "commandstats"))
              .results()
              .map(found -> found.group(1))
              .filter(command -> !OTHERS.contains(command))
              .collect(Collectors.toCollection(TreeSet::new));
      Set<String> granted =
          Stream.of(SecuredRedis.user().split(" ", -1))
              .filter(rule -> rule.startsWith("+"))
              .map(rule -> rule.substring(1))
              .collect(Collectors.toCollection(TreeSet::new));
      called.addAll(ofScripts());
      assertEquals(called, granted);
      String clients = redis.text("CLIENT", "LIST");
      assertTrue(clients.contains("user=tidegate"), clients);
    }
  }

  /** What the scripts may call, also where no call of this test comes to it. */
  private static Set<String> ofScripts() {
    try (Stream<Path> files = Files.walk(Path.of("src", "main", "lua"))) {
      return files
          .filter(file -> file.toString().endsWith(".lua"))
          .flatMap(SecuredRedisTest::commandsIn)
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Stream<String> commandsIn(Path file) {
    try {
      return CALL.matcher(Files.readString(file))
          .results()
          .map(found -> found.group(1).toLowerCase(Locale.ROOT));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
