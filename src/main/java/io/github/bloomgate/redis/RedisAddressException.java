package io.github.bloomgate.redis;

import io.quarkus.runtime.configuration.ConfigurationException;

/**
 * An address of {@code quarkus.redis.hosts} cannot be used. Quarkus prints the message of a {@link
 * ConfigurationException} alone, without a stack trace. The message does not quote the address,
 * which may contain a password, and has no cause, which would.
 */
final class RedisAddressException extends ConfigurationException {
  private static final long serialVersionUID = 1L;

  /**
   * @param problem completes "an address in it ..."
   */
  RedisAddressException(String problem) {
    super(
        "quarkus.redis.hosts cannot be used: an address in it %s. It is not shown here because it may hold a password. Write redis://user:password@host:6379/0, and in user and password %%40 for @, %%2F for /, %%3A for :, %%25 for %%, %%20 for a space, %%2C for a comma; or leave the password out and set quarkus.redis.password."
            .formatted(problem));
  }
}
