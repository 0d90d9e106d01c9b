package dev.tidegate.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.document.Fields;
import dev.tidegate.document.UsedSchedule;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.security.Roles;
import dev.tidegate.service.Calendars;
import dev.tidegate.service.Calendars.Preview;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a schedule comes to, nothing stored. */
@Path("/v1/schedules/preview")
@RolesAllowed({Roles.METER, Roles.VIEWER, Roles.OPERATOR})
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
class SchedulesResource {

  private static final int DEFAULT_COUNT = 3;
  private static final int MAX_COUNT = 100;

  private final Calendars calendars;
  private final Targets targets;

  SchedulesResource(Calendars calendars, Targets targets) {
    this.calendars = calendars;
    this.targets = targets;
  }

  private record Request(
      UsedSchedule schedule, @Nullable ZoneId zone, @Nullable Instant from, int count) {

    static @Nullable Request fromApi(Fields fields) {
      UsedSchedule schedule = fields.requiredUsedSchedule("schedule");
      ZoneId zone = fields.zone("zone");
      Instant from = fields.instant("from");
      if (from != null && Queries.isOutOfRange(from)) {
        fields.refuse("from", Queries.RANGE);
      }
      int count = fields.number("count", 1, MAX_COUNT, DEFAULT_COUNT);
      return schedule == null ? null : new Request(schedule, zone, from, count);
    }
  }

  /**
   * A period and the resets that follow.
   *
   * @param start null = opened by use, and so are the others
   */
  @RegisterForReflection
  record View(
      @Nullable Instant start,
      @Nullable Instant end,
      @Nullable Long seq,
      @Nullable String periodId,
      String zone,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean opensOnUse,
      List<Instant> next,
      List<String> nextLocal) {

    static View toApi(Preview preview) {
      Period current = preview.current();
      return new View(
          current == null ? null : current.start(),
          current == null ? null : current.end(),
          current == null ? null : current.ordinal(),
          current == null ? null : current.start() + "/" + preview.schedule().unit(),
          preview.zone().getId(),
          current == null ? true : null,
          preview.next(),
          preview.next().stream().map(at -> LimitView.local(at, preview.zone())).toList());
    }
  }

  @POST
  public View preview(byte[] body) {
    targets.refuseAmbiguousPath();
    JsonNode json = Bodies.parse(body, Bodies.MAX_CALL_BYTES);
    Request request = Bodies.read(json, Request::fromApi);
    Instant from = request.from() == null ? calendars.now() : request.from();
    UsedSchedule schedule = request.schedule();
    return View.toApi(
        calendars.preview(
            schedule.timing(), request.zone(), from, request.count(), schedule.uses()));
  }
}
