package io.github.bloomgate.config.secret;

import io.quarkus.runtime.configuration.ConfigurationException;

/**
 * The configured hash secrets cannot be used. Quarkus prints only the message of a {@link
 * ConfigurationException}. It contains no secret.
 */
final class InvalidSecretException extends ConfigurationException {
  private static final long serialVersionUID = 1L;

  InvalidSecretException(String message) {
    super(message);
  }
}
