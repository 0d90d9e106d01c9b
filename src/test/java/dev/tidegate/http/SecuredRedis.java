package dev.tidegate.http;

import dev.tidegate.dev.Identity;
import dev.tidegate.dev.OwnSettings;
import dev.tidegate.dev.RedisServer;
import dev.tidegate.dev.RespConnection;
import dev.tidegate.dev.SystemRedis;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The service speaks TLS to Redis, each shows a certificate, and its user may do what docs/redis.md
 * says and no more.
 */
public final class SecuredRedis implements QuarkusTestProfile {

  /** Two characters that have a meaning in an address. */
  private static final String PASSWORD = "of/no@value";

  static final Path DOCUMENT = Path.of("docs", "redis.md");

  /** The plain port of the running server, for the test alone. */
  private static final String PORT = "tests.secured-redis.port";

  @Override
  public boolean disableGlobalTestResources() {
    return true;
  }

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(new TestResourceEntry(Server.class));
  }

  /** What the document lets the service's user do. */
  static String user() {
    try (Stream<String> lines = Files.lines(DOCUMENT)) {
      return lines.filter(line -> line.startsWith("user tidegate on ")).findFirst().orElseThrow();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Connects as one who may do all. */
  static RespConnection connect() {
    RespConnection connection = RespConnection.open("127.0.0.1", Integer.getInteger(PORT));
    connection.send("AUTH", "admin", PASSWORD);
    return connection;
  }

  /** Starts it, and tells the service how to reach it. */
  public static final class Server extends OwnSettings {

    private @Nullable SystemRedis redis;

    @Override
    protected Map<String, String> begin() {
      try {
        Path folder = Files.createTempDirectory("secured-redis");
        Identity server = Identity.make(folder, "redis");
        Identity client = Identity.make(folder, "tidegate");
        int port = RedisServer.freePort();
        redis = start(folder, port, server, client);
        System.setProperty(PORT, "" + redis.port());
        return settings(port, server, client);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    private static SystemRedis start(Path folder, int port, Identity server, Identity client)
        throws IOException {
      Path users = folder.resolve("users.acl");
      String admin = "user admin on >%s ~* &* +@all".formatted(PASSWORD);
      String service = user().replace(">PASSWORD", ">" + PASSWORD);
      Files.write(users, List.of("user default off", admin, service));
      return SystemRedis.start(
          0,
          folder,
          "--aclfile",
          users.toString(),
          "--tls-port",
          "" + port,
          "--tls-cert-file",
          server.certificate().toString(),
          "--tls-key-file",
          server.key().toString(),
          "--tls-ca-cert-file",
          client.certificate().toString());
    }

    private static Map<String, String> settings(int port, Identity server, Identity client) {
      String password = URLEncoder.encode(PASSWORD, StandardCharsets.UTF_8);
      return Map.of(
          "quarkus.redis.hosts",
          "rediss://tidegate:%s@127.0.0.1:%d".formatted(password, port),
          "quarkus.redis.tls-configuration-name",
          "redis",
          "quarkus.tls.redis.hostname-verification-algorithm",
          "HTTPS",
          "quarkus.tls.redis.trust-store.pem.certs",
          server.certificate().toString(),
          "quarkus.tls.redis.key-store.pem.client.cert",
          client.certificate().toString(),
          "quarkus.tls.redis.key-store.pem.client.key",
          client.key().toString(),
          "tidegate.test-clock.enabled",
          "false");
    }

    @Override
    protected void end() {
      if (redis != null) {
        redis.kill();
      }
    }
  }
}
