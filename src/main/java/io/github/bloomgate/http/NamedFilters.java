package io.github.bloomgate.http;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;

/** The filters of a request to several, checked and counted like a name in the path. */
@Singleton
class NamedFilters {

  private final Caller caller;
  private final RateLimits rates;

  NamedFilters(Caller caller, RateLimits rates) {
    this.caller = caller;
    this.rates = rates;
  }

  /**
   * The filters that the query names, at least one; fails as {@link #of(RoutingContext, List,
   * int)}.
   */
  List<FilterName> ofQuery(RoutingContext context, ElementsQuery query, int elements) {
    if (query.filters().isEmpty()) {
      throw RequestErrors.invalid(
          "The query names no filter. Name at least one, such as ?filter=NAME.");
    }
    return of(context, query.filters(), elements);
  }

  /**
   * The filters with these names.
   *
   * @param elements the number of elements for each
   * @throws BloomException LIMIT_EXCEEDED if there are too many filters or pairs of filter and
   *     element; INVALID_REQUEST if a name is invalid or repeated; FORBIDDEN if the key is limited
   *     to other names; RATE_LIMITED
   */
  List<FilterName> of(RoutingContext context, List<String> names, int elements) {
    if (names.size() > ElementService.MAX_FILTERS) {
      throw RequestErrors.limitExceeded(
          "The request names %d filters; the limit is %d. Nothing was changed; send several requests."
              .formatted(names.size(), ElementService.MAX_FILTERS));
    }
    if ((long) names.size() * elements > ElementService.MAX_PAIRS) {
      throw RequestErrors.limitExceeded(
          "The request has %d elements for each of %d filters; the limit is %d pairs of filter and element. Nothing was changed; send several requests."
              .formatted(elements, names.size(), ElementService.MAX_PAIRS));
    }
    var filters = names.stream().map(FilterName::new).toList();
    var known = new HashSet<FilterName>();
    for (var filter : filters) {
      caller.requireName(context, filter.value());
      if (!known.add(filter)) {
        throw RequestErrors.invalid(
            "The request names the filter '%s' more than once. Nothing was changed; name each filter once."
                .formatted(filter));
      }
    }
    rates.takeRequests(context, filters);
    return filters;
  }
}
