package dev.tidegate.security;

import java.util.Collection;
import java.util.Set;

/** The roles of callers. */
public final class Roles {

  /** Reserves, settles and charges; reads quotas. */
  public static final String METER = "meter";

  /** Reads the quota of the subject that the key is bound to. */
  public static final String VIEWER = "viewer";

  /** Reads every quota; tops up and resets. */
  public static final String OPERATOR = "operator";

  /** Configures plans and subjects; has the other roles, too. */
  public static final String ADMIN = "admin";

  /** Every role. */
  static final Set<String> ALL = Set.of(METER, VIEWER, OPERATOR, ADMIN);

  private Roles() {}

  /** What a caller with these roles may be, an admin being all of it. */
  static Set<String> held(Collection<String> roles) {
    return roles.contains(ADMIN) ? ALL : Set.copyOf(roles);
  }
}
