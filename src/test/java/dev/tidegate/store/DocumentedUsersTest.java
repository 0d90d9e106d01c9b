package dev.tidegate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.RespConnection;
import dev.tidegate.dev.SystemRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Redis with users as the documents want them, which starts again from its append-only file. */
class DocumentedUsersTest {

  private static final Pattern DEFAULT_USER = Pattern.compile("`(user default off[^`]*)`");
  private static final String TWO_WRITES =
      "redis.call('SET', KEYS[1], 1) redis.call('SET', KEYS[2], 1)";

  @TempDir Path folder;

  private SystemRedis start() {
    return SystemRedis.start(
        0,
        folder,
        "--save",
        "",
        "--appendonly",
        "yes",
        "--appendfsync",
        "always",
        "--aclfile",
        folder.resolve("users.acl").toString());
  }

  private static RespConnection admin(SystemRedis redis) {
    RespConnection admin = RespConnection.open("127.0.0.1", redis.port());
    admin.send("AUTH", "admin", "secret");
    return admin;
  }

  private static String recommended(String document) {
    try {
      Matcher found = DEFAULT_USER.matcher(Files.readString(Path.of("docs", document)));
      assertTrue(found.find(), document + " says nothing of the default user");
      return found.group(1);
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  @Test
  @DisplayName("All that was acknowledged is there, and nobody gets in without a password")
  void restart() throws IOException {
    String defaultUser = recommended("redis.md");
    Files.write(
        folder.resolve("users.acl"), List.of(defaultUser, "user admin on >secret ~* &* +@all"));
    try (SystemRedis redis = start();
        RespConnection admin = admin(redis)) {
      admin.send("EVAL", TWO_WRITES, "2", "a", "b");
      redis.kill();
    }
    try (SystemRedis again = start();
        RespConnection admin = admin(again);
        RespConnection nobody = RespConnection.open("127.0.0.1", again.port())) {
      assertEquals("2", String.valueOf(admin.send("DBSIZE")));
      assertThrows(RespConnection.RedisError.class, () -> nobody.send("DBSIZE"));
    }
  }

  @Test
  @DisplayName("All documents say the same of the default user")
  void documents() {
    String told = recommended("redis.md");
    Stream.of("kubernetes.md", "backup.md")
        .forEach(other -> assertEquals(told, recommended(other)));
  }
}
