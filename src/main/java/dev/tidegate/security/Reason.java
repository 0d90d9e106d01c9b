package dev.tidegate.security;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jose4j.jwt.consumer.ErrorCodeValidator;
import org.jose4j.jwt.consumer.InvalidJwtException;

/**
 * Why something was refused, in words for the log. Libraries quote what they could not read, so
 * that their exceptions are never logged as they are.
 */
final class Reason {

  /** As many causes as an exception has with any sense. */
  private static final int MAX_CAUSES = 8;

  private static final String MASK = "***";

  /** What is shorter says nothing, and would be found in ordinary words. */
  private static final int SHORTEST_PART = 8;

  private Reason() {}

  /**
   * The messages of an exception and its causes, with every secret masked.
   *
   * @param secrets texts that must not be told; of a token its parts are, too
   */
  static String of(Throwable refused, List<String> secrets) {
    String messages =
        Stream.iterate(refused, cause -> cause != null, Throwable::getCause)
            .limit(MAX_CAUSES)
            .map(cause -> cause.getClass().getSimpleName() + ": " + messageOf(cause))
            .collect(Collectors.joining("; "));
    for (String secret : secrets) {
      for (String part : parts(secret)) {
        messages = messages.replace(part, MASK);
      }
    }
    return messages;
  }

  /** Of claims that are refused each reason alone: the message has all claims of the token. */
  private static String messageOf(Throwable cause) {
    return cause instanceof InvalidJwtException claims
        ? claims.getErrorDetails().stream()
            .map(ErrorCodeValidator.Error::getErrorMessage)
            .collect(Collectors.joining(", "))
        : String.valueOf(cause.getMessage());
  }

  private static List<String> parts(String secret) {
    return Stream.concat(
            Stream.of(secret).filter(whole -> !whole.isEmpty()),
            Arrays.stream(secret.split("\\.", -1)).filter(part -> part.length() >= SHORTEST_PART))
        .toList();
  }
}
