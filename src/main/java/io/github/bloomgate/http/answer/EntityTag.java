package io.github.bloomgate.http.answer;

import io.quarkus.runtime.util.HashUtil;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * The tag of a response's bytes, so that a client can request them only if they have changed.
 *
 * @param text the value of the header
 */
public record EntityTag(String text) {

  private static final int DIGITS = 32;

  public static EntityTag of(byte[] content) {
    return new EntityTag('"' + HashUtil.sha256(content).substring(0, DIGITS) + '"');
  }

  /**
   * Whether the client has these bytes. Proxies that compress prefix tags with W/, and a client may
   * send several, or an asterisk for all.
   */
  public boolean isHeldBy(HttpServerRequest request) {
    var held = String.join(",", request.headers().getAll(HttpHeaders.IF_NONE_MATCH));
    return held.strip().equals("*") || held.contains(text);
  }
}
