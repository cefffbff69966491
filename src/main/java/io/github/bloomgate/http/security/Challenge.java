package io.github.bloomgate.http.security;

/**
 * The authentication challenge for clients without a valid key. Basic is accepted but never
 * offered: a browser would prompt for a password and then send it even with requests triggered by
 * other sites. Over plain HTTP a browser cannot be distinguished from other clients.
 */
public final class Challenge {

  public static final String HEADER = "WWW-Authenticate";

  public static final String BEARER = "Bearer realm=\"bloomgate\"";

  private Challenge() {}
}
