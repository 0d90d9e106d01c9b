package dev.tidegate.http;

import dev.tidegate.dev.OwnSettings;
import dev.tidegate.dev.RedisSentinels;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The service on a master with a replica, which three sentinels watch. */
public final class SentinelRedis implements QuarkusTestProfile {

  private static @Nullable RedisSentinels running;

  @Override
  public boolean disableGlobalTestResources() {
    return true;
  }

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(new TestResourceEntry(Watched.class));
  }

  /** The servers that the service is on. */
  static RedisSentinels sentinels() {
    return Objects.requireNonNull(running);
  }

  /** Starts them, and tells the service how to reach them. */
  public static final class Watched extends OwnSettings {

    @Override
    protected Map<String, String> begin() {
      try {
        RedisSentinels sentinels =
            RedisSentinels.start(Files.createTempDirectory("sentinel-redis"));
        running = sentinels;
        return Map.of(
            "quarkus.redis.client-type",
            "sentinel",
            "quarkus.redis.master-name",
            RedisSentinels.NAME,
            "quarkus.redis.hosts",
            String.join(",", sentinels.urls()),
            "tidegate.test-clock.enabled",
            "false");
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    @Override
    protected void end() {
      if (running != null) {
        running.close();
      }
    }
  }
}
