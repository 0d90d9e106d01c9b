package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tidegate.dev.TestIssuer;
import dev.tidegate.dev.TestIssuer.Token;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jose4j.keys.HmacKey;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Callers that come with a token of the issuer. */
@QuarkusTest
class TokensTest extends HttpSuite {

  private static final TestIssuer ISSUER = TestIssuer.shared();

  private static long now() {
    return System.currentTimeMillis() / 1000;
  }

  private static Token meter() {
    return ISSUER.token("gateway-7", "meter");
  }

  /** What is wrong with a token that is good but for one thing. */
  private static Map<String, String> refused() {
    Token good = meter();
    String signed = good.text();
    String unsigned = good.signed("none", null, null).text();
    return Map.ofEntries(
        Map.entry("another issuer", good.with("iss", "https://issuer.test/").text()),
        Map.entry("no issuer", good.with("iss", null).text()),
        Map.entry("another audience", good.with("aud", "another").text()),
        Map.entry("no audience", good.with("aud", null).text()),
        Map.entry("expired", good.with("exp", now() - 61).with("iat", now() - 600).text()),
        Map.entry("without an end", good.with("exp", null).text()),
        Map.entry("not yet valid", good.with("nbf", now() + 120).text()),
        Map.entry("ends before it begins", good.with("iat", now() + 1000).text()),
        Map.entry("the algorithm none", unsigned),
        Map.entry("the algorithm none with a signature", unsigned + signed.split("\\.", -1)[2]),
        Map.entry(
            "HS256 with the public key as the secret",
            good.signed("HS256", new HmacKey(ISSUER.publicKey().getEncoded()), "rsa").text()),
        Map.entry(
            "HS256 with the key set as the secret",
            good.signed(
                    "HS256", new HmacKey(ISSUER.keySet().getBytes(StandardCharsets.UTF_8)), "rsa")
                .text()),
        Map.entry(
            "a key that is not known", TestIssuer.create().token("gateway-7", "meter").text()),
        Map.entry("another id of the key", good.signed(good.algorithm(), good.key(), "x").text()),
        Map.entry(
            "no id of the key among two", good.signed(good.algorithm(), good.key(), null).text()),
        Map.entry(
            "the id of the other key", good.signed(good.algorithm(), good.key(), "ec").text()),
        Map.entry("a signature that is cut", signed.substring(0, signed.length() - 8)),
        Map.entry("no signature", signed.substring(0, signed.lastIndexOf('.') + 1)),
        Map.entry("other claims than were signed", swapped(signed)),
        Map.entry("no name", good.with("sub", null).with("upn", "somebody").text()),
        Map.entry("a name that is none", good.with("sub", "a\nb").text()),
        Map.entry("a subject that is none", good.with("tidegate_subject", "..").text()),
        Map.entry("a subject that is a number", good.with("tidegate_subject", 7).text()),
        Map.entry("two dots and nothing else", ".."),
        Map.entry("texts between dots", "a.b.c"));
  }

  private static String swapped(String token) {
    String[] parts = token.split("\\.", -1);
    return parts[0]
        + "."
        + ISSUER.token("root", "admin").text().split("\\.", -1)[1]
        + "."
        + parts[2];
  }

  @TestFactory
  Stream<DynamicTest> aTokenIsRefusedFor() {
    return refused().entrySet().stream()
        .map(
            token ->
                DynamicTest.dynamicTest(
                    token.getKey(),
                    () -> {
                      Response answer = as(token.getValue()).get("/v1/quota/demo/api");
                      assertProblem(401, "unauthenticated", answer);
                      assertEquals("Bearer", answer.header("WWW-Authenticate"));
                      assertFalse(answer.asString().contains("issuer"), answer::asString);
                    }));
  }

  @Test
  void aTokenIsTakenWithAnyKeyOfTheSet() {
    String subject = subjectWith(10);
    assertStatus(200, as(meter().text()).get(quotaPath(subject)));
    assertStatus(200, as(ISSUER.withEc(meter()).text()).get(quotaPath(subject)));
  }

  @Test
  void aTokenForSeveralServicesIsTaken() {
    String subject = subjectWith(10);
    Token token = meter().with("aud", List.of("another", TestIssuer.AUDIENCE));
    assertStatus(200, as(token.text()).get(quotaPath(subject)));
  }

  @Test
  void claimsOfAnyShapeAreAtWorstRefused() {
    for (Object odd : List.of(1, true, List.of(List.of()), Map.of("a", 1), "")) {
      for (String claim : List.of("groups", "upn", "jti", "roles_mapping", "preferred_username")) {
        int status = as(meter().with(claim, odd).text()).get("/v1/quota/none/api").statusCode();
        assertFalse(status >= 500, claim + " " + odd + " " + status);
      }
      for (String claim : List.of("iss", "aud", "sub", "exp", "iat", "nbf", "tidegate_subject")) {
        Response answer = as(meter().with(claim, odd).text()).get("/v1/quota/none/api");
        assertFalse(answer.statusCode() >= 500, claim + " " + odd + " " + answer.statusCode());
      }
    }
  }

  @Test
  void meIsTheSubjectThatTheTokenIsFor() {
    String subject = subjectWith(10);
    String token = ISSUER.token("u-1", "viewer").with("tidegate_subject", subject).text();
    Response answer = as(token).get("/v1/quota/me/api");
    assertStatus(200, answer);
    assertEquals(subject, answer.jsonPath().getString("subject"));
  }

  @Test
  void aGrantNamesTheCallerOfTheToken() {
    String subject = subjectWith(10);
    String body = "{'mode':'purchase','amounts':{'all':5}}";
    String token = ISSUER.token("ops@example.com", "operator").text();
    assertStatus(200, send(token, "POST", quotaPath(subject) + "/topup", body));
    var audit = audit(subject, "").jsonPath();
    assertEquals("ops@example.com", audit.getString("events[0].by"));
    assertEquals("operator", audit.getString("events[0].role"));
  }
}
