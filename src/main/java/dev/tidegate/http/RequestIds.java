package dev.tidegate.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * Gives every request an id: the one it came with in {@code X-Request-Id}, or a new one. It is in
 * the header of the answer, in problems and in log lines.
 */
@ApplicationScoped
class RequestIds {

  static final String HEADER = "X-Request-Id";

  /** What log lines know it by. */
  static final String LOGGED = "request_id";

  /** Nothing that ends a line, a header, a quoted text or a field of a log. */
  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9._:/+=@~-]{1,128}");

  /** Before everything else, so that every answer has its id. */
  void begin(@Observes Router router) {
    router.route().order(Integer.MIN_VALUE).handler(RequestIds::begin);
  }

  private static void begin(RoutingContext context) {
    String sent = context.request().getHeader(HEADER);
    String id = sent != null && SAFE.matcher(sent).matches() ? sent : fresh();
    context.response().putHeader(HEADER, id);
    MDC.put(LOGGED, id);
    context.next();
  }

  /** 128 bits at random: enough never to come twice, and no secret. */
  private static String fresh() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
  }

  /** The id of a request, null when it never got as far as here. */
  static @Nullable String of(HttpServerRequest request) {
    return request.response().headers().get(HEADER);
  }
}
