package dev.tidegate.http;

/**
 * Carries a problem to the problem mapper. It has no stack trace: a refusal is no fault of ours.
 */
final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  ProblemException(Problem problem) {
    super(null, null, false, false);
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }
}
