package dev.tidegate.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.security.Caller;
import dev.tidegate.service.PlanAdministration.Change;
import dev.tidegate.store.Author;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** Answers about configuration: documents with versions. */
final class ConfigurationAnswers {

  private ConfigurationAnswers() {}

  /** Who a change is recorded of. */
  static Author author(Caller caller) {
    return new Author(caller.name(), caller.role());
  }

  static Response response(int status, String document, long version) {
    return Response.status(status)
        .type(MediaType.APPLICATION_JSON)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .tag(new EntityTag(Long.toString(version)))
        .entity(document)
        .build();
  }

  /** The answer to a PUT. */
  static Response written(Change change, JsonNode document, ProblemCode unknown) {
    return switch (change) {
      case Change.Made(long version) -> response(200, document.toString(), version);
      default -> throw problem(change, unknown).exception();
    };
  }

  /** The answer to a DELETE. */
  static Response deleted(Change change, ProblemCode unknown) {
    return switch (change) {
      case Change.Made made -> Response.noContent().build();
      default -> throw problem(change, unknown).exception();
    };
  }

  private static Problem problem(Change change, ProblemCode unknown) {
    return switch (change) {
      case Change.Invalid invalid -> Problem.invalid(invalid.faults());
      case Change.NotMade notMade -> notMade(notMade, unknown);
      case Change.Made made -> throw new IllegalStateException("it was made: " + made);
    };
  }

  private static Problem notMade(Change.NotMade change, ProblemCode unknown) {
    return switch (change.why()) {
      case NOT_FOUND -> Problem.of(unknown, "there is nothing of that name");
      case VERSION_CONFLICT ->
          Problem.of(ProblemCode.VERSION_CONFLICT, "it was changed by somebody else; read it again")
              .with("version", change.version())
              .withHeader(HttpHeaders.ETAG, "\"" + change.version() + "\"");
      case HAS_STATE ->
          Problem.of(
              ProblemCode.HAS_STATE,
              "the parent cannot be changed: the subject is metered already");
      case HAS_MEMBERS ->
          Problem.of(
              ProblemCode.HAS_MEMBERS, "the subject has members, which would lose their parent");
      case NO_PARENT -> Problem.invalid("$.parent", "must be a registered subject");
      case MANAGED_BY_FILE ->
          Problem.of(
              ProblemCode.PLAN_MANAGED_BY_FILE,
              "the plan comes from a file; change it there and raise the file's revision");
      case DONE -> throw new IllegalStateException("it was made");
    };
  }
}
