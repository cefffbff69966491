package io.github.bloomgate.http.security;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** The token of an {@code Authorization} header: Bearer, or the password of Basic. */
public final class Credentials {

  /**
   * The challenge for clients without a valid key. Basic is accepted but never offered: a browser
   * would prompt for a password and then send it even with requests triggered by other sites. Over
   * plain HTTP a browser cannot be distinguished from other clients.
   */
  public static final String CHALLENGE = "Bearer realm=\"bloomgate\"";

  private static final String BEARER = "Bearer ";
  private static final String BASIC = "Basic ";

  private Credentials() {}

  static Optional<String> token(String header) {
    if (isBearer(header)) {
      return Optional.of(header.substring(BEARER.length()).strip());
    }
    if (header.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
      return password(header.substring(BASIC.length()).strip());
    }
    return Optional.empty();
  }

  /** Whether it is Bearer, which browsers never send automatically. */
  public static boolean isBearer(String header) {
    return header.regionMatches(true, 0, BEARER, 0, BEARER.length());
  }

  /** The user name is ignored, because the token contains its id. */
  private static Optional<String> password(String encoded) {
    try {
      var pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
      var colon = pair.indexOf(':');
      return colon < 0 ? Optional.empty() : Optional.of(pair.substring(colon + 1));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }
}
