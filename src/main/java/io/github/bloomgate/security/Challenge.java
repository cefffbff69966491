package io.github.bloomgate.security;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/** What a client that has no known key is told about the ways to send one. */
public final class Challenge {

  /** The header that tells it. */
  public static final String HEADER = "WWW-Authenticate";

  static final String BEARER = "Bearer realm=\"bloomgate\"";
  private static final String BASIC = "Basic realm=\"bloomgate\", charset=\"UTF-8\"";

  private Challenge() {}

  /**
   * The values of {@code WWW-Authenticate}. A browser is not offered Basic: it would ask its user
   * for a password itself, and from then on send it with what other sites ask for.
   */
  public static List<String> of(HttpServerRequest request) {
    return request.headers().contains("Sec-Fetch-Mode") ? List.of(BEARER) : List.of(BEARER, BASIC);
  }
}
