package dev.tidegate.dev;

import dev.tidegate.document.WatchedFile;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * The service with a plans file that is mounted as Kubernetes mounts a ConfigMap, on keys of its
 * own: the file is a link by way of {@code ..data}, which is a link to the folder of the version.
 */
public final class WatchedPlans implements QuarkusTestProfile {

  private static final long PID = ProcessHandle.current().pid();
  private static final Path MOUNT =
      Path.of("target", "watched-plans", Long.toString(PID)).toAbsolutePath();

  /** The file as the service knows it. */
  public static final Path FILE = MOUNT.resolve("plans.yaml");

  private static final Path LOG = MOUNT.resolveSibling(PID + ".log");

  /** What the service has logged of the file so far, a line for each message. */
  public static List<String> logged() {
    try {
      return Files.readAllLines(LOG);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Replaces the mounted content as the kubelet does: at once, by one link. */
  public static void publish(String content) {
    try {
      Path version = Files.createTempDirectory(Files.createDirectories(MOUNT), "..version");
      Files.writeString(version.resolve("plans.yaml"), content);
      Path link = MOUNT.resolve("..data_tmp");
      Files.createSymbolicLink(link, version.getFileName());
      Files.move(link, MOUNT.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
      if (!Files.isSymbolicLink(FILE)) {
        Files.createSymbolicLink(FILE, Path.of("..data", "plans.yaml"));
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** A file with a plan {@code watched} of so many tokens. */
  public static String plans(long revision, long tokens) {
    return """
        revision: %d
        default_plan: watched
        plans:
          watched:
            resources:
              api:
                meters: [tokens]
                limits:
                  - {name: all, kind: period, meter: tokens, limit: %d, schedule: {type: calendar, unit: day}}
        """
        .formatted(revision, tokens);
  }

  @Override
  public Map<String, String> getConfigOverrides() {
    publish(plans(1, 1000));
    return Map.of(
        "tidegate.plans.file",
        FILE.toString(),
        "quarkus.log.handler.file.\"plans\".enabled",
        "true",
        "quarkus.log.handler.file.\"plans\".path",
        LOG.toString(),
        "quarkus.log.handler.file.\"plans\".format",
        "%s%n",
        "quarkus.log.category.\"" + WatchedFile.class.getName() + "\".handlers",
        "plans",
        "tidegate.redis.key-prefix",
        "watched-plans-" + PID);
  }

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(new TestResourceEntry(EmbeddedRedisResource.class));
  }
}
