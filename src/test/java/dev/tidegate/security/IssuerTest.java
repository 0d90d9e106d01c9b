package dev.tidegate.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.tidegate.config.TidegateSettings.JwtSettings;
import dev.tidegate.dev.LogLines;
import dev.tidegate.dev.TestIssuer;
import dev.tidegate.document.WatchedFile;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IssuerTest {

  private record Settings(
      String rolesClaim, Map<String, Set<String>> roles, String subjectClaim, String nameClaim)
      implements JwtSettings {}

  private static final Settings DEFAULTS =
      new Settings("groups", Map.of(), "tidegate_subject", "sub");

  private static JWTAuthContextInfo rules() {
    JWTAuthContextInfo rules = new JWTAuthContextInfo();
    rules.setIssuedBy(TestIssuer.NAME);
    rules.setExpectedAudience(Set.of(TestIssuer.AUDIENCE));
    rules.setSignatureAlgorithm(Set.of(SignatureAlgorithm.RS256, SignatureAlgorithm.ES256));
    rules.setJwksRefreshInterval(5);
    rules.setForcedJwksRefreshInterval(1);
    rules.setJwksRetainCacheOnErrorDuration(60);
    return rules;
  }

  @TempDir Path folder = Path.of("");
  private final TestIssuer first = TestIssuer.create();

  private Path file() {
    return folder.resolve("keys.jwks");
  }

  @BeforeEach
  void publishes() {
    first.publish(file());
  }

  private Issuer issuer(JwtSettings settings) {
    return new Issuer(file().toString(), rules(), settings);
  }

  private static boolean takes(Issuer issuer, String token) {
    try {
      issuer.identityOf(token);
      return true;
    } catch (AuthenticationFailedException refused) {
      return false;
    }
  }

  private static String messageOf(Throwable thrown) {
    return String.valueOf(thrown.getMessage());
  }

  @Test
  void whoCallsIsWhatTheClaimsSay() {
    SecurityIdentity caller =
        issuer(DEFAULTS)
            .identityOf(
                first.token("u-7", "viewer", "root").with("tidegate_subject", "team").text());

    assertEquals("u-7", caller.getPrincipal().getName());
    assertEquals(Set.of("viewer"), caller.getRoles());
    assertEquals("team", caller.getAttribute(Caller.SUBJECT));
  }

  @Test
  void aTokenWithoutASubjectIsBoundToNone() {
    SecurityIdentity caller = issuer(DEFAULTS).identityOf(first.token("gw", "admin").text());

    assertNull(caller.getAttribute(Caller.SUBJECT));
    assertEquals(Set.of("meter", "viewer", "operator", "admin"), caller.getRoles());
  }

  @Test
  void claimsAreFoundByNameOrPath() {
    Settings paths =
        new Settings("realm_access/roles", Map.of(), "https://example.com/subject", "azp");
    SecurityIdentity caller =
        issuer(paths)
            .identityOf(
                first
                    .token("x", "admin")
                    .with("realm_access", Map.of("roles", List.of("operator")))
                    .with("https://example.com/subject", "acme")
                    .with("azp", "console")
                    .text());

    assertEquals(Set.of("operator"), caller.getRoles());
    assertEquals("acme", caller.getAttribute(Caller.SUBJECT));
    assertEquals("console", caller.getPrincipal().getName());
  }

  @Test
  void rolesMayBeATextWithSpaces() {
    Settings scopes = new Settings("scope", Map.of(), "tidegate_subject", "sub");
    SecurityIdentity caller =
        issuer(scopes).identityOf(first.token("x").with("scope", "openid meter  viewer").text());

    assertEquals(Set.of("meter", "viewer"), caller.getRoles());
  }

  @Test
  void whereNamesAreMappedOnlyThoseCount() {
    Map<String, Set<String>> names =
        Map.of("quota-team", Set.of("operator", "meter"), "apps", Set.of("meter"));
    Issuer mapped = issuer(new Settings("groups", names, "tidegate_subject", "sub"));

    assertEquals(
        Set.of("operator", "meter"),
        mapped.identityOf(first.token("x", "quota-team", "admin").text()).getRoles());
    assertEquals(Set.of(), mapped.identityOf(first.token("x", "admin").text()).getRoles());
  }

  @Test
  void aMappedRoleIsOneOfOurs() {
    Settings wrong =
        new Settings("groups", Map.of("team", Set.of("root")), "tidegate_subject", "sub");
    String told = messageOf(assertThrows(IllegalArgumentException.class, () -> issuer(wrong)));
    assertTrue(told.startsWith("tidegate.jwt.roles.\"team\" must be"), told);
  }

  @Test
  void issuerAndAudienceMustBeTold() {
    JWTAuthContextInfo anyone = rules();
    anyone.setIssuedBy(null);
    JWTAuthContextInfo anything = rules();
    anything.setExpectedAudience(null);
    for (JWTAuthContextInfo open : List.of(anyone, anything)) {
      assertThrows(
          IllegalArgumentException.class, () -> new Issuer(file().toString(), open, DEFAULTS));
    }
  }

  // Rotation of a key set in a file.

  @Test
  void aChangedFileReplacesTheKeysWithoutARestart() {
    Issuer issuer = issuer(DEFAULTS);
    TestIssuer next = TestIssuer.create();
    String old = first.token("a", "meter").text();
    assertTrue(takes(issuer, old));

    next.publish(file());
    issuer.refresh();

    assertTrue(takes(issuer, next.token("a", "meter").text()));
    assertFalse(takes(issuer, old));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "{\"keys\":[]}", "{\"keys\":[{\"kty\":\"RSA\"}]}", "keys"})
  void aChangedFileThatIsNoKeySetIsRefused(String content) throws IOException {
    Issuer issuer = issuer(DEFAULTS);
    try (LogLines log = new LogLines(WatchedFile.class)) {
      Files.writeString(file(), content);
      issuer.refresh();
      issuer.refresh();
      assertEquals(1, log.lines().size(), () -> "" + log.lines());
    }
    assertTrue(takes(issuer, first.token("a", "meter").text()));
  }

  @Test
  void aServiceDoesNotStartOnAFileAtFault() throws IOException {
    Files.writeString(file(), "{}");
    String told = messageOf(assertThrows(IllegalArgumentException.class, () -> issuer(DEFAULTS)));
    assertTrue(told.contains(file().toString()), told);
    Files.delete(file());
    assertThrows(IllegalArgumentException.class, () -> issuer(DEFAULTS));
  }

  // A key set at a URL.

  /** Serves a key set; null = the server fails. */
  private static final class KeySetServer implements AutoCloseable {

    private final AtomicReference<@Nullable String> keySet = new AtomicReference<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final HttpServer server;

    KeySetServer() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/keys",
          exchange -> {
            asked.incrementAndGet();
            String body = keySet.get();
            byte[] bytes = (body == null ? "away" : body).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(body == null ? 503 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
          });
      server.start();
    }

    Issuer issuer(JWTAuthContextInfo rules) {
      return new Issuer(
          "http://127.0.0.1:" + server.getAddress().getPort() + "/keys", rules, DEFAULTS);
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  @Test
  void aKeyOfTheUrlThatIsNotKnownYetIsAskedForAtOnce() throws IOException {
    TestIssuer next = TestIssuer.create().renamed("-2");
    try (KeySetServer server = new KeySetServer()) {
      server.keySet.set(first.keySet());
      JWTAuthContextInfo rules = rules();
      rules.setForcedJwksRefreshInterval(0);
      Issuer issuer = server.issuer(rules);
      assertTrue(issuer.isRemote());
      assertEquals(0, server.asked.get());
      assertTrue(takes(issuer, first.token("a", "meter").text()));

      server.keySet.set(next.keySet());
      String token = next.token("a", "meter").text();
      // The library asks no server again within 300 ms.
      assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () -> {
            while (!takes(issuer, token)) {
              Thread.onSpinWait();
            }
          });
      assertFalse(takes(issuer, first.token("a", "meter").text()));
    }
  }

  @Test
  void manyTokensOfUnknownKeysAskTheServerAtMostOnceAMinute() throws IOException {
    try (KeySetServer server = new KeySetServer()) {
      server.keySet.set(first.keySet());
      Issuer issuer = server.issuer(rules());
      assertTrue(takes(issuer, first.token("a", "meter").text()));
      int before = server.asked.get();
      TestIssuer stranger = TestIssuer.create().renamed("-x");
      for (int n = 0; n < 20; n++) {
        assertFalse(takes(issuer, stranger.token("a", "meter").text()));
      }
      int asked = server.asked.get() - before;
      assertTrue(asked <= 1, "" + asked);
    }
  }

  @Test
  void aServerThatIsAwayAtFirstIsAskedAgain() throws IOException {
    try (KeySetServer server = new KeySetServer()) {
      Issuer issuer = server.issuer(rules());
      assertFalse(takes(issuer, first.token("a", "meter").text()));
      server.keySet.set(first.keySet());
      assertTrue(takes(issuer, first.token("a", "meter").text()));
    }
  }
}
