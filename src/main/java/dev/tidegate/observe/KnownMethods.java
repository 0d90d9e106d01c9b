package dev.tidegate.observe;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.inject.Singleton;
import java.util.Set;

/**
 * Counts HTTP methods that a client invents as one. Every value of a label makes a meter that lives
 * as long as the process, and whoever reaches the port can send as many methods as there are words.
 */
@Singleton
class KnownMethods implements MeterFilter {

  private static final String METHOD = "method";

  private static final Tag OTHER = Tag.of(METHOD, "OTHER");

  /** Those of RFC 9110, and PATCH of RFC 5789. */
  private static final Set<String> KNOWN =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

  @Override
  public Meter.Id map(Meter.Id id) {
    if (!id.getName().startsWith("http.server.")) {
      return id;
    }
    String method = id.getTag(METHOD);
    return method == null || KNOWN.contains(method) ? id : id.withTag(OTHER);
  }
}
