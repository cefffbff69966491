package io.github.bloomgate.api;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.RequestErrors;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses a query that a client cannot have meant: parameters that are not known, and one given
 * twice. Passed over, a misspelt {@code encoding} would have another element tested.
 */
final class StrictQuery {

  private StrictQuery() {}

  /**
   * The parameters of a query, their bytes as chars of Latin-1.
   *
   * @param once the names that may be given once
   * @throws BloomException INVALID_REQUEST if there is another, or one is given again
   */
  static Map<String, List<String>> read(HttpServerRequest request, Set<String> once) {
    return read(request, once, Set.of());
  }

  /** Likewise, with names that may be repeated. */
  static Map<String, List<String>> read(
      HttpServerRequest request, Set<String> once, Set<String> repeated) {
    var query = request.query();
    var parameters = query == null ? Map.<String, List<String>>of() : decode(query);
    parameters.forEach(
        (name, values) -> {
          if (!once.contains(name) && !repeated.contains(name)) {
            throw unknown(once, repeated);
          }
          if (values.size() > 1 && !repeated.contains(name)) {
            throw RequestErrors.invalid(
                "The query gives %s %d times; it takes one.".formatted(name, values.size()));
          }
        });
    return parameters;
  }

  /** Malformed percent encodings do not get here: the framework refuses such URLs. */
  private static Map<String, List<String>> decode(String query) {
    // A semicolon is part of a value: only '&' divides parameters.
    return new QueryStringDecoder(
            query, StandardCharsets.ISO_8859_1, false, Integer.MAX_VALUE, true)
        .parameters();
  }

  private static BloomException unknown(Set<String> once, Set<String> repeated) {
    var known = new TreeSet<>(once);
    known.addAll(repeated);
    if (known.isEmpty()) {
      return RequestErrors.invalid(
          "The URL has parameters, and this request takes none. Leave them out; a JSON body has"
              + " fields for what lines have parameters for.");
    }
    return RequestErrors.invalid(
        "The query has a parameter that is not one of this path; its parameters are %s."
            .formatted(String.join(", ", known)));
  }
}
