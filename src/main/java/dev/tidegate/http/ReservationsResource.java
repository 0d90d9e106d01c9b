package dev.tidegate.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.document.Fields;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.ReservationId;
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
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

/** Reservations: taken, settled, released, extended and read. */
@Path("/v1/quota/{subject}/{resource}/reservations")
@RolesAllowed(Roles.METER)
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
class ReservationsResource {

  private static final int MAX_TTL_SECONDS = 86_400;

  private final Metering metering;
  private final Targets targets;
  private final Preconditions preconditions;

  ReservationsResource(Metering metering, Targets targets, Preconditions preconditions) {
    this.metering = metering;
    this.targets = targets;
    this.preconditions = preconditions;
  }

  private record Reserve(Amounts amounts, @Nullable Integer ttlSeconds, boolean dryRun) {

    static Reserve fromApi(Fields fields) {
      Amounts amounts = fields.amounts("amounts", 0, Amounts.MAX);
      return new Reserve(
          amounts == null ? Amounts.NONE : amounts,
          fields.number("ttl_seconds", 1, MAX_TTL_SECONDS),
          fields.bool("dry_run", false));
    }
  }

  @POST
  public Uni<Response> reserve(@RestPath String subject, @RestPath String resource, byte[] body) {
    SubjectId who = targets.subject(subject);
    String what = targets.id("resource", resource);
    JsonNode json = Bodies.parse(body, Bodies.MAX_CALL_BYTES);
    Reserve reserve = Bodies.read(json, Reserve::fromApi);
    IdempotencyKey key = preconditions.idempotency(json);
    return metering
        .reserve(who, what, reserve.amounts(), reserve.ttlSeconds(), reserve.dryRun(), key)
        .map(answer -> reserved(answer, what, reserve.dryRun()));
  }

  private static Response reserved(Answer<Outcome.Reserving> answer, String named, boolean dryRun) {
    if (answer instanceof Answer.Degraded<Outcome.Reserving> degraded) {
      return Answers.Degraded.of(degraded);
    }
    if (!(answer instanceof Decided<Outcome.Reserving>(Outcome.Reserving outcome, Resolved on))) {
      throw Refusals.of(answer).exception();
    }
    String resource = on == null ? named : on.resource();
    return switch (outcome) {
      case Outcome.Held held -> held(held, resource, on);
      case Outcome.Fits fits -> dryRun(true, Map.of(), fits.state(), resource, on);
      case Outcome.Refused refused when dryRun && refused.reason() != Outcome.Reason.OVERFLOW ->
          dryRun(false, Refusals.of(refused, on).reasons(), refused.state(), resource, on);
      case Outcome.Refused refused -> throw Refusals.of(refused, on).exception();
      case Outcome.KeyReused reused -> throw Refusals.keyReused().exception();
      case Outcome.Stale stale -> throw Refusals.stillStale(stale);
    };
  }

  private static Response held(Outcome.Held held, String resource, @Nullable Resolved on) {
    String id = held.id().text();
    QuotaState state = held.state();
    String subject = state.levels().getFirst().subject().value();
    Answers.Held answer =
        new Answers.Held(
            id,
            Answers.word(Outcome.ReservationState.HELD),
            held.expiresAt(),
            held.amounts().byMeter(),
            held.replayed(),
            StateViews.available(state.levels()),
            StateViews.limits(resource, state),
            StateViews.warnings(state, on));
    Response response = StateViews.response(Response.Status.CREATED, state, on, answer);
    response.getHeaders().add(HttpHeaders.LOCATION, location(subject, resource, id));
    return response;
  }

  /**
   * The path of a reservation, by the canonical name of its resource: an alias may be gone when it
   * is settled.
   */
  private static String location(String subject, String resource, String id) {
    return "/v1/quota/" + segment(subject) + "/" + segment(resource) + "/reservations/" + id;
  }

