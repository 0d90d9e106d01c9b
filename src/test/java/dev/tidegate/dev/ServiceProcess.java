package dev.tidegate.dev;

import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The packaged service as a process of its own, on a loopback port, with the demo's keys. */
public final class ServiceProcess implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
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
   * Packages the service as it is compiled now, in a process of its own.
   *
   * @param target the folder to package into
   * @return the jar to run
   */
  public static Path packageInto(Path target) throws IOException, InterruptedException {
    Files.createDirectories(target);
    Path log = target.resolve("package.log");
    String classes = Path.of("target", "classes").toString();
    Process process =
        start(
            log,
            List.of(
                java(),
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                ServicePackage.class.getName(),
                classes,
                target.toString()));
    Path jar = target.resolve("quarkus-app").resolve("quarkus-run.jar");
    if (!process.waitFor(START_DEADLINE.toSeconds(), TimeUnit.SECONDS) || !Files.exists(jar)) {
      process.destroyForcibly();
      throw failure("the service was not packaged", log);
    }
    return jar;
  }

  /**
   * Starts a packaged service; {@link #awaitReady} tells when it answers.
   *
   * @param redis the address of its Redis
   * @param log the file that it writes its log to
   */
  public static ServiceProcess launch(Path jar, String redis, Path log) throws IOException {
    return launch(jar, redis, log, List.of("-XX:TieredStopAtLevel=1", "-Dquarkus.profile=demo"));
  }

  /**
   * Starts a packaged service with options of its own.
   *
   * @param program a jar, or a native executable, which knows no options of a JVM but {@code -D}
   * @param redis the address of its Redis
   * @param log the file that it writes its log to
   * @param options such as {@code -Dquarkus.profile=demo}
   */
  public static ServiceProcess launch(Path program, String redis, Path log, List<String> options)
      throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = any.getLocalPort();
      List<String> arguments = new ArrayList<>(options);
      arguments.add("-Dquarkus.http.host=" + HOST);
      arguments.add("-Dquarkus.http.port=" + port);
      arguments.add("-Dquarkus.redis.hosts=" + redis);
      Process process = start(log, commandFor(program, arguments));
      return new ServiceProcess(process, port, log);
    }
  }

  /**
   * What the build packaged last: the jar to run, or the native executable.
   *
   * @throws IOException when nothing was packaged
   */
  public static Path packaged() throws IOException {
    Path target = Path.of("target");
    Properties artifact = new Properties();
    try (Reader reader = Files.newBufferedReader(target.resolve("quarkus-artifact.properties"))) {
      artifact.load(reader);
    }
    return target.resolve(artifact.getProperty("path"));
  }

  private static List<String> commandFor(Path program, List<String> arguments) {
    return program.toString().endsWith(".jar")
        ? Stream.of(
                List.of(java(), "-Djava.util.logging.manager=org.jboss.logmanager.LogManager"),
                arguments,
                List.of("-jar", program.toString()))
            .flatMap(List::stream)
            .toList()
        : Stream.concat(Stream.of(program.toAbsolutePath().toString()), arguments.stream())
            .toList();
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static Process start(Path log, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }

  private static IOException failure(String what, Path log) throws IOException {
    return new IOException(what + ":\n" + String.join("\n", Files.readAllLines(log)));
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
    throw failure("the service did not start", log);
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
    return URI.create("http://" + HOST + ":" + port + path);
  }

  /** Asks it to end, as SIGTERM does. */
  public void terminate() {
    process.destroy();
  }

  /** The number of its process. */
  public long pid() {
    return process.pid();
  }

  /** Whether it has not ended yet. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits until it has ended by itself and gives its exit status. */
  public int awaitEnd() throws IOException, InterruptedException {
    if (!process.waitFor(START_DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
      throw failure("the service did not end", log);
    }
    return process.exitValue();
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
