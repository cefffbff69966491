package io.github.bloomgate.http.access;

import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Set;

/** Headers of proxies, which show that the client is not the connecting machine. */
public final class ProxyHeaders {

  private static final Set<String> NAMES =
      Set.of("forwarded", "via", "x-real-ip", "x-client-ip", "cf-connecting-ip", "true-client-ip");

  private ProxyHeaders() {}

  /** Whether a request has such a header. Some proxies add none. */
  public static boolean areIn(HttpServerRequest request) {
    for (var header : request.headers()) {
      if (isOne(header.getKey().toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOne(String header) {
    return NAMES.contains(header)
        || header.startsWith("x-forwarded")
        || header.startsWith("x-envoy-");
  }
}
