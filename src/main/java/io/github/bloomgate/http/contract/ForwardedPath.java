package io.github.bloomgate.http.contract;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.http.HttpServerRequest;

/**
 * The path of a request whose end a client of a proxy has written: {@code /v1/ext-authz/QUERY} by
 * the proxy, then the client's own path and query. So nothing that the client sends can add to the
 * query.
 *
 * @param query the proxy's
 * @param target the client's path and query, unchanged
 */
record ForwardedPath(String query, String target) {

  /**
   * Reads the path of a request.
   *
   * @param prefix the path of the operation
   * @throws BloomException INVALID_REQUEST if it is ambiguous where the proxy's part ends
   */
  static ForwardedPath of(HttpServerRequest request, String prefix) {
    var uri = request.uri();
    var start = prefix.length() + 1;
    var end = uri.startsWith(prefix + "/") ? uri.indexOf('/', start) : -1;
    // A '?' before the client's path: the query would be the client's.
    if (end <= start || uri.indexOf('#') >= 0 || uri.substring(start, end).indexOf('?') >= 0) {
      throw malformed(prefix);
    }
    return new ForwardedPath(uri.substring(start, end), uri.substring(end));
  }

  /**
   * Refuses a query that a client's path may have been appended to.
   *
   * @throws BloomException INVALID_REQUEST if it has a '/' or a '?'
   */
  static void requireOwnQuery(HttpServerRequest request, String prefix) {
    var query = request.query();
    if (query != null && (query.indexOf('/') >= 0 || query.indexOf('?') >= 0)) {
      throw RequestErrors.invalid(
          "The query has '/' or '?', so it may end with a client's path. Write them as %%2F and %%3F. To let a proxy append the client's path, configure %s/QUERY as the prefix."
              .formatted(prefix));
    }
  }

  static BloomException malformed(String prefix) {
    return RequestErrors.invalid(
        "The path must be %s/QUERY, then the client's path as it was sent, without dots, empty segments, '#' and needless percent encodings. Configure %s/QUERY as the prefix, without a slash or question mark at its end, and let the proxy normalize paths."
            .formatted(prefix, prefix));
  }
}
