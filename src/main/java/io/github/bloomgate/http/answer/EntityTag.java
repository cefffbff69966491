package io.github.bloomgate.http.answer;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The tag of a response's bytes, so that a client can request them only if they have changed.
 *
 * @param text the value of the header
 */
public record EntityTag(String text) {

  private static final int BYTES = 16;

  /** The tag of some bytes. */
  public static EntityTag of(byte[] content) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(content);
      return new EntityTag('"' + HexFormat.of().formatHex(digest, 0, BYTES) + '"');
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every JDK has SHA-256", impossible);
    }
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
