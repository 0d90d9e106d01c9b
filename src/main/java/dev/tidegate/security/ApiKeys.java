package dev.tidegate.security;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.config.TidegateSettings.ApiKey;
import dev.tidegate.domain.Identifiers;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigUtils;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The static API keys. Only their SHA-256 is configured; a key is found by its digest, so that the
 * time a look-up takes tells nothing of any key.
 */
@Startup
@Singleton
public class ApiKeys {

  /** The attribute of an identity that holds the id of the only subject that it is for. */
  static final String SUBJECT = "tidegate.subject";

  private static final List<String> DEMO =
      List.of("demo-meter", "demo-viewer", "demo-operator", "demo-admin");
  private static final Set<String> ROLES =
      Set.of(Roles.METER, Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN);

  private static final Logger LOG = Logger.getLogger(ApiKeys.class);

  private final Map<String, SecurityIdentity> byDigest = new HashMap<>();

  @Inject
  ApiKeys(TidegateSettings settings) {
    this(settings.apiKeys(), ConfigUtils.isProfileActive("prod"));
  }

  /**
   * The keys as they are configured, by name.
   *
   * @param prod whether the prod profile is active, which refuses the well-known demo keys
   * @throws IllegalArgumentException if a key is at fault; the message names the setting
   * @throws IllegalStateException if a demo key is configured in the prod profile
   */
  ApiKeys(Map<String, ApiKey> keys, boolean prod) {
    keys.forEach(this::add);
    if (byDigest.isEmpty()) {
      LOG.warn("no tidegate.api-keys are configured: nobody can call this service");
    }
    if (prod && DEMO.stream().anyMatch(key -> identityOf(key) != null)) {
      throw new IllegalStateException("tidegate.api-keys: the prod profile refuses the demo keys");
    }
  }

  private void add(String name, ApiKey key) {
    String setting = "tidegate.api-keys." + name;
    String digest = key.sha256().toLowerCase(Locale.ROOT);
    if (!digest.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException(setting + ".sha256 must be 64 hexadecimal digits");
    }
    if (key.roles().isEmpty() || !ROLES.containsAll(key.roles())) {
      throw new IllegalArgumentException(setting + ".roles must be some of " + ROLES);
    }
    QuarkusSecurityIdentity.Builder identity =
        QuarkusSecurityIdentity.builder()
            .setPrincipal(new QuarkusPrincipal(name))
            .addRoles(key.roles().contains(Roles.ADMIN) ? ROLES : key.roles());
    key.subject()
        .ifPresent(
            subject -> {
              String fault = Identifiers.faultOfId(subject);
              if (fault != null) {
                throw new IllegalArgumentException(setting + ".subject " + fault);
              }
              identity.addAttribute(SUBJECT, subject);
            });
    if (byDigest.put(digest, identity.build()) != null) {
      throw new IllegalArgumentException(setting + ".sha256 is that of another key, too");
    }
  }

  /** Whose key this is, or null when it is nobody's. */
  @Nullable SecurityIdentity identityOf(String key) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha256.digest(key.getBytes(StandardCharsets.UTF_8));
      return byDigest.get(HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
