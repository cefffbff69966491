package io.github.bloomgate.rebuild.source;

import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Headers for a server, such as {@code Authorization}. */
final class HeaderCredentials implements Credentials {

  /** Set by the service or its HTTP client, changes the response, or is for a proxy. */
  private static final Set<String> RESERVED =
      Set.of(
          "accept",
          "accept-encoding",
          "connection",
          "content-length",
          "expect",
          "host",
          "proxy-authorization",
          "range",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
  private static final Pattern VALUE =
      Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?");

  private final Map<String, String> headers;

  private HeaderCredentials(Map<String, String> headers) {
    this.headers = headers;
  }

  /**
   * Reads {@code NAME: VALUE}.
   *
   * @throws IllegalArgumentException if it is invalid; the message completes "line 1 ..." and
   *     quotes nothing
   */
  static HeaderCredentials parse(String text) {
    var parts = text.split(":", 2);
    if (parts.length < 2 || !NAME.matcher(parts[0]).matches()) {
      throw new IllegalArgumentException(
          "has neither a header after its host, such as 'Authorization: Bearer TOKEN', nor s3 with its fields");
    }
    if (RESERVED.contains(parts[0].toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "has a header that the service sets itself or that is not for the server: use another");
    }
    var value = parts[1].strip();
    if (!VALUE.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "has a header without a value, or with characters other than printable ASCII in it");
    }
    return new HeaderCredentials(Map.of(parts[0], value));
  }

  /**
   * Adds the headers of another line.
   *
   * @throws IllegalArgumentException if it repeats one
   */
  HeaderCredentials and(HeaderCredentials other) {
    var all = new LinkedHashMap<>(headers);
    for (var header : other.headers.entrySet()) {
      if (all.keySet().stream().anyMatch(header.getKey()::equalsIgnoreCase)) {
        throw new IllegalArgumentException("repeats a header of an earlier line: remove one");
      }
      all.put(header.getKey(), header.getValue());
    }
    return new HeaderCredentials(all);
  }

  @Override
  public HttpRequest.Builder request(URI url, Instant now) {
    var request = HttpRequest.newBuilder(url);
    headers.forEach(request::header);
    return request;
  }

  @Override
  public boolean isRefusal(int status) {
    return status == 401 || status == 403;
  }

  @Override
  public String remedy() {
    return "Correct or renew them, and check that they may read this url.";
  }
}
