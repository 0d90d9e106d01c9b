package dev.tidegate.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.document.Fields;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.Usage;
import dev.tidegate.security.Roles;
import dev.tidegate.service.Answer;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.service.Metering;
import dev.tidegate.service.Resolved;
import dev.tidegate.service.Spent;
import dev.tidegate.store.IdempotencyKey;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.QuotaState;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.RestPath;

/** Charges: reserved and settled in one step. */
@Path("/v1/quota/{subject}/{resource}/charges")
@RolesAllowed(Roles.METER)
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
class ChargesResource {

  private final Metering metering;
  private final Targets targets;
  private final Preconditions preconditions;

  ChargesResource(Metering metering, Targets targets, Preconditions preconditions) {
    this.metering = metering;
    this.targets = targets;
    this.preconditions = preconditions;
  }

  @POST
  public Uni<Response> charge(@RestPath String subject, @RestPath String resource, byte[] body) {
    SubjectId who = targets.subject(subject);
    String what = targets.id("resource", resource);
    JsonNode json = Bodies.parse(body, Bodies.MAX_CALL_BYTES);
    Spent.Named spent = Bodies.read(json, ChargesResource::spent);
    IdempotencyKey key = preconditions.idempotency(json);
    return metering.charge(who, what, spent, key).map(answer -> charged(answer, what));
  }

  private static Spent.Named spent(Fields fields) {
    Usage usage = fields.usage("usage");
    Amounts amounts =
        fields.has("usage")
            ? fields.amounts("amounts", 0, Amounts.MAX)
            : fields.requiredAmounts("amounts", 0, Amounts.MAX);
    return new Spent.Named(
        amounts == null ? Amounts.NONE : amounts, usage == null ? Usage.NONE : usage);
  }

  private static Response charged(Answer<Outcome.Charging> answer, String named) {
    if (answer instanceof Answer.Degraded<Outcome.Charging> degraded) {
      return Answers.Degraded.of(degraded);
    }
    if (!(answer instanceof Decided<Outcome.Charging>(Outcome.Charging outcome, Resolved on))) {
      throw Refusals.of(answer).exception();
    }
    return switch (outcome) {
      case Outcome.Charged(Amounts charged, QuotaState state, boolean replayed) ->
          StateViews.response(
              Response.Status.OK,
              state,
              on,
              new Answers.Charged(
                  charged.byMeter(),
                  replayed,
                  StateViews.available(state.levels()),
                  StateViews.limits(on == null ? named : on.resource(), state),
                  StateViews.warnings(state, on)));
      case Outcome.Refused refused -> throw Refusals.of(refused, on).exception();
      case Outcome.KeyReused reused -> throw Refusals.keyReused().exception();
      case Outcome.Stale stale -> throw Refusals.stillStale(stale);
    };
  }
}
