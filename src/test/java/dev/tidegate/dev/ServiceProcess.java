package dev.tidegate.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The service as a process of its own, on a loopback port, with the demo's keys. */
public final class ServiceProcess implements AutoCloseable {

  private static final Duration START_DEADLINE = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final long END_SECONDS = 10;

  private final Process process;
  private final int port;
  private final Path log;

  private ServiceProcess(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /**
   * Starts the service; {@link #awaitReady} tells when it answers.
   *
   * @param redis the address of its Redis
   * @param log the file that it writes its log to
   */
  public static ServiceProcess launch(String redis, Path log) {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = any.getLocalPort();
      Files.createDirectories(log.toAbsolutePath().getParent());
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      Process process =
          new ProcessBuilder(
                  java,
                  "-XX:TieredStopAtLevel=1",
                  "-Dquarkus.profile=demo",
                  "-Dquarkus.http.host=127.0.0.1",
                  "-Dquarkus.http.port=" + port,
                  "-Dquarkus.redis.hosts=" + redis,
                  "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                  "-cp",
                  System.getProperty("surefire.test.class.path", classPath()),
                  ServiceMain.class.getName(),
                  Path.of("target", "classes").toString())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      return new ServiceProcess(process, port, log);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  /** Waits until it is ready. */
  public ServiceProcess awaitReady() throws IOException, InterruptedException {
    HttpRequest ready = HttpRequest.newBuilder(at("/q/health/ready")).build();
    long deadline = System.nanoTime() + START_DEADLINE.toNanos();
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (process.isAlive() && System.nanoTime() < deadline) {
        if (isReady(client, ready)) {
          return this;
        }
        Thread.sleep(PAUSE);
      }
    }
    List<String> lines = Files.readAllLines(log);
    throw new IOException("the service did not start:\n" + String.join("\n", lines));
  }

  private static boolean isReady(HttpClient client, HttpRequest request)
      throws InterruptedException {
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** The address of a path. */
  public URI at(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  /** Ends it at once, as SIGKILL does. */
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
