package dev.tidegate.dev;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * The service with a Redis that the test itself starts and ends, at {@link #port}; it is not there
 * when the service starts. Plans come from a file.
 */
public class OwnRedis implements QuarkusTestProfile {

  private static final String PORT = "tests.own.redis.port";
  private static final Path PLANS = Path.of("target", "own-redis", "plans.yaml");

  /** The port that the service looks for its Redis at. */
  public static int port() {
    // Kept in the system properties: Quarkus loads this class once per application it starts.
    Properties shared = System.getProperties();
    synchronized (shared) {
      return Integer.parseInt((String) shared.computeIfAbsent(PORT, first -> freePort()));
    }
  }

  private static String freePort() {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(any.getLocalPort());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Starts the Redis that keeps all that it has answered. */
  public static EmbeddedRedis start() {
    Path folder = Path.of("target", "own-redis", Integer.toString(port()));
    return EmbeddedRedis.start(
        port(), folder, "--save", "", "--appendonly", "yes", "--appendfsync", "always");
  }

  private static String plan(String name, String more) {
    String schedule = "{type: fixed, seconds: 315576000, epoch: '2020-01-01T00:00:00Z'}";
    return "  %s: {resources: {api: {meters: [tokens], limits: [{name: all, kind: period,"
            .formatted(name)
        + " meter: tokens, limit: 1000000, schedule: %s%s}]}}}%n".formatted(schedule, more);
  }

  @Override
  public Map<String, String> getConfigOverrides() {
    try {
      Files.createDirectories(PLANS.getParent());
      Files.writeString(
          PLANS,
          "revision: 7\ndefault_plan: strict\nplans:\n"
              + plan("strict", "")
              + plan("open", ", on_store_failure: allow"));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return Map.of(
        "quarkus.redis.hosts",
        "redis://127.0.0.1:" + port(),
        "tidegate.plans.file",
        PLANS.toString());
  }

  @Override
  public boolean disableGlobalTestResources() {
    return true;
  }

  /** The same service, ready only while Redis answers. */
  public static final class WithReadiness extends OwnRedis {

    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> overrides = new HashMap<>(super.getConfigOverrides());
      overrides.put("tidegate.redis.readiness", "true");
      return overrides;
    }
  }
}
