package dev.tidegate.dev;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/**
 * One Redis for all tests of this JVM: a server named by {@code -Dtests.redis.url=URL}, else an
 * embedded one that ends with the JVM.
 *
 * <p>Tests share its data, so each uses subjects of its own.
 */
public final class EmbeddedRedisResource implements QuarkusTestResourceLifecycleManager {

  private static final String GIVEN = "tests.redis.url";
  private static final String STARTED = "tests.redis.started";

  /** The address of the Redis for tests, started on first use. */
  public static String url() {
    // Kept in the system properties: Quarkus loads this class once per application it starts.
    Properties shared = System.getProperties();
    synchronized (shared) {
      String given = shared.getProperty(GIVEN, "");
      if (!given.isBlank()) {
        return given;
      }
      String started = shared.getProperty(STARTED);
      if (started == null) {
        long pid = ProcessHandle.current().pid();
        Path folder = Path.of("target", "embedded-redis", "test-" + pid);
        started = EmbeddedRedis.start(0, folder).url();
        shared.setProperty(STARTED, started);
      }
      return started;
    }
  }

  @Override
  public Map<String, String> start() {
    return Map.of("quarkus.redis.hosts", url());
  }

  /** Leaves the server running for the tests that follow. */
  @Override
  public void stop() {}
}
