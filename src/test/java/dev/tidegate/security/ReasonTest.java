package dev.tidegate.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.dev.TestIssuer;
import java.util.List;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
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
  void ofClaimsThatAreRefusedOnlyTheReasonIsTold() {
    TestIssuer issuer = TestIssuer.create();
    TestIssuer.Token token = issuer.token("anna", "meter").with("email", "anna@example.com");
    String refusable = token.with("iss", "https://other.test").with("exp", null).text();
    JwtConsumer consumer =
        new JwtConsumerBuilder()
            .setExpectedIssuer(TestIssuer.NAME)
            .setSkipDefaultAudienceValidation()
            .setRequireExpirationTime()
            .setVerificationKey(issuer.publicKey())
            .build();
    InvalidJwtException refused =
        assertThrows(InvalidJwtException.class, () -> consumer.processToClaims(refusable));
    assertTrue(refused.toString().contains("anna@example.com"), refused::toString);
    String reason = Reason.of(new IllegalStateException("no", refused), List.of());
    assertFalse(reason.contains("anna"), reason);
    assertTrue(reason.startsWith("IllegalStateException: no; InvalidJwtException: "), reason);
    assertTrue(reason.contains("Issuer (iss) claim value (https://other.test)"), reason);
    assertTrue(reason.contains("No Expiration Time (exp) claim present"), reason);
  }

  @Test
  void aShortSecretIsMaskedAsAWholeOnly() {
    RuntimeException refused = new IllegalStateException("https://a:b@c.d is away");
    assertEquals(
        "IllegalStateException: https://***@c.d is away", Reason.of(refused, List.of("a:b", "")));
  }
}
