package dev.tidegate.dev;

import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The {@code redis-server} of this machine, found on PATH. */
public final class SystemRedis extends RedisServer {

  private static final String NAME = "redis-server";

  private SystemRedis(Running running) {
    super(running);
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param port the loopback port, or 0 for any free one
   * @param folder where data and log lie; made when missing. Data found there is loaded
   * @param options further arguments as on the command line. Without any, nothing is written to
   *     disk
   * @return the running server
   * @throws IllegalStateException when this machine has no {@code redis-server}
   * @throws UncheckedIOException when it does not start; the message ends with its log
   */
  public static SystemRedis start(int port, Path folder, String... options) {
    return new SystemRedis(launch(binary(), port, folder, List.of(options)));
  }

  private static Path binary() {
    for (String folder : System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1)) {
      Path binary = Path.of(folder, NAME);
      if (Files.isExecutable(binary)) {
        return binary;
      }
    }
    throw new IllegalStateException(
        NAME + " is not on PATH; install Redis 7 (for example: sudo apt-get install redis-server)");
  }
}
