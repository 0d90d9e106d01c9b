package dev.tidegate.store;

/** The store did not answer as it should. */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean transientFault;

  /**
   * @param transientFault whether the same call may succeed later: the store is away, slow or busy
   */
  public StoreException(String message, Throwable cause, boolean transientFault) {
    super(message, cause);
    this.transientFault = transientFault;
  }

  public StoreException(String message, boolean transientFault) {
    super(message);
    this.transientFault = transientFault;
  }

  /** Whether the same call may succeed later. */
  public boolean isTransient() {
    return transientFault;
  }
}
