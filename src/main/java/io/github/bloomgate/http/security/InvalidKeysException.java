package io.github.bloomgate.http.security;

import io.quarkus.runtime.configuration.ConfigurationException;

/**
 * The configured keys cannot be used. Quarkus prints only the message of a {@link
 * ConfigurationException}. It contains no secret.
 */
final class InvalidKeysException extends ConfigurationException {
  private static final long serialVersionUID = 1L;

  InvalidKeysException(String message) {
    super(message);
  }
}
