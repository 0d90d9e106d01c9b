package dev.tidegate.security;

import dev.tidegate.config.TidegateSettings.JwtSettings;
import dev.tidegate.domain.Identifiers;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the claims of a verified token say of its caller. */
final class Claims {

  private static final String SPACES = " +";

  private final JwtSettings settings;

  /**
   * @throws IllegalArgumentException if a mapped role is none of ours; the message names the
   *     setting
   */
  Claims(JwtSettings settings) {
    this.settings = settings;
    settings
        .roles()
        .forEach(
            (foreign, ours) -> {
              if (!Roles.ALL.containsAll(ours)) {
                throw new IllegalArgumentException(
                    "tidegate.jwt.roles.\"" + foreign + "\" must be some of " + Roles.ALL);
              }
            });
  }

  /**
   * The caller of a token with these claims. One without a role may do nothing.
   *
   * @throws IllegalArgumentException if the name or the subject is no id
   */
  SecurityIdentity identityOf(Map<String, Object> claims) {
    String name = id(settings.nameClaim(), claims);
    if (name == null) {
      throw new IllegalArgumentException("the claim " + settings.nameClaim() + " is missing");
    }
    QuarkusSecurityIdentity.Builder identity =
        QuarkusSecurityIdentity.builder()
            .setPrincipal(new QuarkusPrincipal(name))
            .addRoles(Roles.held(roles(claims)));
    String subject = id(settings.subjectClaim(), claims);
    if (subject != null) {
      identity.addAttribute(Caller.SUBJECT, subject);
    }
    return identity.build();
  }

  /**
   * Where names are mapped only those count: an issuer's {@code admin} may be of something else.
   */
  private Set<String> roles(Map<String, Object> claims) {
    Set<String> roles = new LinkedHashSet<>();
    for (String named : texts(find(settings.rolesClaim(), claims))) {
      if (!settings.roles().isEmpty()) {
        roles.addAll(settings.roles().getOrDefault(named, Set.of()));
      } else if (Roles.ALL.contains(named)) {
        roles.add(named);
      }
    }
    return roles;
  }

  /** A claim that is an id, null when it is not there; a number is not taken for one. */
  private static @Nullable String id(String path, Map<String, Object> claims) {
    Object value = find(path, claims);
    if (value == null) {
      return null;
    }
    String fault = value instanceof String text ? Identifiers.faultOfId(text) : "must be a string";
    if (fault != null) {
      throw new IllegalArgumentException("the claim " + path + " " + fault);
    }
    return (String) value;
  }

  /** The claim of that very name, which may be a URL, else the one at the path of names. */
  private static @Nullable Object find(String path, Map<String, Object> claims) {
    Object value = claims.get(path);
    int slash = path.indexOf('/');
    if (value != null || slash < 0) {
      return value;
    }
    return claims.get(path.substring(0, slash)) instanceof Map<?, ?> inner
        ? find(path.substring(slash + 1), texted(inner))
        : null;
  }

  private static Map<String, Object> texted(Map<?, ?> object) {
    Map<String, Object> claims = new HashMap<>();
    object.forEach((name, value) -> claims.put(String.valueOf(name), value));
    return claims;
  }

  /** A list of texts, or a text with spaces between them as OAuth scopes have. */
  private static List<String> texts(@Nullable Object value) {
    return switch (value) {
      case String text -> List.of(text.strip().split(SPACES));
      case Collection<?> many ->
          many.stream().filter(String.class::isInstance).map(String.class::cast).toList();
      case null, default -> List.of();
    };
  }
}
