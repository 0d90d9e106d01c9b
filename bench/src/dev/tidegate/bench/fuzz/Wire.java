package dev.tidegate.bench.fuzz;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A connection that sends bytes as they are given, which a client library would mend or refuse; it
 * is opened again when the service has closed it.
 */
final class Wire implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 30_000;
  private static final int MOST_TEXT = 500;

  private final int port;
  private @Nullable Socket socket;
  private @Nullable InputStream in;

  Wire(int port) {
    this.port = port;
  }

  /**
   * An answer.
   *
   * @param headers by lower-case name, the last one of a name
   */
  record Answer(int status, Map<String, String> headers, String body) {

    @Nullable String header(String name) {
      return headers.get(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public String toString() {
      return status + " " + body.substring(0, Math.min(MOST_TEXT, body.length()));
    }
  }

  /**
   * Sends a request and reads the answer.
   *
   * @return null when the service closed the connection without one
   */
  @Nullable Answer send(Request request) throws IOException {
    try {
      return attempt(request);
    } catch (IOException closedMeanwhile) {
      close();
      // A kept connection may just have been closed; what was sent cannot have changed anything.
      try {
        return attempt(request);
      } catch (EOFException closed) {
        close();
        return null;
      }
    }
  }

  private Answer attempt(Request request) throws IOException {
    Socket open = open();
    byte[] head = request.head();
    byte[] body = request.body();
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(head);
    if (body != null) {
      whole.writeBytes(body);
    }
    open.getOutputStream().write(whole.toByteArray());
    open.getOutputStream().flush();
    Answer answer = read(request.method());
    if ("close".equalsIgnoreCase(answer.header("Connection"))) {
      close();
    }
    return answer;
  }

  private Socket open() throws IOException {
    Socket open = socket;
    if (open == null) {
      open = new Socket(InetAddress.getLoopbackAddress(), port);
      open.setTcpNoDelay(true);
      open.setSoTimeout(PATIENCE_MILLIS);
      socket = open;
      in = new BufferedInputStream(open.getInputStream());
    }
    return open;
  }

  private Answer read(String method) throws IOException {
    String first = line();
    if (!first.matches("HTTP/1[.][01] [0-9]{3}.*")) {
      throw new IOException("no HTTP: " + first);
    }
    int status = Integer.parseInt(first.substring(9, 12));
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    boolean none = method.equals("HEAD") || status == 204 || status == 304 || status < 200;
    return new Answer(status, headers, none ? "" : body(headers));
  }

  private String body(Map<String, String> headers) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
      for (int size = chunkSize(); size > 0; size = chunkSize()) {
        bytes.writeBytes(exactly(size));
        line();
      }
      line();
    } else {
      bytes.writeBytes(exactly(Integer.parseInt(headers.getOrDefault("content-length", "0"))));
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line().split(";", 2)[0].strip(), 16);
  }

  private byte[] exactly(int size) throws IOException {
    byte[] bytes = stream().readNBytes(size);
    if (bytes.length < size) {
      throw new IOException("the answer ends early");
    }
    return bytes;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = stream().read(); b != '\n'; b = stream().read()) {
      if (b < 0) {
        throw new EOFException("closed");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  private InputStream stream() throws IOException {
    InputStream open = in;
    if (open == null) {
      throw new EOFException("closed");
    }
    return open;
  }

  @Override
  public void close() {
    Socket open = socket;
    socket = null;
    in = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException goneAnyway) {
        // Nothing depends on it.
      }
    }
  }
}
