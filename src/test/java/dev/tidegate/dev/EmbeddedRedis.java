package dev.tidegate.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Redis server process on a loopback port, as long as it is wanted.
 *
 * <p>It writes its log to {@code redis.log} in its folder. Its process ends with the JVM.
 */
public final class EmbeddedRedis implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final String READY = "Ready to accept connections";
  private static final Path BINARIES = Path.of("target", "embedded-redis");
  private static final Duration START_DEADLINE = Duration.ofSeconds(30);
  private static final long STOP_DEADLINE_SECONDS = 10;
  private static final long PROBE_PAUSE_MILLIS = 20;
  private static final int PORT_ATTEMPTS = 3;

  private final Process process;
  private final int port;
  private final Path folder;

  private EmbeddedRedis(Process process, int port, Path folder) {
    this.process = process;
    this.port = port;
    this.folder = folder;
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
      Files.createDirectories(folder);
      for (int attempt = 1; ; attempt++) {
        EmbeddedRedis redis =
            launch(binary, port == 0 ? freePort() : port, folder, List.of(options));
        if (redis.awaitReady()) {
          Runtime.getRuntime().addShutdownHook(new Thread(redis::kill));
          return redis;
        }
        redis.kill();
        // Between choosing a free port and binding it another process may have taken it.
        if (port != 0 || attempt == PORT_ATTEMPTS) {
          throw new IOException(
              "Redis did not start on port %d:%n%s".formatted(redis.port, redis.log()));
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static EmbeddedRedis launch(Path binary, int port, Path folder, List<String> options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(binary.toString());
    command.addAll(List.of("--bind", HOST, "--port", Integer.toString(port)));
    command.addAll(List.of("--dir", folder.toAbsolutePath().toString()));
    command.addAll(options.isEmpty() ? List.of("--save", "", "--appendonly", "no") : options);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("redis.log").toFile())
            .start();
    return new EmbeddedRedis(process, port, folder);
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  /** Reads its log rather than asking the port, where another server may answer. */
  private boolean awaitReady() throws IOException {
    long deadline = System.nanoTime() + START_DEADLINE.toNanos();
    while (process.isAlive() && System.nanoTime() < deadline) {
      if (log().contains(READY)) {
        return true;
      }
      pause();
    }
    return false;
  }

  private static void pause() {
    try {
      Thread.sleep(PROBE_PAUSE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while Redis started", interrupted);
    }
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve("redis.log"));
  }

  /** The loopback port it listens on. */
  public int port() {
    return port;
  }

  /** Its address as {@code redis://host:port}. */
  public String url() {
    return "redis://%s:%d".formatted(HOST, port);
  }

  /** Asks it to end and waits for it: what it is told to keep is on disk afterwards. */
  public void stop() {
    process.destroy();
    awaitEnd();
  }

  /** Ends it at once, as a crash would. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(STOP_DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    stop();
  }
}
