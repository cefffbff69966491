package io.github.bloomgate.redis.embedded;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * The password that protects an embedded Redis from other accounts of the machine. Never put it
 * into arguments, environment or log, which they may read.
 */
record Password(String text) {

  private static final int BYTES = 32;

  static Password random() {
    var bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    // No character of this alphabet needs quoting in the Redis configuration or in a URI.
    return new Password(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Omits the password, in case it is logged by mistake. */
  @Override
  public String toString() {
    return "***";
  }
}
