package io.github.bloomgate.http.response;

import io.quarkus.runtime.util.HashUtil;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * The tag of a response, so that a client can request it only if it has changed.
 *
 * @param text the value of the header
 */
public record EntityTag(String text) {

  private static final String WEAK = "W/";
  private static final int DIGITS = 32;

  public static EntityTag of(byte[] content) {
    return new EntityTag('"' + HashUtil.sha256(content).substring(0, DIGITS) + '"');
  }

  /** A tag of the same content for bytes that need not be the same. */
  public EntityTag weak() {
    return new EntityTag(WEAK + text);
  }

  /**
   * Whether the client has this content. Proxies that compress prefix tags with W/, and a client
   * may send several, or an asterisk for all.
   */
  public boolean isHeldBy(HttpServerRequest request) {
    var held = String.join(",", request.headers().getAll(HttpHeaders.IF_NONE_MATCH));
    return held.strip().equals("*") || held.contains(text.substring(text.indexOf('"')));
  }
}
