package dev.tidegate.security;

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

  private Roles() {}
}
