package io.github.bloomgate.http.security;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.security.spi.runtime.AuthorizationController;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;

/**
 * Finds the key of a request by its token. If no key is required, disables the checks of Quarkus
 * Security: requests that get this far are local and may do everything.
 */
@Alternative
@Priority(KeyMechanism.REPLACES_DEFAULT)
@Singleton
class KeyMechanism extends AuthorizationController implements HttpAuthenticationMechanism {

  /** Any priority replaces the framework's controller. */
  static final int REPLACES_DEFAULT = 1;

  private final ApiKeys keys;

  KeyMechanism(ApiKeys keys) {
    this.keys = keys;
  }

  @Override
  public boolean isAuthorizationEnabled() {
    return keys.areRequired();
  }

  @Override
  public Uni<SecurityIdentity> authenticate(
      RoutingContext context, IdentityProviderManager identities) {
    var header = context.request().getHeader(HttpHeaders.AUTHORIZATION);
    if (header == null) {
      return Uni.createFrom().nullItem();
    }
    return keys.of(header)
        .map(key -> Uni.createFrom().item(identity(key)))
        .orElseGet(() -> Uni.createFrom().failure(new AuthenticationFailedException()));
  }

  private static SecurityIdentity identity(ApiKey key) {
    return QuarkusSecurityIdentity.builder()
        .setPrincipal(key)
        .addRoles(key.role().included())
        .build();
  }

  @Override
  public Uni<ChallengeData> getChallenge(RoutingContext context) {
    return Uni.createFrom()
        .item(
            new ChallengeData(
                HttpResponseStatus.UNAUTHORIZED.code(),
                HttpHeaderNames.WWW_AUTHENTICATE,
                Credentials.CHALLENGE));
  }
}
