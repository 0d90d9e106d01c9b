package dev.tidegate.http;

import dev.tidegate.dev.EmbeddedRedisResource;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The Redis of the service under test; it knows RESP and no more. Texts are read as Latin-1. */
final class TestRedis implements AutoCloseable {

  private static final String PREFIX = "tidegate:1:";
  private static final String PLANS = PREFIX + "plans";

  private final Socket socket;
  private final InputStream in;

  private TestRedis(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  static TestRedis open() {
    URI address = URI.create(EmbeddedRedisResource.url());
    try {
      return new TestRedis(new Socket(address.getHost(), address.getPort()));
    } catch (IOException unreachable) {
      throw new UncheckedIOException(unreachable);
    }
  }

  /**
   * A key as it is stored.
   *
   * @param value all of it, in an order that does not depend on how it is stored
   * @param ttlMillis until it expires, -1 for never
   */
  record Entry(String value, long ttlMillis) {}

  /** Every key of the service. */
  Map<String, Entry> entries() {
    Map<String, Entry> entries = new TreeMap<>();
    for (String key : keys()) {
      entries.put(key, new Entry(value(key), number(send("PTTL", key))));
    }
    return entries;
  }

  /** The whole value of a key. */
  String value(String key) {
    String type = "" + send("TYPE", key);
    return switch (type) {
      case "string" -> "" + send("GET", key);
      case "hash" -> "" + pairs(list(send("HGETALL", key)));
      case "set" ->
          "" + list(send("SMEMBERS", key)).stream().map(String::valueOf).sorted().toList();
      case "zset" -> "" + send("ZRANGE", key, "0", "-1", "WITHSCORES");
      default -> type;
    };
  }

  private static Map<String, String> pairs(List<?> flat) {
    Map<String, String> pairs = new TreeMap<>();
    for (int n = 0; n < flat.size(); n += 2) {
      pairs.put("" + flat.get(n), "" + flat.get(n + 1));
    }
    return pairs;
  }

  /** The keys of the service. */
  List<String> keys() {
    List<String> keys = new ArrayList<>();
    String cursor = "0";
    do {
      List<?> page = list(send("SCAN", cursor, "MATCH", PREFIX + "*", "COUNT", "1000"));
      cursor = "" + page.get(0);
      list(page.get(1)).forEach(key -> keys.add("" + key));
    } while (!cursor.equals("0"));
    return keys;
  }

  /**
   * Forgets subjects, all that is metered and the test clock; plans stay, for their generation does
   * not go back.
   */
  void forgetAllButPlans() {
    for (String key : keys()) {
      if (!key.equals(PLANS)) {
        send("DEL", key);
      }
    }
  }

  /** Sends a command and returns its answer: a text, a {@link Long}, a {@link List} or null. */
  @Nullable Object send(String... command) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes(ascii("*" + command.length + "\r\n"));
      for (String part : command) {
        byte[] bytes = part.getBytes(StandardCharsets.ISO_8859_1);
        out.writeBytes(ascii("$" + bytes.length + "\r\n"));
        out.writeBytes(bytes);
        out.writeBytes(ascii("\r\n"));
      }
      socket.getOutputStream().write(out.toByteArray());
      return read();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private @Nullable Object read() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case ':' -> Long.valueOf(rest);
      case '$' -> text(Integer.parseInt(rest));
      case '*' -> {
        List<@Nullable Object> items = new ArrayList<>();
        for (int n = Integer.parseInt(rest); n > 0; n--) {
          items.add(read());
        }
        yield items;
      }
      default -> throw new IOException("Redis answered " + line);
    };
  }

  private @Nullable String text(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    line();
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("Redis closed the connection");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static long number(@Nullable Object answer) {
    return answer instanceof Long number ? number : -2L;
  }

  private static List<?> list(@Nullable Object answer) {
    return answer instanceof List<?> items ? items : List.of();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
