package dev.tidegate.http;

import dev.tidegate.security.Roles;
import dev.tidegate.service.ConfigurationHistory;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** Who changed a plan. */
@Path("/v1/plans/{plan}/audit")
@RolesAllowed(Roles.ADMIN)
@Produces(MediaType.APPLICATION_JSON)
class PlanAuditResource {

  private final ConfigurationHistory history;
  private final Targets targets;

  PlanAuditResource(ConfigurationHistory history, Targets targets) {
    this.history = history;
    this.targets = targets;
  }

  @GET
  public Uni<Response> read(
      @RestPath String plan, @RestQuery @Nullable String after, @RestQuery @Nullable String count) {
    String name = targets.id("plan", plan);
    return history
        .ofPlan(name, Queries.eventId("after", after), ChangesView.count(count))
        .map(ChangesView::response);
  }
}
