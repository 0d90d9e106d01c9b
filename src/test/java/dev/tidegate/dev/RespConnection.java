package dev.tidegate.dev;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a test's own to one Redis server, past the client under test; it knows RESP and
 * no more. Texts are read as Latin-1.
 */
public final class RespConnection implements AutoCloseable {

  /** How long an answer may take. */
  private static final int PATIENCE_MILLIS = 30_000;

  private final Socket socket;
  private final InputStream in;

  private RespConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /** An error that Redis answered. */
  public static final class RedisError extends RuntimeException {

    RedisError(String message) {
      super(message);
    }
  }

  /**
   * Connects to a server.
   *
   * @throws UncheckedIOException when nothing listens there
   */
  public static RespConnection open(String host, int port) {
    try {
      Socket socket = new Socket(host, port);
      socket.setSoTimeout(PATIENCE_MILLIS);
      return new RespConnection(socket);
    } catch (IOException unreachable) {
      throw new UncheckedIOException(unreachable);
    }
  }

  /**
   * Sends a command and returns its answer: a text, a {@link Long}, a {@link List} or null.
   *
   * @throws RedisError where Redis answers with an error
   * @throws UncheckedIOException when the connection breaks
   */
  public @Nullable Object send(String... command) {
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

  /** The answer to a command as text. */
  public String text(String... command) {
    return String.valueOf(send(command));
  }

  private @Nullable Object read() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> throw new RedisError(rest);
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

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
