package dev.tidegate.http;

import dev.tidegate.dev.OwnSettings;
import dev.tidegate.dev.RedisCluster;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The service on a cluster of three masters, as a user of the rights that docs/redis.md names. */
public final class ClusteredRedis implements QuarkusTestProfile {

  /** The one that the service is. */
  static final String USER = "tidegate";

  private static final String PASSWORD = "cluster-password";
  private static final Pattern MORE = Pattern.compile("A cluster takes `([^`]+)` more");

  private static @Nullable RedisCluster running;

  @Override
  public boolean disableGlobalTestResources() {
    return true;
  }

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(new TestResourceEntry(Cluster.class));
  }

  /** The cluster that the service is on. */
  static RedisCluster cluster() {
    return Objects.requireNonNull(running);
  }

  /** Starts it, and tells the service how to reach it. */
  public static final class Cluster extends OwnSettings {

    @Override
    protected Map<String, String> begin() {
      try {
        Path folder = Files.createTempDirectory("clustered-redis");
        Path users = folder.resolve("users.acl");
        String service = SecuredRedis.user().replace(">PASSWORD", ">" + PASSWORD);
        Matcher more = MORE.matcher(Files.readString(SecuredRedis.DOCUMENT));
        if (!more.find()) {
          throw new IllegalStateException("the document does not say what a cluster takes");
        }
        // The default user is the test's own, which forms the cluster and moves slots.
        Files.write(
            users, List.of("user default on nopass ~* &* +@all", service + " " + more.group(1)));
        RedisCluster cluster =
            RedisCluster.start(3, 0, folder, "--save", "", "--aclfile", users.toString());
        running = cluster;
        String hosts =
            cluster.urls().stream()
                .map(url -> url.replace("redis://", "redis://" + USER + ":" + PASSWORD + "@"))
                .collect(Collectors.joining(","));
        return Map.of(
            "quarkus.redis.client-type",
            "cluster",
            "quarkus.redis.hosts",
            hosts,
            "tidegate.test-clock.enabled",
            "false",
            "tidegate.redis.persistence",
            "none");
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
