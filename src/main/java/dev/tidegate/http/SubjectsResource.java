package dev.tidegate.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.security.Caller;
import dev.tidegate.security.Roles;
import dev.tidegate.service.SubjectAdministration;
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
import org.jboss.resteasy.reactive.RestPath;

/** Subjects: read, registered, changed and deleted. */
@Path("/v1/subjects/{subject}")
@RolesAllowed(Roles.ADMIN)
@Produces(MediaType.APPLICATION_JSON)
class SubjectsResource {

  private final SubjectAdministration subjects;
  private final Targets targets;
  private final Preconditions preconditions;
  private final Caller caller;

  SubjectsResource(
      SubjectAdministration subjects, Targets targets, Preconditions preconditions, Caller caller) {
    this.subjects = subjects;
    this.targets = targets;
    this.preconditions = preconditions;
    this.caller = caller;
  }

  @GET
  public Uni<Response> read(@RestPath String subject) {
    SubjectId id = targets.subject(subject);
    return subjects
        .find(id)
        .map(
            stored -> {
              String document = stored.record().document();
              if (document == null) {
                throw Problem.of(ProblemCode.SUBJECT_NOT_FOUND, "nobody registered this subject")
                    .exception();
              }
              return ConfigurationAnswers.response(200, document, stored.record().version());
            });
  }

  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<Response> write(@RestPath String subject, byte[] body) {
    SubjectId id = targets.subject(subject);
    JsonNode document = Bodies.parse(body, Bodies.MAX_DOCUMENT_BYTES);
    Long ifVersion = preconditions.ifMatch();
    return subjects
        .put(id, document, ifVersion, ConfigurationAnswers.author(caller))
        .map(
            change ->
                ConfigurationAnswers.written(change, document, ProblemCode.SUBJECT_NOT_FOUND));
  }

  @DELETE
  public Uni<Response> delete(@RestPath String subject) {
    SubjectId id = targets.subject(subject);
    return subjects
        .delete(id, preconditions.ifMatch(), ConfigurationAnswers.author(caller))
        .map(change -> ConfigurationAnswers.deleted(change, ProblemCode.SUBJECT_NOT_FOUND));
  }
}
