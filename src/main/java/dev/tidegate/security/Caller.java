package dev.tidegate.security;

import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.RequestScoped;
import org.jspecify.annotations.Nullable;

/** Who is calling. */
@RequestScoped
public class Caller {

  private final SecurityIdentity identity;

  Caller(SecurityIdentity identity) {
    this.identity = identity;
  }

  /** The id of the only subject that the caller may act for, or null when it may for any. */
  public @Nullable String boundTo() {
    return identity.getAttribute(ApiKeys.SUBJECT);
  }

  /** Whether the caller may act on that subject at all; its roles are checked apart. */
  public boolean mayActOn(String subject) {
    String bound = boundTo();
    return bound == null ? !isViewerAlone() : bound.equals(subject);
  }

  /** Whether the caller sees no more than a person looking at a quota of its own. */
  public boolean isViewerAlone() {
    return !identity.hasRole(Roles.METER) && !identity.hasRole(Roles.OPERATOR);
  }
}