  private static String segment(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Response dryRun(
      boolean allowed,
      Map<String, Object> refusal,
      QuotaState state,
      String resource,
      @Nullable Resolved on) {
    return StateViews.response(
        Response.Status.OK,
        state,
        on,
        new Answers.DryRun(
            allowed,
            refusal,
            StateViews.available(state.levels()),
            StateViews.limits(resource, state),
            StateViews.warnings(state, on)));
  }

  @GET
  @Path("{id}")
  public Uni<Answers.Reservation> find(
      @RestPath String subject, @RestPath String resource, @RestPath String id) {
    SubjectId who = targets.subject(subject);
    String what = targets.id("resource", resource);
    return metering
        .find(who, what, idOf(id))
        .map(
            answer ->
                switch (outcomeOf(answer)) {
                  case Outcome.Found found ->
                      new Answers.Reservation(
                          id,
                          Answers.word(found.state()),
                          found.takenAt(),
                          found.expiresAt(),
                          found.amounts().byMeter(),
                          found.charged().byMeter());
                  case Outcome.NotFound unknown -> throw Refusals.reservationNotFound().exception();
                });
  }

  /** What no reservation can be named is not told from what none is named. */
  private static ReservationId idOf(String id) {
    return ReservationId.parse(id).orElseThrow(() -> Refusals.reservationNotFound().exception());
  }

  private static <T> T outcomeOf(Answer<T> answer) {
    if (answer instanceof Decided<T>(T outcome, Resolved on)) {
      return outcome;
    }
    throw Refusals.of(answer).exception();
  }

  private static @Nullable Spent settled(Fields fields) {
    Amounts amounts = fields.amounts("amounts", 0, Amounts.MAX);
    Usage usage = fields.usage("usage");
    boolean useHeld = fields.bool("use_held", false);
    if ((amounts == null && usage == null) != useHeld) {
      fields.object().fault("must have `amounts`, `usage` or both, or else `use_held: true`");
      return null;
    }
    return useHeld
        ? new Spent.AsHeld()
        : new Spent.Named(
            amounts == null ? Amounts.NONE : amounts, usage == null ? Usage.NONE : usage);
  }

  @POST
  @Path("{id}/settle")
  public Uni<Response> settle(
      @RestPath String subject, @RestPath String resource, @RestPath String id, byte[] body) {
    SubjectId who = targets.subject(subject);
    String what = targets.id("resource", resource);
    JsonNode json = Bodies.parse(body, Bodies.MAX_CALL_BYTES);
    Spent spent = Bodies.read(json, ReservationsResource::settled);
    IdempotencyKey key = preconditions.idempotency(json);
    return metering
        .settle(who, what, idOf(id), spent, key)
        .map(
            answer -> {
              Resolved on = answer instanceof Decided<?>(Object outcome, Resolved o) ? o : null;
              String canonical = on == null ? what : on.resource();
              return switch (outcomeOf(answer)) {
                case Outcome.Settled settled -> settled(id, settled, canonical, on);
                case Outcome.AlreadySettled(Outcome.Settled first) ->
                    throw Problem.of(
                            ProblemCode.ALREADY_SETTLED,
                            "the reservation was settled before, with other amounts; nothing was"
                                + " charged again")
                        .with("id", id)
                        .with("state", Answers.word(Outcome.ReservationState.SETTLED))
                        .with("charged", first.charged().byMeter())
                        .with("late", first.late())
                        .exception();
                case Outcome.Unnamed(String meter) ->
                    throw Problem.invalid(
                            "$.amounts." + meter, "is required: the reservation holds this meter")
                        .exception();
                case Outcome.SettleOverflow(String meter) ->
                    throw Refusals.overflow(meter).exception();
                case Outcome.NotFound unknown -> throw Refusals.reservationNotFound().exception();
                case Outcome.KeyReused reused -> throw Refusals.keyReused().exception();
                case Outcome.Stale stale -> throw Refusals.stillStale(stale);
              };
            });
  }

  private static Response settled(
      String id, Outcome.Settled settled, String resource, @Nullable Resolved on) {
    QuotaState state = settled.state();
    return StateViews.response(
        Response.Status.OK,
        state,
        on,
        new Answers.Settled(
            id,
            Answers.word(Outcome.ReservationState.SETTLED),
            settled.charged().byMeter(),
            settled.late(),
            settled.replayed(),
            StateViews.available(state.levels()),
            StateViews.limits(resource, state),
            StateViews.warnings(state, on)));
  }

  @POST
  @Path("{id}/release")
  @Consumes(MediaType.WILDCARD)
  public Uni<Answers.Released> release(
      @RestPath String subject, @RestPath String resource, @RestPath String id, byte[] body) {
    SubjectId who = targets.subject(subject);
    String what = targets.id("resource", resource);
    JsonNode json = Bodies.parseOptional(body);
    Bodies.read(json, Fields::object);
    IdempotencyKey key = preconditions.idempotency(json);
    return metering
        .release(who, what, idOf(id), key)
        .map(
            answer ->
                switch (outcomeOf(answer)) {
                  case Outcome.Closed closed ->
                      new Answers.Released(id, Answers.word(closed.state()), closed.replayed());
                  case Outcome.NotFound unknown -> throw Refusals.reservationNotFound().exception();
                  case Outcome.KeyReused reused -> throw Refusals.keyReused().exception();
                  case Outcome.Stale stale -> throw Refusals.stillStale(stale);
                });
  }

  @POST
  @Path("{id}/extend")
  public Uni<Answers.Extended> extend(
      @RestPath String subject, @RestPath String resource, @RestPath String id, byte[] body) {
    SubjectId who = targets.subject(subject);
    String what = targets.id("resource", resource);
    JsonNode json = Bodies.parse(body, Bodies.MAX_CALL_BYTES);
    int ttlSeconds =
        Bodies.read(json, fields -> fields.requiredNumber("ttl_seconds", 1, MAX_TTL_SECONDS));
    IdempotencyKey key = preconditions.idempotency(json);
    return metering
        .extend(who, what, idOf(id), ttlSeconds, key)
        .map(
            answer ->
                switch (outcomeOf(answer)) {
                  case Outcome.Extended(Instant expiresAt, boolean capped, boolean replayed) ->
                      new Answers.Extended(
                          id,
                          Answers.word(Outcome.ReservationState.HELD),
                          expiresAt,
                          capped,
                          replayed);
                  case Outcome.NotExtendable(Outcome.ReservationState state) ->
                      throw Problem.of(
                              ProblemCode.RESERVATION_CLOSED,
                              "the reservation does not hold anything any more; take a new one")
                          .with("state", Answers.word(state))
                          .exception();
                  case Outcome.NotFound unknown -> throw Refusals.reservationNotFound().exception();
                  case Outcome.KeyReused reused -> throw Refusals.keyReused().exception();
                  case Outcome.Stale stale -> throw Refusals.stillStale(stale);
                });
  }
}
