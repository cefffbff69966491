package io.github.bloomgate.http.security;

import io.quarkus.security.spi.runtime.AuthorizationController;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;

/**
 * Tells Quarkus Security to ask nobody for a role while no key is required: a request that got this
 * far is on this machine, and may do everything.
 */
@Alternative
@Priority(KeysRequired.IN_PLACE_OF_THE_DEFAULT)
@Singleton
class KeysRequired extends AuthorizationController {

  /** Any priority makes it take the place. */
  static final int IN_PLACE_OF_THE_DEFAULT = 1;

  private final boolean required;

  KeysRequired(ApiKeys keys) {
    required = keys.areRequired();
  }

  @Override
  public boolean isAuthorizationEnabled() {
    return required;
  }
}
