package io.github.bloomgate.http.request;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses a query that a client cannot have meant: parameters that are not known, without a value,
 * or given twice. Passed over, a misspelt {@code encoding} would have another element tested.
 */
public final class StrictQuery {

  private static final String PARAMETERS = StrictQuery.class.getName();

  /** The empty text is an element, and all names begin with it. */
  private static final Set<String> MAY_BE_EMPTY = Set.of("element", "prefix");

  private StrictQuery() {}

  /**
   * Reads the query of a request, for {@link #of}.
   *
   * @param once the names that may be given once
   * @param repeated the names that may be given several times
   * @return INVALID_REQUEST if there is another, one is given again, or one has no value
   */
  public static Optional<BloomException> read(
      RoutingContext context, Set<String> once, Set<String> repeated) {
    var query = context.request().query();
    if (query == null || query.isEmpty()) {
      return Optional.empty();
    }
    var parameters = decode(query);
    for (var parameter : parameters.entrySet()) {
      var name = parameter.getKey();
      var values = parameter.getValue();
      if (!once.contains(name) && !repeated.contains(name)) {
        return Optional.of(unknown(once, repeated));
      }
      if (values.size() > 1 && !repeated.contains(name)) {
        return Optional.of(
            RequestErrors.invalid(
                "The query gives %s %d times; it takes one.".formatted(name, values.size())));
      }
      if (values.contains("") && !MAY_BE_EMPTY.contains(name)) {
        return Optional.of(
            RequestErrors.invalid(
                "The query gives %s without a value. Give it one, or leave it out."
                    .formatted(name)));
      }
    }
    context.put(PARAMETERS, parameters);
    return Optional.empty();
  }

  /** The parameters of the query of a request, their bytes as chars of Latin-1. */
  public static Map<String, List<String>> of(RoutingContext context) {
    Map<String, List<String>> parameters = context.get(PARAMETERS);
    return parameters == null ? Map.of() : parameters;
  }

  /** The value of a parameter that may be given once. */
  public static Optional<String> value(RoutingContext context, String name) {
    return Optional.ofNullable(of(context).get(name)).map(values -> values.get(0));
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
    return RequestErrors.invalid(
        known.isEmpty()
            ? "The URL has parameters, and this operation takes none. Leave them out."
            : "The query has a parameter that is not one of this operation; its parameters are %s."
                .formatted(String.join(", ", known)));
  }
}
