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
public abstract sealed class RedisServer implements AutoCloseable
    permits EmbeddedRedis, SystemRedis {

  /** Where every server of the tests listens. */
  static final String HOST = "127.0.0.1";

  private static final String READY = "Ready to accept connections";
  private static final String SENTINEL_READY = "Sentinel ID is";
  private static final Duration START_DEADLINE = Duration.ofSeconds(30);
  private static final long STOP_DEADLINE_SECONDS = 10;
  private static final long PROBE_PAUSE_MILLIS = 20;
  private static final int PORT_ATTEMPTS = 3;

  private final Running running;

  RedisServer(Running running) {
    this.running = running;
  }

  /** A process that answers on its port. */
  record Running(Process process, int port, Path folder) {

    private boolean isReady() throws IOException {
      String log = log();
      return log.contains(READY) || log.contains(SENTINEL_READY);
    }

    private String log() throws IOException {
      return Files.readString(folder.resolve("redis.log"));
    }

    /** Reads its log rather than asking the port, where another server may answer. */
    private boolean awaitReady() throws IOException {
      long deadline = System.nanoTime() + START_DEADLINE.toNanos();
      while (process.isAlive() && System.nanoTime() < deadline) {
        if (isReady()) {
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

    private void kill() {
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
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param binary the executable
   * @param port the loopback port, or 0 for any free one
   * @param folder where data and log lie; made when missing. Data found there is loaded
   * @param options further arguments as on the command line; without any, nothing is written to
   *     disk
   * @throws UncheckedIOException when it does not start; the message ends with its log
   */
  static Running launch(Path binary, int port, Path folder, List<String> options) {
    try {
      Files.createDirectories(folder);
      for (int attempt = 1; ; attempt++) {
        Running running = launchOnce(binary, port == 0 ? freePort() : port, folder, options);
        if (running.awaitReady()) {
          Runtime.getRuntime().addShutdownHook(new Thread(running::kill));
          return running;
        }
        running.kill();
        // Between choosing a free port and binding it another process may have taken it.
        if (port != 0 || attempt == PORT_ATTEMPTS) {
          throw new IOException(
              "Redis did not start on port %d:%n%s".formatted(running.port, running.log()));
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static Running launchOnce(Path binary, int port, Path folder, List<String> options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(binary.toString());
    // They come first, for one of them may be a file of settings.
    command.addAll(options.isEmpty() ? List.of("--save", "", "--appendonly", "no") : options);
    command.addAll(List.of("--bind", HOST, "--port", Integer.toString(port)));
    command.addAll(List.of("--dir", folder.toAbsolutePath().toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("redis.log").toFile())
            .start();
    return new Running(process, port, folder);
  }

  /** A loopback port that nobody listens on now. */
  public static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  /** The loopback port it listens on. */
  public int port() {
    return running.port;
  }

  /** Its address as {@code redis://host:port}. */
  public String url() {
    return "redis://%s:%d".formatted(HOST, port());
  }

  /** The id of its process. */
  public long pid() {
    return running.process.pid();
  }

  /** Whether its process runs. */
  public boolean isAlive() {
    return running.process.isAlive();
  }

  /** Connects to it. */
  public RespConnection connect() {
    return RespConnection.open(HOST, port());
  }

  /** Sends one command on a connection of its own; see {@link RespConnection#text}. */
  public String ask(String... command) {
    try (RespConnection connection = connect()) {
      return connection.text(command);
    }
  }

  /** Makes it stand still: it keeps its connections and answers nothing. */
  public void pause() {
    signal("STOP");
  }

  /** Lets it go on. */
  public void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** Asks it to end and waits for it: what it is told to keep is on disk afterwards. */
  public void stop() {
    running.process.destroy();
    running.awaitEnd();
  }

  /** Ends it at once, as a crash would. */
  public void kill() {
    running.kill();
  }

  @Override
  public void close() {
    stop();
  }
}
