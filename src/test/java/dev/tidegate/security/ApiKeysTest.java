package dev.tidegate.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.config.TidegateSettings.ApiKey;
import io.quarkus.security.identity.SecurityIdentity;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ApiKeysTest {

  private record Key(String sha256, Set<String> roles, Optional<String> subject)
      implements ApiKey {}

  private static Key key(String secret, @Nullable String subject, String... roles) {
    return new Key(sha256(secret), Set.of(roles), Optional.ofNullable(subject));
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aKeyIsFoundByItsDigestAndHasItsRolesAlone() {
    ApiKeys keys = new ApiKeys(Map.of("gateway", key("s3cret", null, "meter")), true);

    SecurityIdentity identity = Objects.requireNonNull(keys.identityOf("s3cret"));

    assertEquals(Set.of("meter"), identity.getRoles());
    assertEquals("gateway", identity.getPrincipal().getName());
    assertNull(keys.identityOf("s3cret "));
    assertNull(keys.identityOf(sha256("s3cret")));
  }

  @Test
  void anAdminHasTheOtherRolesToo() {
    ApiKeys keys = new ApiKeys(Map.of("root", key("s3cret", null, "admin")), true);

    SecurityIdentity identity = Objects.requireNonNull(keys.identityOf("s3cret"));

    assertEquals(Set.of("meter", "viewer", "operator", "admin"), identity.getRoles());
  }

  @Test
  void theProdProfileRefusesTheDemoKeys() {
    for (String demo : Set.of("demo-meter", "demo-viewer", "demo-operator", "demo-admin")) {
      Map<String, ApiKey> keys = Map.of("mine", key(demo, null, "meter"));
      assertThrows(IllegalStateException.class, () -> new ApiKeys(keys, true), demo);
      assertNotNull(new ApiKeys(keys, false).identityOf(demo));
    }
  }

  private static void assertRefused(String setting, ApiKey key) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new ApiKeys(Map.of("mine", key), false));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.startsWith("tidegate.api-keys.mine." + setting + " "), message);
  }

  @Test
  void aSettingAtFaultIsNamed() {
    assertRefused("sha256", new Key("abc", Set.of("meter"), Optional.empty()));
    assertRefused("roles", key("s3cret", null));
    assertRefused("roles", key("s3cret", null, "root"));
    assertRefused("subject", key("s3cret", "", "viewer"));
    assertRefused("subject", key("s3cret", "me", "viewer"));
  }

  @Test
  void oneSecretIsNotTwoKeys() {
    Map<String, ApiKey> twice =
        Map.of("one", key("s3cret", null, "meter"), "two", key("s3cret", null, "admin"));

    assertThrows(IllegalArgumentException.class, () -> new ApiKeys(twice, false));
  }
}
