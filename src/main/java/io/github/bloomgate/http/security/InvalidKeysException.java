package io.github.bloomgate.http.security;

import io.quarkus.runtime.configuration.ConfigurationException;

/**
 * The configured keys cannot be used. Quarkus prints the message of a {@link
 * ConfigurationException} alone, without a stack trace. It holds no secret.
 */
final class InvalidKeysException extends ConfigurationException {
  private static final long serialVersionUID = 1L;

  InvalidKeysException(String message) {
    super(message);
  }
}
