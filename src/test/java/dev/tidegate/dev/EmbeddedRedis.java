package dev.tidegate.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** The Redis 6.2 that the embedded-redis artefact carries. */
public final class EmbeddedRedis extends RedisServer {

  private static final Path BINARIES = Path.of("target", "embedded-redis");

  private EmbeddedRedis(Running running) {
    super(running);
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param port the loopback port, or 0 for any free one
   * @param folder where data and log lie; made when missing. Data found there is loaded
   * @param options further arguments as on the command line, such as {@code --appendonly}, {@code
   *     yes}. Without any, nothing is written to disk
   * @return the running server
   * @throws UncheckedIOException when it does not start; the message ends with its log
   */
  public static EmbeddedRedis start(int port, Path folder, String... options) {
    try {
      Path binary = RedisBinary.extractTo(BINARIES);
      return new EmbeddedRedis(launch(binary, port, folder, List.of(options)));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
