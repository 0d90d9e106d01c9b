package dev.tidegate.bench.replay;

/** What the person at the keyboard must be told before anything else can happen. */
public final class ReplayException extends Exception {

  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private ReplayException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Something outside of the command line is wrong. */
  static ReplayException failed(String message) {
    return new ReplayException(FAILED, message);
  }

  /** The command line is wrong. */
  static ReplayException misused(String message) {
    return new ReplayException(MISUSED, message + "\nSee ./tidegate replay --help.");
  }

  /** The code that the process ends with. */
  int exitCode() {
    return exitCode;
  }
}
