package io.github.bloomgate.rebuild.source;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The server of a URL. Names are compared as they are written, not by the addresses they resolve
 * to.
 *
 * @param scheme http or https
 * @param host in lower case
 */
record Server(String scheme, String host, int port) {

  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final int MAX_PORT = 65_535;

  /** The server of a URL; empty if it is not an http or https URL with a host. */
  static Optional<Server> of(URI url) {
    if (url.getScheme() == null || url.getHost() == null) {
      return Optional.empty();
    }
    var scheme = url.getScheme().toLowerCase(Locale.ROOT);
    var host = url.getHost().toLowerCase(Locale.ROOT);
    return SCHEMES.contains(scheme)
        ? Optional.of(
            new Server(scheme, host, url.getPort() < 0 ? defaultPort(scheme) : url.getPort()))
        : Optional.empty();
  }

  /** Reads {@code [https://|http://]HOST[:PORT]}, by default https; empty if it is not that. */
  static Optional<Server> parse(String text) {
    try {
      var url = new URI(text.contains("://") ? text : "https://" + text);
      return url.getRawUserInfo() == null
              && "".equals(url.getRawPath())
              && url.getRawQuery() == null
              && url.getRawFragment() == null
          ? of(url).filter(server -> server.port <= MAX_PORT)
          : Optional.empty();
    } catch (URISyntaxException malformed) {
      return Optional.empty();
    }
  }

  /** The host, with its port unless that is the default one, as in a Host header. */
  String authority() {
    return port == defaultPort(scheme) ? host : host + ":" + port;
  }

  private static int defaultPort(String scheme) {
    return scheme.equals("https") ? 443 : 80;
  }

  /** The begin of its URLs. */
  @Override
  public String toString() {
    return scheme + "://" + authority();
  }
}
