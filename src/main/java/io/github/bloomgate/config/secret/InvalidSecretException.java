package io.github.bloomgate.config.secret;

import io.quarkus.runtime.configuration.ConfigurationException;

/**
 * The configured hash secrets cannot be used. Quarkus prints the message of a {@link
 * ConfigurationException} alone, without a stack trace. It holds no secret.
 */
final class InvalidSecretException extends ConfigurationException {
  private static final long serialVersionUID = 1L;

  InvalidSecretException(String message) {
    super(message);
  }
}
