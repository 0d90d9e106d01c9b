package dev.tidegate.store.redis;

import io.vertx.redis.client.impl.types.ErrorType;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the errors that Redis answers with say of a call. */
final class RedisError {

  /** The node, or the state it is in now, did not run the call; another moment may be better. */
  private static final Set<String> DID_NOT_RUN =
      Set.of(
          "MOVED",
          "ASK",
          "TRYAGAIN",
          "CLUSTERDOWN",
          "LOADING",
          "MASTERDOWN",
          "READONLY",
          "BUSY",
          "NOSCRIPT");

  /**
   * Redis takes no writes. It says so at the first write of a script, before anything is written;
   * it will hardly be otherwise within a deadline.
   */
  private static final Set<String> TAKES_NO_WRITES = Set.of("OOM", "MISCONF", "NOREPLICAS");

  /** What is told of an error that is not among {@link #CODES}. */
  static final String OTHER = "other";

  /** The codes that errors are counted by. */
  static final Set<String> CODES =
      Stream.of(DID_NOT_RUN, TAKES_NO_WRITES, Set.of("NOAUTH", "NOPERM", "ERR", OTHER))
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  private RedisError() {}

  /** Which of {@link #CODES} an error is of. */
  static String codeOf(ErrorType error) {
    String code = code(error);
    return CODES.contains(code) ? code : OTHER;
  }

  /** Whether Redis does not know the script. */
  static boolean isUnknownScript(ErrorType error) {
    return error.is("NOSCRIPT");
  }

  /** Whether the call did not run, so that it may be sent again. */
  static boolean isNotRun(ErrorType error) {
    return DID_NOT_RUN.contains(code(error)) || isOfReplica(error);
  }

  /** Whether nothing was done and the same call may succeed later. */
  static boolean isTransient(ErrorType error) {
    return isNotRun(error) || TAKES_NO_WRITES.contains(code(error)) || !isRaisedByScript(error);
  }

  /** Whether the node is a replica: a script may say so at its first write. */
  static boolean isOfReplica(ErrorType error) {
    return code(error).equals("READONLY");
  }

  private static boolean isRaisedByScript(ErrorType error) {
    String message = String.valueOf(error.getMessage());
    return message.contains("user_script") || message.contains("ARGUMENT");
  }

  /**
   * The first word of an error; of one that a command in a script met, that of the command, which
   * 6.2 quotes behind a hyphen at the end of a text of its own.
   */
  private static String code(ErrorType error) {
    String message = String.valueOf(error.getMessage());
    int quoted = message.indexOf(": -");
    String own = quoted < 0 ? message : message.substring(quoted + 3);
    int end = own.indexOf(' ');
    return end < 0 ? own : own.substring(0, end);
  }
}
