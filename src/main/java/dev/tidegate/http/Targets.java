package dev.tidegate.http;

import dev.tidegate.domain.Identifiers;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.security.Caller;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.RequestScoped;

/** Reads what a path names, and sees to it that the caller may act on it. */
@RequestScoped
class Targets {

  private static final String ME = "me";

  private final Caller caller;
  private final HttpServerRequest request;

  Targets(Caller caller, HttpServerRequest request) {
    this.caller = caller;
    this.request = request;
  }

  /** The subject that a path names, {@code me} being the caller's own. */
  SubjectId subject(String segment) {
    if (segment.equals(ME)) {
      String bound = caller.boundTo();
      if (bound == null) {
        throw Problem.invalid("subject", "is 'me', but the caller's key is bound to no subject")
            .exception();
      }
      refuseMatrixParameters();
      return new SubjectId(bound);
    }
    if (!caller.mayActOn(segment)) {
      throw Problem.of(ProblemCode.FORBIDDEN, "the caller's key is not for this subject")
          .exception();
    }
    return new SubjectId(id("subject", segment));
  }

  /** A resource or a plan that a path names. */
  String id(String name, String segment) {
    refuseMatrixParameters();
    String fault = Identifiers.faultOfId(segment);
    if (fault != null) {
      throw Problem.invalid(name, fault).exception();
    }
    return segment;
  }

  /**
   * A raw ';' would be cut off with what follows it, and the call would be about another subject.
   */
  private void refuseMatrixParameters() {
    if (request.path().indexOf(';') >= 0) {
      throw Problem.invalid("path", "must not contain ';'; encode it as %3B").exception();
    }
  }
}
