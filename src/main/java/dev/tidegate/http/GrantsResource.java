package dev.tidegate.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.document.Fields;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.security.Caller;
import dev.tidegate.security.Roles;
import dev.tidegate.service.Answer;
import dev.tidegate.service.Granting;
import dev.tidegate.store.Grant;
import dev.tidegate.store.Outcome;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

/** Grants: purchases, emergency top-ups and resets. */
@Path("/v1/quota/{subject}/{resource}")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
class GrantsResource {

  private static final int MAX_REASON_LENGTH = 500;
  private static final int MAX_LIMITS = 64;
  private static final String EMERGENCY = "emergency";

  private static final Map<String, TopUpMode> TOP_UP_MODES =
      new TreeMap<>(Map.of("purchase", TopUpMode.PURCHASE, EMERGENCY, TopUpMode.EMERGENCY));
  private static final Map<String, ResetMode> RESET_MODES =
      new TreeMap<>(Map.of("keep_anchor", ResetMode.KEEP_ANCHOR, "restart", ResetMode.RESTART));

  private final Granting granting;
  private final Targets targets;
  private final Preconditions preconditions;
  private final Caller caller;

  GrantsResource(Granting granting, Targets targets, Preconditions preconditions, Caller caller) {
    this.granting = granting;
    this.targets = targets;
    this.preconditions = preconditions;
    this.caller = caller;
  }

  private enum TopUpMode {
    PURCHASE,
    EMERGENCY
  }

  /**
   * What is asked for.
   *
   * @param amounts of a purchase, by limit
   * @param limit of an emergency top-up; null = the only one that has them
   */
  private record TopUp(
      TopUpMode mode, Amounts amounts, @Nullable String limit, @Nullable String reason) {

    static @Nullable TopUp fromApi(Fields fields) {
      TopUpMode mode = fields.requiredOneOf("mode", TOP_UP_MODES);
      String reason = reasonIn(fields);
      if (mode == null) {
        fields.optional("amounts");
        fields.optional("limit");
        return null;
      }
      return switch (mode) {
        case PURCHASE -> new TopUp(mode, purchased(fields), null, reason);
        case EMERGENCY -> new TopUp(mode, Amounts.NONE, fields.name("limit"), reason);
      };
    }

    private static Amounts purchased(Fields fields) {
      Amounts amounts = fields.requiredAmounts("amounts", 1, Amounts.MAX);
      if (fields.has("amounts") && amounts.byMeter().isEmpty()) {
        fields.refuse("amounts", "must name at least one limit, with an amount of 1 or more");
      }
      return amounts;
    }
  }

  private static @Nullable String reasonIn(Fields fields) {
    return fields.text("reason", 1, MAX_REASON_LENGTH);
  }

  @POST
  @Path("topup")
  @RolesAllowed({Roles.OPERATOR, Roles.VIEWER})
  public Uni<Response> topUp(@RestPath String subject, @RestPath String resource, byte[] body) {
    SubjectId who = targets.subject(subject);
    String what = targets.id("resource", resource);
    boolean selfService = !caller.isOperator();
    if (selfService && !caller.isViewerOf(who.value())) {
      throw forbidden().exception();
    }
    JsonNode json = Bodies.parse(body, Bodies.MAX_CALL_BYTES);
    if (selfService && !json.path("mode").asText().equals(EMERGENCY)) {
      throw forbidden().exception();
    }
    TopUp topUp = Bodies.read(json, TopUp::fromApi);
    Grant grant = grant(json, topUp.reason());
    if (topUp.mode() == TopUpMode.EMERGENCY && grant.ifVersion() == null) {
      return unconditional(who, what, topUp.limit(), selfService);
    }
    Uni<Answer<Outcome.Granting>> answered =
        switch (topUp.mode()) {
          case PURCHASE -> granting.purchase(who, what, topUp.amounts(), grant);
          case EMERGENCY -> granting.topUpInEmergency(who, what, topUp.limit(), selfService, grant);
        };
    return answered.map(answer -> GrantAnswers.of(answer, what));
  }

  /** Who only looks at a quota of its own may at most ask for an emergency top-up. */
  private static Problem forbidden() {
    return Problem.of(ProblemCode.FORBIDDEN, "none of the caller's roles allows this");
  }

  /** Refuses what names no version: whoever may not do it at all is told that first. */
  private Uni<Response> unconditional(
      SubjectId who, String what, @Nullable String limit, boolean selfService) {
    Uni<Boolean> left =
        selfService ? granting.leavesToOperators(who, what, limit) : Uni.createFrom().item(false);
    return left.map(
        forbidden -> {
          throw (forbidden ? forbidden() : preconditionRequired()).exception();
        });
  }

  private static Problem preconditionRequired() {
    return Problem.of(
        ProblemCode.PRECONDITION_REQUIRED,
        "send the version that the caller has seen as If-Match, such as \"17\"");
  }

  private enum ResetMode {
    KEEP_ANCHOR,
    RESTART
  }

  /**
   * What is asked for.
   *
   * @param limits none = all
   */
  private record Reset(ResetMode mode, Set<String> limits, @Nullable String reason) {

    static @Nullable Reset fromApi(Fields fields) {
      ResetMode mode = fields.requiredOneOf("mode", RESET_MODES);
      List<String> limits = fields.names("limits", 1, MAX_LIMITS);
      String reason = reasonIn(fields);
      return mode == null
          ? null
          : new Reset(mode, limits == null ? Set.of() : Set.copyOf(limits), reason);
    }
  }

  @POST
  @Path("reset")
  @RolesAllowed(Roles.OPERATOR)
  public Uni<Response> reset(@RestPath String subject, @RestPath String resource, byte[] body) {
    SubjectId who = targets.subject(subject);
    String what = targets.id("resource", resource);
    JsonNode json = Bodies.parse(body, Bodies.MAX_CALL_BYTES);
    Reset reset = Bodies.read(json, Reset::fromApi);
    Grant grant = grant(json, reset.reason());
    Uni<Answer<Outcome.Granting>> answered =
        switch (reset.mode()) {
          case KEEP_ANCHOR -> granting.reset(who, what, reset.limits(), grant);
          case RESTART -> granting.restart(who, what, reset.limits(), grant);
        };
    return answered.map(answer -> GrantAnswers.of(answer, what));
  }

  private Grant grant(JsonNode body, @Nullable String reason) {
    return new Grant(
        caller.name(),
        caller.role(),
        preconditions.ifMatch(),
        reason,
        preconditions.idempotency(body));
  }
}
