package dev.tidegate.store;

/** The store did not answer as it should. */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** What went wrong, as far as a caller has to know. */
  public enum Kind {

    /** There is no way to the store now; the call was not handed over. */
    AWAY,

    /** The store, or the way to it, does not take the call now; nothing was done. */
    REFUSED,

    /** The call was handed over and got no answer in time; it may have been carried out. */
    UNANSWERED,

    /** The call was carried out, but not as many copies of it as are wanted were made in time. */
    UNCONFIRMED,

    /** A script failed, or answered with what cannot be read: a fault of ours. */
    FAULT
  }

  /** Makes one with a cause. */
  public StoreException(Kind kind, String message, Throwable cause) {
    super(message, cause, false, kind == Kind.FAULT);
    this.kind = kind;
  }

  /**
   * Makes one. A store that is away fails every call, so that only a {@link Kind#FAULT} has a stack
   * trace.
   */
  public StoreException(Kind kind, String message) {
    super(message, null, false, kind == Kind.FAULT);
    this.kind = kind;
  }

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }

  /** Whether the same call may succeed later. */
  public boolean isTransient() {
    return kind != Kind.FAULT;
  }
}
