package dev.tidegate.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.security.Caller;
import dev.tidegate.security.Roles;
import dev.tidegate.service.Calendars;
import dev.tidegate.service.Calendars.LimitPreview;
import dev.tidegate.service.PlanAdministration;
import dev.tidegate.service.StoredPlan;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** Plans: read, written, deleted, and when their limits reset. */
@Path("/v1/plans/{plan}")
@Produces(MediaType.APPLICATION_JSON)
class PlansResource {

  private static final int DEFAULT_COUNT = 3;
  private static final int MAX_COUNT = 100;

  private final PlanAdministration plans;
  private final Calendars calendars;
  private final Targets targets;
  private final Preconditions preconditions;
  private final Caller caller;

  PlansResource(
      PlanAdministration plans,
      Calendars calendars,
      Targets targets,
      Preconditions preconditions,
      Caller caller) {
    this.plans = plans;
    this.calendars = calendars;
    this.targets = targets;
    this.preconditions = preconditions;
    this.caller = caller;
  }

  @GET
  @RolesAllowed(Roles.ADMIN)
  public Uni<Response> read(@RestPath String plan) {
    String name = targets.id("plan", plan);
    return plans.find(name).map(stored -> document(found(stored, name)));
  }

  private static StoredPlan found(@Nullable StoredPlan stored, String name) {
    if (stored == null) {
      throw Problem.of(ProblemCode.PLAN_NOT_FOUND, "there is no plan '" + name + "'").exception();
    }
    return stored;
  }

  private static Response document(StoredPlan stored) {
    return ConfigurationAnswers.response(200, stored.document(), stored.version());
  }

  @PUT
  @RolesAllowed(Roles.ADMIN)
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<Response> write(@RestPath String plan, byte[] body) {
    String name = targets.id("plan", plan);
    JsonNode document = Bodies.parse(body, Bodies.MAX_DOCUMENT_BYTES);
    Long ifVersion = preconditions.ifMatch();
    return plans
        .put(name, document, ifVersion, ConfigurationAnswers.author(caller))
        .map(change -> ConfigurationAnswers.written(change, document, ProblemCode.PLAN_NOT_FOUND));
  }

  @DELETE
  @RolesAllowed(Roles.ADMIN)
  public Uni<Response> delete(@RestPath String plan) {
    String name = targets.id("plan", plan);
    return plans
        .delete(name, preconditions.ifMatch(), ConfigurationAnswers.author(caller))
        .map(change -> ConfigurationAnswers.deleted(change, ProblemCode.PLAN_NOT_FOUND));
  }

  /** When the limits of a plan reset. */
  @RegisterForReflection
  record Resets(String plan, Instant from, List<ResetsOfLimit> limits) {}

  /** When one limit resets. */
  @RegisterForReflection
  record ResetsOfLimit(
      String resource,
      String limit,
      String zone,
      boolean opensOnUse,
      List<Instant> resets,
      List<String> resetsLocal) {

    static ResetsOfLimit toApi(LimitPreview limit) {
      ZoneId zone = limit.preview().zone();
      List<Instant> next = limit.preview().next();
      return new ResetsOfLimit(
          limit.resource(),
          limit.quota().name(),
          zone.getId(),
          limit.preview().current() == null,
          next,
          next.stream().map(at -> LimitView.local(at, zone)).toList());
    }
  }

  @GET
  @Path("resets")
  @RolesAllowed({Roles.METER, Roles.VIEWER, Roles.OPERATOR})
  public Uni<Resets> resets(
      @RestPath String plan,
      @RestQuery @Nullable String zone,
      @RestQuery @Nullable String from,
      @RestQuery @Nullable String count) {
    String name = targets.id("plan", plan);
    ZoneId read = Queries.zone("zone", zone);
    Instant start = Queries.instant("from", from, calendars.now());
    int resets = Queries.number("count", count, 1, MAX_COUNT, DEFAULT_COUNT);
    return plans
        .find(name)
        .map(
            stored ->
                new Resets(
                    name,
                    start,
                    calendars.preview(found(stored, name).plan(), read, start, resets).stream()
                        .map(ResetsOfLimit::toApi)
                        .toList()));
  }
}
