package dev.tidegate.security;

import dev.tidegate.config.TidegateSettings;
import io.quarkus.runtime.Startup;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.spi.runtime.BlockingSecurityExecutor;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Tokens: JWTs of one issuer, verified with its key set. There are none unless {@code
 * mp.jwt.verify.publickey.location} names the set, a file or an {@code http(s)} URL.
 *
 * <p>A URL is read on first use and again as {@code smallrye.jwt.jwks.*} say; as that waits for
 * another server, tokens are then verified on a worker. A file is read at the start and whenever it
 * has changed, and tokens are verified where they come in.
 */
@Startup
@Singleton
public class Tokens {

  private static final String LOCATION = "mp.jwt.verify.publickey.location";

  private final @Nullable Issuer issuer;
  private final BlockingSecurityExecutor workers;

  @Inject
  Tokens(
      TidegateSettings settings,
      @ConfigProperty(name = LOCATION) Optional<String> location,
      Instance<JWTAuthContextInfo> rules,
      BlockingSecurityExecutor workers) {
    this(
        location
            .map(
                where ->
                    new Issuer(where.strip(), new JWTAuthContextInfo(rules.get()), settings.jwt()))
            .orElse(null),
        workers);
  }

  Tokens(@Nullable Issuer issuer, BlockingSecurityExecutor workers) {
    this.issuer = issuer;
    this.workers = workers;
  }

  /** Whether tokens are configured. */
  boolean areAccepted() {
    return issuer != null;
  }

  /** Reads a key set in a file again; one at fault is refused, and the keys stay as they are. */
  void refresh() {
    if (issuer != null) {
      issuer.refresh();
    }
  }

  /** Whether a key set in a file, as it is now, is refused. */
  boolean isFileRefused() {
    return issuer != null && issuer.isFileRefused();
  }

  /** Whose token this is; fails with an {@link AuthenticationFailedException}. */
  Uni<SecurityIdentity> identityOf(String token) {
    if (issuer == null) {
      return Uni.createFrom().failure(new AuthenticationFailedException("no tokens are accepted"));
    }
    return issuer.isRemote()
        ? workers.executeBlocking(() -> issuer.identityOf(token))
        : Uni.createFrom().item(() -> issuer.identityOf(token));
  }
}
