package dev.tidegate.http;

import dev.tidegate.domain.Identifiers;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.security.Caller;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.RequestScoped;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what a path names, and sees to it that the caller may act on it. */
@RequestScoped
class Targets {

  private static final String ME = "me";
  private static final Pattern DOTS = Pattern.compile("/(\\.|%2[Ee]){1,2}(/|$)");

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
      refuseAmbiguousPath();
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
    refuseAmbiguousPath();
    String fault = Identifiers.faultOfId(segment);
    if (fault != null) {
      throw Problem.invalid(name, fault).exception();
    }
    return segment;
  }

  /** Refuses a path that servers and proxies on the way read in different ways. */
  void refuseAmbiguousPath() {
    String fault = faultOfPath(request.path());
    if (fault != null) {
      throw Problem.invalid("path", fault).exception();
    }
  }

  /**
   * Why a raw path may not be about what it seems to be about, or null: what follows a {@code ;} is
   * cut off, empty segments and dots are taken out, and the call would be about another subject.
   */
  static @Nullable String faultOfPath(String path) {
    if (path.chars().anyMatch(c -> c > '~')) {
      return "must be ASCII; percent-encode the UTF-8 bytes of other characters";
    }
    if (path.indexOf(';') >= 0) {
      return "must not contain ';'; encode it as %3B";
    }
    if (path.contains("//") || path.endsWith("/")) {
      return "must not have an empty segment: no id is empty";
    }
    return DOTS.matcher(path).find()
        ? "must not have a segment '.' or '..': neither is an id"
        : null;
  }
}
