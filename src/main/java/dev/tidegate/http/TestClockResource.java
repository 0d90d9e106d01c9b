package dev.tidegate.http;

import dev.tidegate.security.Roles;
import dev.tidegate.service.TestClock;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;

/** The test clock, where it is enabled. */
@Path("/v1/test-clock")
@RolesAllowed(Roles.ADMIN)
@Produces(MediaType.APPLICATION_JSON)
class TestClockResource {

  private static final Instant EARLIEST = Instant.parse("1970-01-02T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9990-01-01T00:00:00Z");

  private final TestClock clock;
  private final Targets targets;

  TestClockResource(TestClock clock, Targets targets) {
    this.clock = clock;
    this.targets = targets;
  }

  /** Where the clock stands. */
  @RegisterForReflection
  record View(Instant now) {}

  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<View> set(byte[] body) {
    targets.refuseAmbiguousPath();
    refuseUnlessEnabled();
    Instant now =
        Bodies.read(
            Bodies.parse(body, Bodies.MAX_CALL_BYTES), fields -> fields.requiredInstant("now"));
    if (now.isBefore(EARLIEST) || now.isAfter(LATEST)) {
      throw Problem.invalid("$.now", "must be from 1970-01-02 to 9990").exception();
    }
    return clock
        .set(now)
        .map(
            set -> {
              if (!set) {
                throw hasState("the clock moves forward only while anything is metered")
                    .exception();
              }
              return new View(now);
            });
  }

  @DELETE
  public Uni<Response> unset() {
    targets.refuseAmbiguousPath();
    refuseUnlessEnabled();
    return clock
        .unset()
        .map(
            unset -> {
              if (!unset) {
                throw hasState("the clock can be turned off only while nothing is metered")
                    .exception();
              }
              return Response.noContent().build();
            });
  }

  private void refuseUnlessEnabled() {
    if (!clock.isEnabled()) {
      throw Problem.of(ProblemCode.NOT_FOUND, "the test clock is not enabled").exception();
    }
  }

  private static Problem hasState(String detail) {
    return Problem.of(ProblemCode.HAS_STATE, detail);
  }
}
