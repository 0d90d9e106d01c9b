package dev.tidegate.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.domain.Amounts;
import dev.tidegate.store.IdempotencyKey;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.RequestScoped;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the headers that make a call safe to repeat, or to make only on what was seen. */
@RequestScoped
class Preconditions {

  private static final String IDEMPOTENCY_KEY = "Idempotency-Key";
  private static final String IF_MATCH = "If-Match";
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
  private static final Pattern STRONG_TAG = Pattern.compile("\"([0-9]{1,16})\"");
  private static final Pattern VERSION = Pattern.compile("0|[1-9][0-9]{0,17}");

  /** Conflicts with every version: none is ever as great. */
  private static final long NO_VERSION = Amounts.MAX;

  private static final int FINGERPRINT_BYTES = 16;

  private final HttpServerRequest request;

  Preconditions(HttpServerRequest request) {
    this.request = request;
  }

  /** The idempotency key of a call with this body, or null when it has none. */
  @Nullable IdempotencyKey idempotency(JsonNode body) {
    List<String> values = request.headers().getAll(IDEMPOTENCY_KEY);
    if (values.isEmpty()) {
      return null;
    }
    String value = values.getFirst();
    if (values.size() > 1 || !KEY.matcher(value).matches()) {
      throw Problem.invalid(
              IDEMPOTENCY_KEY, "must be one key of 1 to 64 letters, digits, '.', '_', ':' and '-'")
          .exception();
    }
    return new IdempotencyKey(value, fingerprint(body));
  }

  /** The version that {@code If-Match} names, or null when there is no such header. */
  @Nullable Long ifMatch() {
    List<String> values = request.headers().getAll(IF_MATCH);
    if (values.isEmpty()) {
      return null;
    }
    var tag = STRONG_TAG.matcher(values.getFirst());
    if (values.size() > 1 || !tag.matches()) {
      throw Problem.invalid(IF_MATCH, "must be one strong tag as an ETag showed it, such as \"17\"")
          .exception();
    }
    return version(tag.group(1));
  }

  /** The version of a tag; no tag of ours but the very text of one is any. */
  private static long version(String tag) {
    long version = VERSION.matcher(tag).matches() ? Long.parseLong(tag) : NO_VERSION;
    return Math.min(version, NO_VERSION);
  }

  /**
   * Tells calls apart by method, path and parsed body; the order of a body's fields is no
   * difference.
   */
  private String fingerprint(JsonNode body) {
    StringBuilder text = new StringBuilder();
    text.append(request.method()).append('\n').append(request.path()).append('\n');
    appendSorted(body, text);
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha256.digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(Arrays.copyOf(digest, FINGERPRINT_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void appendSorted(JsonNode node, StringBuilder text) {
    if (node.isObject()) {
      text.append('{');
      node.properties().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(
              property -> {
                text.append(property.getKey().length()).append(':').append(property.getKey());
                appendSorted(property.getValue(), text);
              });
      text.append('}');
    } else if (node.isArray()) {
      text.append('[');
      node.forEach(
          element -> {
            appendSorted(element, text);
            text.append(',');
          });
      text.append(']');
    } else {
      text.append(node);
    }
  }
}
