package dev.tidegate.bench.cost;

import dev.tidegate.dev.RespConnection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long Redis itself spends in scripts, by its own count. */
final class ScriptTime implements AutoCloseable {

  private static final Pattern EVALSHA =
      Pattern.compile("cmdstat_evalsha:calls=(\\d+),usec=(\\d+)");

  private final RespConnection connection;

  ScriptTime(RespConnection connection) {
    this.connection = connection;
  }

  /** Microseconds for each script that {@code work} runs. */
  double ofEach(Runnable work) {
    connection.send("CONFIG", "RESETSTAT");
    work.run();
    Matcher counted = EVALSHA.matcher(connection.text("INFO", "commandstats"));
    if (!counted.find()) {
      throw new IllegalStateException("no script ran");
    }
    return Double.parseDouble(counted.group(2)) / Long.parseLong(counted.group(1));
  }

  /** Bytes that the server uses for data. */
  long usedBytes() {
    Matcher used =
        Pattern.compile("used_memory_dataset:(\\d+)").matcher(connection.text("INFO", "memory"));
    if (!used.find()) {
      throw new IllegalStateException("no used_memory_dataset");
    }
    return Long.parseLong(used.group(1));
  }

  @Override
  public void close() {
    connection.close();
  }
}
