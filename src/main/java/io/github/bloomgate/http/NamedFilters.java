package io.github.bloomgate.http;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.filters.MissingFilter;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.access.Role;
import io.github.bloomgate.http.connection.Exchange;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** The filters that a request names outside its path, checked and counted like a name in it. */
@Singleton
class NamedFilters {

  /** A name in the response, quoted and with its brackets. */
  private static final long BYTES_OF_NAME = FilterName.MAX_LENGTH + 6;

  private static final long BYTES_OF_FLAG = "false,".length();

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
   *     to other names; RATE_LIMITED; OVERLOADED if there is no memory for the response
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
    // Each pair has a flag, and so have any and all.
    Exchange.of(context).reserve((filters.size() + 2) * (BYTES_OF_NAME + elements * BYTES_OF_FLAG));
    rates.takeFilters(context, names);
    return filters;
  }

  /**
   * How an add creates filters that are missing; empty if it does not.
   *
   * @throws BloomException INVALID_REQUEST if there is an expiry without a filter to be like;
   *     FORBIDDEN if the key is limited to other names than this filter's
   */
  Optional<MissingFilter> ifMissing(RoutingContext context, ElementsQuery query) {
    if (query.like().isEmpty()) {
      if (query.ttlSeconds().isPresent()) {
        throw RequestErrors.invalid(
            "ttlSeconds can only be used with like, for a filter that the add creates. Nothing was changed. Send like too, or leave it out.");
      }
      return Optional.empty();
    }
    var like = query.like().get();
    caller.requireName(context, like);
    var key = caller.identity(context);
    return Optional.of(
        new MissingFilter(
            new FilterName(like),
            query.ttlSeconds().map(Duration::ofSeconds),
            key.quota(),
            !key.role().includes(Role.ADMIN)));
  }
}
