package io.github.bloomgate.redis.embedded;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * The secret that keeps other accounts of the machine out of an embedded Redis. Never in arguments,
 * environment or log, which others may read.
 */
record Password(String text) {

  private static final int BYTES = 32;

  static Password random() {
    var bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    // Of this alphabet nothing needs quoting in the configuration of Redis or in a URI.
    return new Password(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Hidden, in case it is logged by mistake. */
  @Override
  public String toString() {
    return "***";
  }
}
