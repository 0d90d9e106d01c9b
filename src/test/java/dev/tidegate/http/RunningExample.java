package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A program that runs beside the test, which reads what it prints and writes what it reads. */
final class RunningExample implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final Process process;
  private final BlockingQueue<String> unread = new LinkedBlockingQueue<>();
  private final Queue<String> printed = new ConcurrentLinkedQueue<>();
  private final Thread reader;

  /**
   * @param folder in which it runs
   */
  RunningExample(Path folder, Map<String, String> environment, List<String> command) {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      process = builder.start();
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
    reader = Thread.ofVirtual().start(this::readAll);
  }

  private void readAll() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        printed.add(line);
        unread.add(line);
      }
    } catch (IOException killed) {
      printed.add("" + killed);
    }
  }

  private String output() {
    return String.join("\n", printed);
  }

  /** Waits until it prints a line that contains the text, and returns that line. */
  String awaitLine(String text) throws InterruptedException {
    for (; ; ) {
      String line = unread.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertTrue(line != null, () -> "no '" + text + "' in: " + output());
      if (line.contains(text)) {
        return line;
      }
    }
  }

  /** Writes to its standard input. */
  RunningExample write(String text) {
    try {
      process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      return this;
    } catch (IOException ended) {
      throw new UncheckedIOException(output(), ended);
    }
  }

  /** Ends its standard input, waits until it has succeeded, and returns all that it printed. */
  String succeed() throws InterruptedException {
    try {
      process.getOutputStream().close();
    } catch (IOException ended) {
      printed.add("" + ended);
    }
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), this::output);
    reader.join();
    assertEquals(0, process.exitValue(), this::output);
    return output();
  }

  /** Ends it at once, as a crash does. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
