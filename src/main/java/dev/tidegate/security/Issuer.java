package dev.tidegate.security;

import dev.tidegate.config.TidegateSettings.JwtSettings;
import dev.tidegate.document.WatchedFile;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.jwt.KeyFormat;
import io.smallrye.jwt.auth.principal.DefaultJWTTokenParser;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.ParseException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jboss.logging.Logger;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/** An issuer of tokens, with its key set of the moment. */
final class Issuer {

  private static final Logger LOG = Logger.getLogger(Issuer.class);

  /** A key set has a few keys of a few hundred bytes. */
  private static final int MAX_KEY_SET_BYTES = 1 << 20;

  private final Claims claims;
  private final @Nullable WatchedFile file;
  private final JWTAuthContextInfo rules;

  /** The user of a URL, with its password; empty = there is none. */
  private final String user;

  private volatile Verifier verifier;

  /** The rules with one version of the key set; a parser keeps the keys of its first token. */
  private record Verifier(JWTAuthContextInfo rules, DefaultJWTTokenParser parser) {}

  /**
   * @param location the key set: a file, or an {@code http(s)} URL
   * @param rules what a token has to be like, apart from the key set
   * @throws IllegalArgumentException if issuer or audience are not told, or the file is at fault
   */
  Issuer(String location, JWTAuthContextInfo rules, JwtSettings settings) {
    require(rules.getIssuedBy(), "mp.jwt.verify.issuer");
    require(rules.getExpectedAudience(), "mp.jwt.verify.audiences");
    this.rules = rules;
    this.claims = new Claims(settings);
    this.user =
        isUrl(location)
            ? Objects.requireNonNullElse(URI.create(location).getRawUserInfo(), "")
            : "";
    this.file =
        isUrl(location)
            ? null
            : new WatchedFile("the key set", pathOf(location), MAX_KEY_SET_BYTES);
    this.verifier = file == null ? verifier(null, location) : file.readFirst(this::verifierWith);
  }

  /** A token of anybody, or for anybody, is no proof of who is calling. */
  private static void require(@Nullable Object setting, String name) {
    if (setting == null) {
      throw new IllegalArgumentException(name + " must be set where tokens are accepted");
    }
  }

  private static boolean isUrl(String location) {
    return location.startsWith("http://") || location.startsWith("https://");
  }

  private static Path pathOf(String location) {
    return Path.of(location.startsWith("file:") ? location.substring("file:".length()) : location);
  }

  private Verifier verifierWith(byte[] content) {
    String text = new String(content, StandardCharsets.UTF_8);
    try {
      if (new JsonWebKeySet(text).getJsonWebKeys().isEmpty()) {
        throw new IllegalArgumentException("it has no key that can be used");
      }
    } catch (JoseException notKeySet) {
      throw new IllegalArgumentException("it is no JSON Web Key Set", notKeySet);
    }
    return verifier(text, null);
  }

  private Verifier verifier(@Nullable String content, @Nullable String location) {
    JWTAuthContextInfo whole = new JWTAuthContextInfo(rules);
    whole.setPublicKeyContent(content);
    whole.setPublicKeyLocation(location);
    whole.setKeyFormat(KeyFormat.JWK);
    return new Verifier(whole, new DefaultJWTTokenParser());
  }

  /** Whether verifying a token may wait for another server. */
  boolean isRemote() {
    return file == null;
  }

  /** Reads the file of the key set again, if it is one. */
  void refresh() {
    Verifier changed = file == null ? null : file.readChanged(this::verifierWith);
    if (changed != null) {
      verifier = changed;
      LOG.info("tokens are now verified with the changed key set");
    }
  }

  /** Whether the file of the key set, as it is now, is refused. */
  boolean isFileRefused() {
    return file != null && file.isRefused();
  }

  /**
   * Whose token this is.
   *
   * @throws AuthenticationFailedException if it is not one of this issuer for this service, now
   */
  SecurityIdentity identityOf(String token) {
    Verifier current = verifier;
    try {
      return claims.identityOf(
          current.parser().parse(token, current.rules()).getJwtClaims().getClaimsMap());
    } catch (ParseException | RuntimeException refused) {
      // Claims of another shape than the parser expects end in any exception: they are no proof.
      LOG.debugf("a token is refused: %s", Reason.of(refused, List.of(token, user)));
      throw new AuthenticationFailedException("the token is refused");
    }
  }
}
