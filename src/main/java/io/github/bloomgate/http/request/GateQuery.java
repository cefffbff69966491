package io.github.bloomgate.http.request;

import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The query of a request to a gate.
 *
 * @param elements what it says besides, as any request about elements
 * @param element the bytes of the only element
 * @param refusesMaybe whether to refuse elements that may be in the filters, instead of others
 * @param mustBeInAll whether only an element in all filters counts as one that is in them
 */
public record GateQuery(
    ElementsQuery elements, List<byte[]> element, boolean refusesMaybe, boolean mustBeInAll) {

  /**
   * Reads the query of a request.
   *
   * @throws BloomException INVALID_REQUEST if it has no element, a malformed or ambiguous one, or
   *     an empty one that may pass; LIMIT_EXCEEDED if the element is too long
   */
  public static GateQuery of(RoutingContext context) {
    var query = ApiRequest.query(context);
    var elements = ElementsQuery.of(context);
    var element = element(context, elements);
    var refusesMaybe = query.text("refuse").filter("maybe"::equals).isPresent();
    if (refusesMaybe && element.get(0).length == 0) {
      // Usually a variable of the proxy that has no value. No list contains it, so it would pass.
      throw RequestErrors.invalid(
          "The element is empty, and refuse=maybe would let it pass. Send an element, and refuse requests without one.");
    }
    return new GateQuery(
        elements, element, refusesMaybe, query.text("match").filter("all"::equals).isPresent());
  }

  private static List<byte[]> element(RoutingContext context, ElementsQuery sent) {
    var query = ApiRequest.query(context);
    var header = query.text("elementHeader");
    var parameter = query.text("elementParameter");
    var sources = Stream.of(sent.elements().stream().findFirst(), header, parameter);
    if (sources.filter(Optional::isPresent).count() != 1) {
      throw RequestErrors.invalid(
          "The query must have one of element, elementHeader and elementParameter. Send one, such as ?element=VALUE.");
    }
    var headers = context.request().headers();
    return header
        .map(name -> ForwardedElement.inHeader(headers, name))
        .or(() -> parameter.map(name -> inParameter(context, name)))
        .map(element -> sent.toBytes(List.of(element)))
        .orElseGet(() -> inQuery(context, sent));
  }

  private static List<byte[]> inQuery(RoutingContext context, ElementsQuery sent) {
    var text = context.request().query();
    if (text != null && text.indexOf(';') >= 0) {
      throw RequestErrors.invalid(
          "The query has a ';', at which some programs end a parameter, and others do not. Write %3B for it, or refuse the request.");
    }
    return sent.toBytes();
  }

  /** Never from a header if the path has a place for it, because the header is the client's. */
  private static String inParameter(RoutingContext context, String name) {
    var request = ApiRequest.of(context);
    if (!request.path().isForwarded()) {
      return ForwardedElement.inForwardedUri(context.request().headers(), name);
    }
    var target =
        request
            .forwardedTarget()
            .orElseThrow(
                () ->
                    RequestErrors.invalid(
                        "elementParameter needs the client's path behind the query in the path. Configure it as a prefix in the proxy."));
    return ForwardedElement.inTarget(target, name);
  }

  /** Whether an element passes. */
  public boolean passes(boolean maybe) {
    return maybe != refusesMaybe;
  }
}
