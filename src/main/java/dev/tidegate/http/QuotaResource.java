package dev.tidegate.http;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.security.Caller;
import dev.tidegate.security.Roles;
import dev.tidegate.service.Answer;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.service.QuotaReading;
import dev.tidegate.service.QuotaReading.LimitPeriods;
import dev.tidegate.service.Resolved;
import dev.tidegate.store.Insight;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.QuotaState.LevelState;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** Quotas as they are now, and their periods. */
@Path("/v1/quota/{subject}/{resource}")
@RolesAllowed({Roles.METER, Roles.VIEWER, Roles.OPERATOR})
@Produces(MediaType.APPLICATION_JSON)
class QuotaResource {

  private static final int DEFAULT_PAST = 12;
  private static final int DEFAULT_NEXT = 3;

  private final QuotaReading reading;
  private final Targets targets;
  private final Caller caller;

  QuotaResource(QuotaReading reading, Targets targets, Caller caller) {
    this.reading = reading;
    this.targets = targets;
    this.caller = caller;
  }

  @GET
  public Uni<Response> read(@RestPath String subject, @RestPath String resource) {
    SubjectId who = targets.subject(subject);
    String what = targets.id("resource", resource);
    boolean viewer = caller.isViewerAlone();
    return reading
        .read(who, what)
        .map(
            answer -> {
              Resolved on = on(answer);
              QuotaViews.Quota view = QuotaViews.Quota.toApi(quota(answer), on, viewer);
              return fresh(view, view.version());
            });
  }

  @GET
  @Path("limits/{limit}")
  public Uni<Response> readLimit(
      @RestPath String subject, @RestPath String resource, @RestPath String limit) {
    SubjectId who = targets.subject(subject);
    String what = targets.id("resource", resource);
    return reading
        .read(who, what)
        .map(
            answer -> {
              Resolved on = on(answer);
              Outcome.Quota quota = quota(answer);
              LevelState own = quota.state().levels().getFirst();
              Insight insight = quota.insights().getFirst();
              Instant now = quota.state().now();
              return own.limits().stream()
                  .filter(state -> state.name().equals(limit))
                  .findFirst()
                  .map(state -> LimitReport.toApi(own, state, insight, on, now))
                  .map(view -> fresh(view, own.version()))
                  .orElseThrow(() -> limitNotFound(limit, on).exception());
            });
  }

  @GET
  @Path("periods")
  public Uni<Response> periods(
      @RestPath String subject,
      @RestPath String resource,
      @RestQuery @Nullable String limit,
      @RestQuery @Nullable String past,
      @RestQuery @Nullable String next) {
    SubjectId who = targets.subject(subject);
    String what = targets.id("resource", resource);
    int pastCount = Queries.number("past", past, 0, QuotaReading.MAX_PAST, DEFAULT_PAST);
    int nextCount = Queries.number("next", next, 0, QuotaReading.MAX_NEXT, DEFAULT_NEXT);
    return reading
        .readPeriods(who, what)
        .map(
            answer -> {
              Resolved on = on(answer);
              if (limit != null && on.subject().limit(limit) == null) {
                throw limitNotFound(limit, on).exception();
              }
              return periods(answer, on, limit, pastCount, nextCount);
            });
  }

  private Response periods(
      Answer<Outcome.ReadingPeriods> answer,
      Resolved on,
      @Nullable String limit,
      int past,
      int next) {
    return switch (outcome(answer)) {
      case Outcome.Periods periods -> {
        LevelState own = periods.state().levels().getFirst();
        List<LimitPeriods> all =
            own.limits().stream()
                .filter(state -> state.hasPeriods())
                .filter(state -> limit == null || state.name().equals(limit))
                .map(state -> reading.periodsOf(state, on.subject(), periods, past, next))
                .toList();
        yield fresh(
            new QuotaViews.Periods(
                own.subject().value(),
                on.resource(),
                own.version(),
                all.stream().map(QuotaViews.OfLimit::toApi).toList()),
            own.version());
      }
      case Outcome.Stale stale -> throw Refusals.stillStale(stale);
    };
  }

  private static Problem limitNotFound(String limit, Resolved on) {
    return Problem.of(
        ProblemCode.LIMIT_NOT_FOUND,
        "the subject's plan has no limit '" + limit + "' on '" + on.resource() + "'");
  }

  private static Response fresh(Object view, long version) {
    return Response.ok(view)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .tag(new EntityTag(Long.toString(version)))
        .build();
  }

  private static <T> T outcome(Answer<T> answer) {
    if (answer instanceof Decided<T>(T outcome, Resolved on)) {
      return outcome;
    }
    throw Refusals.of(answer).exception();
  }

  private static Resolved on(Answer<?> answer) {
    if (answer instanceof Decided<?>(Object outcome, Resolved on) && on != null) {
      return on;
    }
    throw Refusals.of(answer).exception();
  }

  private static Outcome.Quota quota(Answer<Outcome.Reading> answer) {
    return switch (outcome(answer)) {
      case Outcome.Quota quota -> quota;
      case Outcome.Stale stale -> throw Refusals.stillStale(stale);
    };
  }
}
