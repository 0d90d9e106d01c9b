package dev.tidegate.bench.throughput;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One kind of load that wrk or redis-benchmark makes.
 *
 * @param name what the tables call it
 * @param command the program with its arguments
 * @param environment what its script reads
 */
record Load(String name, List<String> command, Map<String, String> environment) {

  /** How many connections every load uses. */
  static final int CONNECTIONS = 64;

  private static final Pattern RATE = Pattern.compile("Requests/sec: *([0-9.]+)");
  private static final Pattern LATENCY = Pattern.compile("(50|99)% *([0-9.]+)(us|ms|s)\\b");
  private static final Pattern FAILED = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
  private static final Pattern BROKEN = Pattern.compile("Socket errors: (.*)");
  private static final Pattern REDIS_RATE = Pattern.compile("([0-9.]+) requests per second");

  Load {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /**
   * What one run came to.
   *
   * @param perSecond requests answered
   * @param p50Millis half of them took at most this; NaN where it is not told
   * @param p99Millis all but one in a hundred took at most this
   */
  record Result(double perSecond, double p50Millis, double p99Millis) {}

  /** A load of wrk with one of the scripts in {@code folder}. */
  static Load wrk(
      String name, Path folder, String script, String url, int seconds, Map<String, String> more) {
    return new Load(
        name,
        List.of(
            "wrk",
            "-t2",
            "-c" + CONNECTIONS,
            "-d" + seconds + "s",
            "--timeout",
            "10s",
            "--latency",
            "-s",
            folder.resolve(script).toString(),
            url),
        more);
  }

  /** The script alone, as redis-benchmark runs it: one call in flight for each connection. */
  static Load redis(String name, int port, int requests, List<String> evalsha) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("redis-benchmark", "-h", "127.0.0.1", "-p", Integer.toString(port)));
    command.addAll(List.of("-c", "" + CONNECTIONS, "-P", "1", "-n", "" + requests));
    command.addAll(List.of("-r", "999999999999", "-q", "EVALSHA"));
    command.addAll(evalsha);
    return new Load(name, command, Map.of());
  }

  /**
   * Runs it once.
   *
   * @throws IOException if it cannot run, or if any call failed
   */
  Result run() throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0 || FAILED.matcher(said).find() || BROKEN.matcher(said).find()) {
      throw new IOException(name + " failed:\n" + said);
    }
    Matcher redis = REDIS_RATE.matcher(said);
    if (redis.find()) {
      return new Result(Double.parseDouble(redis.group(1)), Double.NaN, Double.NaN);
    }
    Matcher rate = RATE.matcher(said);
    if (!rate.find()) {
      throw new IOException(name + " told no rate:\n" + said);
    }
    return new Result(
        Double.parseDouble(rate.group(1)), latencyMillis(said, "50"), latencyMillis(said, "99"));
  }

  private static double latencyMillis(String said, String percent) {
    Matcher matcher = LATENCY.matcher(said);
    while (matcher.find()) {
      if (matcher.group(1).equals(percent)) {
        double value = Double.parseDouble(matcher.group(2));
        return switch (matcher.group(3).toLowerCase(Locale.ROOT)) {
          case "us" -> value / 1000;
          case "ms" -> value;
          default -> value * 1000;
        };
      }
    }
    return Double.NaN;
  }
}
