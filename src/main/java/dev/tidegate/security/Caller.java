package dev.tidegate.security;

import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.RequestScoped;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who is calling. */
@RequestScoped
public class Caller {

  /** The attribute of an identity that holds the id of the only subject that it is for. */
  static final String SUBJECT = "tidegate.subject";

  private final SecurityIdentity identity;

  Caller(SecurityIdentity identity) {
    this.identity = identity;
  }

  /** The id of the only subject that the caller may act for, or null when it may for any. */
  public @Nullable String boundTo() {
    return identity.getAttribute(SUBJECT);
  }

  /** Whether the caller may act on that subject at all; its roles are checked apart. */
  public boolean mayActOn(String subject) {
    String bound = boundTo();
    return bound == null ? !isViewerAlone() : bound.equals(subject);
  }

  /** The name of the caller's key, as it is configured, or what its token names. */
  public String name() {
    return identity.getPrincipal().getName();
  }

  /** The most powerful of the caller's roles. */
  public String role() {
    return Stream.of(Roles.ADMIN, Roles.OPERATOR, Roles.METER)
        .filter(identity::hasRole)
        .findFirst()
        .orElse(Roles.VIEWER);
  }

  /** Whether the caller may grant whatever the plan says of self-service. */
  public boolean isOperator() {
    return identity.hasRole(Roles.OPERATOR);
  }

  /** Whether the caller is the subject that its key is bound to, looking at a quota of its own. */
  public boolean isViewerOf(String subject) {
    return identity.hasRole(Roles.VIEWER) && subject.equals(boundTo());
  }

  /** Whether the caller sees no more than a person looking at a quota of its own. */
  public boolean isViewerAlone() {
    return !identity.hasRole(Roles.METER) && !identity.hasRole(Roles.OPERATOR);
  }
}
