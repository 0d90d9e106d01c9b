package dev.tidegate.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.tidegate.service.Answer;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.service.Resolved;
import dev.tidegate.store.ConfigurationTrail;
import dev.tidegate.store.ConfigurationTrail.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Changes of what is configured, the newest first.
 *
 * @param next the {@code after} of the next page; absent = there is none
 */
@RegisterForReflection
record ChangesView(
    List<Event> events, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String next) {

  /** The events of a page, unless the query says otherwise. */
  private static final int DEFAULT_COUNT = 20;

  /** Documents may have 32 KiB each, two to an event. */
  private static final int MAX_COUNT = 50;

  /**
   * One change.
   *
   * @param revision of the file that was imported; null = it was no import
   * @param before null = there was none, or it was too large to be kept
   * @param after likewise
   */
  @RegisterForReflection
  record Event(
      String id,
      Instant at,
      String operation,
      String by,
      String role,
      long versionBefore,
      long version,
      @Nullable Long revision,
      long beforeBytes,
      @JsonRawValue @Nullable String before,
      long afterBytes,
      @JsonRawValue @Nullable String after) {

    static Event toApi(ConfigurationTrail.Event event) {
      return new Event(
          event.id(),
          event.at(),
          event.operation().name().toLowerCase(Locale.ROOT),
          event.by().name(),
          event.by().role(),
          event.versionBefore(),
          event.version(),
          event.revision() == 0 ? null : event.revision(),
          event.before().bytes(),
          event.before().json(),
          event.after().bytes(),
          event.after().json());
    }
  }

  /** How many events a query asks for. */
  static int count(@Nullable String count) {
    return Queries.number("count", count, 1, MAX_COUNT, DEFAULT_COUNT);
  }

  static Response response(Answer<Page> answer) {
    if (!(answer instanceof Decided<Page>(Page page, Resolved on))) {
      throw Refusals.of(answer).exception();
    }
    return Response.ok(
            new ChangesView(page.events().stream().map(Event::toApi).toList(), page.next()))
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .build();
  }
}
