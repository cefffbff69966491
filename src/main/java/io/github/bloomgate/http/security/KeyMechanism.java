package io.github.bloomgate.http.security;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.credential.TokenCredential;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.security.identity.request.TokenAuthenticationRequest;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Set;

/** Passes the token of a request to the check of keys. */
@Singleton
class KeyMechanism implements HttpAuthenticationMechanism {

  private static final String SCHEME = "bearer";

  @Override
  public Uni<SecurityIdentity> authenticate(
      RoutingContext context, IdentityProviderManager identities) {
    var header = context.request().getHeader(HttpHeaders.AUTHORIZATION);
    if (header == null) {
      return Uni.createFrom().nullItem();
    }
    return Credentials.token(header)
        .map(
            token ->
                identities.authenticate(
                    new TokenAuthenticationRequest(new TokenCredential(token, SCHEME))))
        .orElseGet(() -> Uni.createFrom().failure(new AuthenticationFailedException()));
  }

  @Override
  public Uni<ChallengeData> getChallenge(RoutingContext context) {
    return Uni.createFrom()
        .item(
            new ChallengeData(
                HttpResponseStatus.UNAUTHORIZED.code(), Challenge.HEADER, Challenge.BEARER));
  }

  @Override
  public Set<Class<? extends AuthenticationRequest>> getCredentialTypes() {
    return Set.of(TokenAuthenticationRequest.class);
  }
}
