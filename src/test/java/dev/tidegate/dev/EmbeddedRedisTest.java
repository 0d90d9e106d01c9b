package dev.tidegate.dev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedRedisTest {

  private static final String[] KEEPS_ALL = {
    "--save", "", "--appendonly", "yes", "--appendfsync", "always"
  };

  @TempDir Path folder;

  @Test
  void aCrashLosesNothingThatWasAcknowledgedWhenEveryWriteIsSynced() throws IOException {
    try (EmbeddedRedis redis = EmbeddedRedis.start(0, folder, KEEPS_ALL)) {
      assertEquals("+OK", ask(redis, "SET tide high"));
      redis.kill();
    }
    try (EmbeddedRedis again = EmbeddedRedis.start(0, folder, KEEPS_ALL)) {
      assertEquals("$4", ask(again, "GET tide"));
    }
  }

  @Test
  void aTakenPortIsToldWithTheLogOfTheServer() {
    try (EmbeddedRedis redis = EmbeddedRedis.start(0, folder.resolve("first"))) {
      UncheckedIOException refused =
          assertThrows(
              UncheckedIOException.class,
              () -> EmbeddedRedis.start(redis.port(), folder.resolve("second")).close());
      assertTrue(String.valueOf(refused.getMessage()).contains("Address already in use"));
    }
  }

  @Test
  void allTestsShareOneServer() {
    assertEquals(EmbeddedRedisResource.url(), EmbeddedRedisResource.url());
  }

  private static String ask(EmbeddedRedis redis, String command) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), redis.port())) {
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      StringBuilder line = new StringBuilder();
      for (int next = in.read(); next != '\r' && next != -1; next = in.read()) {
        line.append((char) next);
      }
      return line.toString();
    }
  }
}
