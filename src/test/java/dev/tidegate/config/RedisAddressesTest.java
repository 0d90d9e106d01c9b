package dev.tidegate.config;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.redis.runtime.client.config.RedisClientConfig;
import io.quarkus.redis.runtime.client.config.RedisConfig;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.redis.client.impl.RedisURI;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The addresses of Redis as the platform reads them, with a password in each that is refused. */
class RedisAddressesTest {

  private static final String PASSWORD = "hunter2";

  private static Set<URI> read(String option, String addresses) {
    Map<String, RedisClientConfig> clients =
        new SmallRyeConfigBuilder()
            .addDefaultInterceptors()
            .addDiscoveredInterceptors()
            .addDiscoveredConverters()
            .withMapping(RedisConfig.class)
            .withSources(
                new PropertiesConfigSource(
                    Map.of(option, addresses, "secret", "redis://u:" + PASSWORD + "@h:99999"),
                    "t",
                    1))
            .build()
            .getConfigMapping(RedisConfig.class)
            .clients();
    return Objects.requireNonNull(clients.get(RedisConfig.DEFAULT_CLIENT_NAME))
        .hosts()
        .orElseThrow();
  }

  private static void assertRefused(String option, String addresses) {
    Exception refused = assertThrows(Exception.class, () -> read(option, addresses));
    StringWriter told = new StringWriter();
    refused.printStackTrace(new PrintWriter(told));
    assertFalse(told.toString().contains(PASSWORD), told::toString);
    assertTrue(told.toString().contains(option + ": address "), told::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://u:hunter2%zz@host",
        "redis://u:hunter2@no such host:99999",
        "redis://u:hunter2@host:99999",
        "redis:/hunter2@host",
        "redis:hunter2",
        "hunter2",
        "redis://u:hunter2@",
        "redis://u:hunter2@:6379",
        "redis://u:hunter2@a_b:6379",
        "redis://u:hunter2@@host",
        "redis://u:a/hunter2@host",
        "redis://u:1/hunter2@host",
        "redis://u:1?hunter2@host",
        "redis://u:1#hunter2@host",
        "redis://host:6379/hunter2",
        "http://u:hunter2@host",
        "redis://one:6379,redis://u:hunter2%@two:6379",
        "redis://one:6379,u:hunter2@two:6379",
        "${secret}"
      })
  void whatIsNoAddressIsRefusedByTheNameOfTheOptionAlone(String addresses) {
    assertRefused("quarkus.redis.hosts", addresses);
    assertRefused("quarkus.redis.hosts[0]", addresses);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://localhost",
        "redis://localhost:6379",
        "rediss://u:hunter%402@redis.example.com:6380/3",
        "redis://:hunter2@127.0.0.1:6379/",
        "redis://hunter2@[::1]:6379?db=2",
        "unix:///run/redis.sock"
      })
  void whatIsAnAddressIsTakenAndTheClientReadsIt(String address) {
    assertEquals(Set.of(URI.create(address)), read("quarkus.redis.hosts", address));
    assertDoesNotThrow(() -> new RedisURI(address));
  }

  @Test
  void manyAddressesAreTaken() {
    assertEquals(
        Set.of(URI.create("redis://a:1"), URI.create("redis://u:p%2Cw@b:2")),
        read("quarkus.redis.hosts", "redis://a:1, redis://u:p%2Cw@b:2"));
  }
}
