package dev.tidegate.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of a failure without what is secret. */
class ReasonTest {

  @Test
  void aQuotedTokenIsMaskedWholeAndInParts() {
    String token = "header01.payload1.signature";
    RuntimeException cause = new IllegalStateException("signature of payload1 is bad");
    RuntimeException refused = new IllegalArgumentException("cannot read " + token, cause);
    assertEquals(
        "IllegalArgumentException: cannot read ***; IllegalStateException: *** of *** is bad",
        Reason.of(refused, List.of(token)));
  }

  @Test
  void aShortSecretIsMaskedAsAWholeOnly() {
    RuntimeException refused = new IllegalStateException("https://a:b@c.d is away");
    assertEquals(
        "IllegalStateException: https://***@c.d is away", Reason.of(refused, List.of("a:b", "")));
  }
}
