package io.github.bloomgate.http.security;

/**
 * What a client that has no known key is told about the ways to send one. Basic is taken and never
 * offered: a browser would ask its user for a password itself, and from then on send it with what
 * other sites ask for. Over plain HTTP nothing tells a browser from another client.
 */
public final class Challenge {

  /** The header that tells it. */
  public static final String HEADER = "WWW-Authenticate";

  /** Its value. */
  public static final String BEARER = "Bearer realm=\"bloomgate\"";

  private Challenge() {}
}
