package dev.tidegate.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as it is written.
 *
 * @param target the path with its query, raw
 * @param headers lines without their ends, but for the length of the body
 * @param body null = none
 * @param fault what is wrong with it, null = nothing
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record Request(
    String method,
    String target,
    List<String> headers,
    byte @Nullable [] body,
    @Nullable String fault) {

  Request withMethod(String other, String why) {
    return new Request(other, target, headers, body, why);
  }

  Request withTarget(String other, String why) {
    return new Request(method, other, headers, body, why);
  }

  Request withBody(byte[] other, String why) {
    return new Request(method, target, headers, other, why);
  }

  /** With a header in place of the one of the same name. */
  Request withHeader(String name, @Nullable String value, String why) {
    List<String> changed = new ArrayList<>(headers);
    changed.removeIf(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1));
    if (value != null) {
      changed.add(name + ": " + value);
    }
    return new Request(method, target, changed, body, why);
  }

  byte[] head() {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    head.append("Host: localhost\r\n");
    headers.forEach(line -> head.append(line).append("\r\n"));
    if (body != null) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  String path() {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  /** The body as text, cut where it is long. */
  @Override
  public String toString() {
    String text = body == null ? "" : new String(body, StandardCharsets.UTF_8);
    return "%s %s %s %s [%s]"
        .formatted(
            method,
            cut(target),
            headers.stream().map(Request::cut).toList(),
            cut(text),
            fault == null ? "well formed" : fault);
  }

  private static String cut(String text) {
    return text.length() <= 300 ? text : text.substring(0, 300) + "... (" + text.length() + ")";
  }
}
