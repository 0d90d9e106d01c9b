package dev.tidegate.k8s;

import static dev.tidegate.dev.TestCredentials.sha256;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.dev.OwnSettings;
import dev.tidegate.dev.SystemRedis;
import dev.tidegate.k8s.Manifests.Manifest;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The service with the settings of the Deployment, in the prod profile, with the plans of its
 * ConfigMap and the keys of the example Secret, and a Redis with the configuration of its own.
 */
public final class Deployed implements QuarkusTestProfile {

  /** The key of each name in the example, once it is filled in. */
  static final String KEY = "a key of the test's own";

  private static final String PASSWORD = "a+password/of@its:own";

  @Override
  public String getConfigProfile() {
    return "prod";
  }

  @Override
  public boolean disableGlobalTestResources() {
    return true;
  }

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(new TestResourceEntry(Pod.class));
  }

  /** What Kubernetes would do: files where they are mounted, and variables. */
  public static final class Pod extends OwnSettings {

    private @Nullable SystemRedis redis;

    @Override
    protected Map<String, String> begin() {
      try {
        Path folder = Files.createTempDirectory("deployed");
        SystemRedis started = redis(folder);
        redis = started;
        Map<String, String> settings = new HashMap<>();
        for (Map.Entry<String, JsonNode> variable : variables().entrySet()) {
          settings.put(
              Objects.requireNonNull(KnownSettings.byVariable().get(variable.getKey())),
              value(variable.getKey(), variable.getValue(), started, folder));
        }
        // What was packaged is else tested in the profile of tests.
        settings.put("quarkus.profile", "prod");
        settings.put("quarkus.http.test-port", "0");
        // Tests share two slow processors.
        settings.put("tidegate.redis.deadline-millis", "5000");
        return settings;
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    private static Map<String, JsonNode> variables() {
      Manifest deployment =
          Manifests.services().stream()
              .filter(each -> each.kind().equals("Deployment"))
              .findFirst()
              .orElseThrow();
      return Manifests.variables(deployment);
    }

    /** As the manifest says, but for where things are. */
    private static String value(String name, JsonNode variable, SystemRedis redis, Path folder)
        throws IOException {
      return switch (name) {
        case "QUARKUS_REDIS_HOSTS" ->
            variable.path("value").asText().replace("redis:6379", "127.0.0.1:" + redis.port());
        case "QUARKUS_REDIS_PASSWORD" -> PASSWORD;
        case "TIDEGATE_PLANS_FILE" -> "k8s/config/plans.yaml";
        case "TIDEGATE_API_KEYS_FILE" -> keys(folder).toString();
        // Nobody sends calls that would have to be waited for.
        case "QUARKUS_SHUTDOWN_DELAY" -> "0s";
        default -> variable.path("value").asText();
      };
    }

    private static Path keys(Path folder) throws IOException {
      String example =
          Manifests.of(Manifests.EXAMPLE_SECRETS).stream()
              .map(secret -> secret.at("/stringData/keys.yaml"))
              .filter(JsonNode::isTextual)
              .findFirst()
              .orElseThrow()
              .asText();
      String filled = example.replaceFirst("<SHA-256 of its key>", sha256(KEY));
      for (int n = 0; filled.contains("<SHA-256 of its key>"); n++) {
        filled = filled.replaceFirst("<SHA-256 of its key>", sha256("another key " + n));
      }
      return Files.writeString(folder.resolve("keys.yaml"), filled);
    }

    private static SystemRedis redis(Path folder) throws IOException {
      String configuration = Manifests.text(Path.of("k8s", "redis", "redis.conf"));
      Path file =
          Files.writeString(
              folder.resolve("redis.conf"), configuration.replace("dir /data", "dir " + folder));
      return SystemRedis.start(0, folder, file.toString(), "--requirepass", PASSWORD);
    }

    @Override
    public void inject(Object test) {
      if (test instanceof DeployedTest deployed && redis != null) {
        deployed.redisPort = redis.port();
      }
    }

    @Override
    protected void end() {
      if (redis != null) {
        redis.kill();
      }
    }
  }

  /** The password of its Redis. */
  static String password() {
    return PASSWORD;
  }
}
