package dev.tidegate.dev;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The service that logs to a file in lines of JSON, with a Redis that wants a password and that the
 * test starts and ends.
 */
public final class TracedLogs implements QuarkusTestProfile {

  /** The password of Redis; some of its characters have a meaning in an address. */
  public static final String PASSWORD = "Sesam/oeffne@dich-7731";

  private static final Path FOLDER =
      Path.of("target", "traced-logs", Long.toString(ProcessHandle.current().pid()));

  /** What is logged. */
  public static final Path FILE = FOLDER.resolve("json.log").toAbsolutePath();

  /** Starts the Redis. */
  public static EmbeddedRedis startRedis() {
    return EmbeddedRedis.start(
        OwnRedis.port(), FOLDER.resolve("redis"), "--save", "", "--requirepass", PASSWORD);
  }

  @Override
  public Map<String, String> getConfigOverrides() {
    try {
      Files.createDirectories(FOLDER);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    String password = URLEncoder.encode(PASSWORD, StandardCharsets.UTF_8);
    return Map.of(
        "quarkus.redis.hosts",
        "redis://:" + password + "@127.0.0.1:" + OwnRedis.port(),
        "quarkus.log.file.enabled",
        "true",
        "quarkus.log.file.path",
        FILE.toString(),
        "quarkus.log.file.json.enabled",
        "true");
  }

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(new TestResourceEntry(TestCredentials.class));
  }

  @Override
  public boolean disableGlobalTestResources() {
    return true;
  }
}
