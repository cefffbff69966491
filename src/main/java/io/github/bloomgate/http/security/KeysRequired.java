package io.github.bloomgate.http.security;

import io.quarkus.security.spi.runtime.AuthorizationController;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;

/**
 * Disables role checks in Quarkus Security if no key is required: requests that get this far are
 * local and may do everything.
 */
@Alternative
@Priority(KeysRequired.REPLACES_DEFAULT)
@Singleton
class KeysRequired extends AuthorizationController {

  /** Any priority replaces the default. */
  static final int REPLACES_DEFAULT = 1;

  private final boolean required;

  KeysRequired(ApiKeys keys) {
    required = keys.areRequired();
  }

  @Override
  public boolean isAuthorizationEnabled() {
    return required;
  }
}
