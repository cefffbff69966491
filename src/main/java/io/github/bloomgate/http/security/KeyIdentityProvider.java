package io.github.bloomgate.http.security;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.IdentityProvider;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.TokenAuthenticationRequest;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;

/** Turns a token into the identity of its key. */
@Singleton
class KeyIdentityProvider implements IdentityProvider<TokenAuthenticationRequest> {

  private final ApiKeys keys;

  KeyIdentityProvider(ApiKeys keys) {
    this.keys = keys;
  }

  @Override
  public Class<TokenAuthenticationRequest> getRequestType() {
    return TokenAuthenticationRequest.class;
  }

  @Override
  public Uni<SecurityIdentity> authenticate(
      TokenAuthenticationRequest request, AuthenticationRequestContext context) {
    return keys.find(request.getToken().getToken())
        .map(key -> Uni.createFrom().<SecurityIdentity>item(new KeyIdentity(key)))
        .orElseGet(() -> Uni.createFrom().failure(new AuthenticationFailedException()));
  }
}
