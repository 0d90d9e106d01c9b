package dev.tidegate.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.security.Roles;
import dev.tidegate.service.Answer;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.service.AuditReading;
import dev.tidegate.service.Resolved;
import dev.tidegate.store.AuditEvent;
import dev.tidegate.store.AuditEvent.Operation;
import dev.tidegate.store.GrantStore.AuditPage;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** The audit trail of grants. */
@Path("/v1/quota/{subject}/{resource}/audit")
@RolesAllowed(Roles.OPERATOR)
@Produces(MediaType.APPLICATION_JSON)
class AuditResource {

  private static final int DEFAULT_COUNT = 50;
  private static final int MAX_COUNT = 200;

  private final AuditReading reading;
  private final Targets targets;

  AuditResource(AuditReading reading, Targets targets) {
    this.reading = reading;
    this.targets = targets;
  }

  /**
   * Some events, the newest first.
   *
   * @param next the {@code after} of the next page; absent = there is none
   */
  @RegisterForReflection
  record Page(
      String subject,
      String resource,
      List<Event> events,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String next) {}

  /** One grant. */
  @RegisterForReflection
  record Event(
      String id,
      Instant at,
      String operation,
      String by,
      String role,
      long versionBefore,
      long version,
      @Nullable String reason,
      @Nullable String idempotencyKey,
      List<Change> limits) {

    static Event toApi(AuditEvent event) {
      return new Event(
          event.id(),
          event.at(),
          word(event.operation()),
          event.by(),
          event.role(),
          event.versionBefore(),
          event.version(),
          event.reason(),
          event.key(),
          event.limits().stream().map(Change::toApi).toList());
    }
  }

  /** What became of one limit. */
  @RegisterForReflection
  record Change(String name, long granted, Quota before, Quota after) {

    static Change toApi(AuditEvent.Change change) {
      return new Change(
          change.limit(),
          change.granted(),
          Quota.toApi(change.before()),
          Quota.toApi(change.after()));
    }
  }

  /** A limit at one instant. */
  @RegisterForReflection
  record Quota(
      long seq, @Nullable Long limit, long topup, long used, long held, @Nullable Instant resetAt) {

    static Quota toApi(AuditEvent.Quota quota) {
      return new Quota(
          quota.seq(), quota.amount(), quota.topup(), quota.used(), quota.held(), quota.resetAt());
    }
  }

  @GET
  public Uni<Response> read(
      @RestPath String subject,
      @RestPath String resource,
      @RestQuery @Nullable String after,
      @RestQuery @Nullable String count,
      @RestQuery @Nullable String operation) {
    SubjectId who = targets.subject(subject);
    String what = targets.id("resource", resource);
    int most = Queries.number("count", count, 1, MAX_COUNT, DEFAULT_COUNT);
    return reading
        .read(who, what, operation(operation), Queries.eventId("after", after), most)
        .map(answer -> page(answer, who, what));
  }

  private static @Nullable Operation operation(@Nullable String word) {
    if (word == null) {
      return null;
    }
    return Arrays.stream(Operation.values())
        .filter(operation -> word(operation).equals(word))
        .findFirst()
        .orElseThrow(() -> unknownOperation().exception());
  }

  private static Problem unknownOperation() {
    List<String> words = Arrays.stream(Operation.values()).map(AuditResource::word).toList();
    return Problem.invalid("operation", "must be one of " + String.join(", ", words));
  }

  private static String word(Operation operation) {
    return operation.name().toLowerCase(Locale.ROOT);
  }

  private static Response page(Answer<AuditPage> answer, SubjectId who, String named) {
    if (!(answer instanceof Decided<AuditPage>(AuditPage page, Resolved on))) {
      throw Refusals.of(answer).exception();
    }
    return Response.ok(
            new Page(
                who.value(),
                on == null ? named : on.resource(),
                page.events().stream().map(Event::toApi).toList(),
                page.next()))
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .build();
  }
}
