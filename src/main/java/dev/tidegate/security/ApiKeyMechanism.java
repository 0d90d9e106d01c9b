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

/** Tells callers by the API key in {@code Authorization: Bearer <key>}. */
@ApplicationScoped
class ApiKeyMechanism implements HttpAuthenticationMechanism {

  private static final String SCHEME = "Bearer ";

  private final ApiKeys keys;

  ApiKeyMechanism(ApiKeys keys) {
    this.keys = keys;
  }

  @Override
  public Uni<SecurityIdentity> authenticate(
      RoutingContext context, IdentityProviderManager identityProviderManager) {
    String header = context.request().getHeader(HttpHeaders.AUTHORIZATION);
    if (header == null) {
      return Uni.createFrom().nullItem();
    }
    SecurityIdentity identity =
        header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
            ? keys.identityOf(header.substring(SCHEME.length()).strip())
            : null;
    return identity == null
        ? Uni.createFrom().failure(new AuthenticationFailedException("unknown API key"))
        : Uni.createFrom().item(identity);
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
