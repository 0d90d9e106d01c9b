package dev.tidegate.security;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/**
 * Tells callers by {@code Authorization: Bearer <text>}. The text is a token, a JWT, if tokens are
 * configured and it has exactly two dots; anything else is an API key.
 */
@ApplicationScoped
class BearerMechanism implements HttpAuthenticationMechanism {

  private static final String SCHEME = "Bearer ";

  private final ApiKeys keys;
  private final Tokens tokens;

  BearerMechanism(ApiKeys keys, Tokens tokens) {
    this.keys = keys;
    this.tokens = tokens;
  }

  @Override
  public Uni<SecurityIdentity> authenticate(
      RoutingContext context, IdentityProviderManager identityProviderManager) {
    String header = context.request().getHeader(HttpHeaders.AUTHORIZATION);
    if (header == null) {
      return Uni.createFrom().nullItem();
    }
    if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Uni.createFrom().failure(new AuthenticationFailedException("not a bearer"));
    }
    String bearer = header.substring(SCHEME.length()).strip();
    return tokens.areAccepted() && isToken(bearer)
        ? tokens.identityOf(bearer)
        : ofKey(keys.identityOf(bearer));
  }

  private static Uni<SecurityIdentity> ofKey(@Nullable SecurityIdentity identity) {
    return identity == null
        ? Uni.createFrom().failure(new AuthenticationFailedException("unknown API key"))
        : Uni.createFrom().item(identity);
  }

  /** Whether a text has exactly two dots. */
  static boolean isToken(String bearer) {
    int first = bearer.indexOf('.');
    int last = bearer.lastIndexOf('.');
    return first < last && bearer.indexOf('.', first + 1) == last;
  }

  @Override
  public Uni<ChallengeData> getChallenge(RoutingContext context) {
    return Uni.createFrom()
        .item(
            new ChallengeData(
                HttpResponseStatus.UNAUTHORIZED.code(),
                HttpHeaderNames.WWW_AUTHENTICATE,
                "Bearer"));
  }
}
