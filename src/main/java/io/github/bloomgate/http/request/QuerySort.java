package io.github.bloomgate.http.request;

import io.github.bloomgate.filters.FilterOrder;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.Violation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The order of a list in the query of a URL, in small letters. */
public final class QuerySort {

  private QuerySort() {}

  /** The order of that name; by name if none is given. */
  public static FilterOrder read(String parameter, String text) {
    if (text == null) {
      return FilterOrder.NAME;
    }
    return Arrays.stream(FilterOrder.values())
        .filter(order -> word(order).equals(text))
        .findFirst()
        .orElseThrow(
            () -> {
              var message =
                  "must be one of "
                      + Arrays.stream(FilterOrder.values())
                          .map(QuerySort::word)
                          .collect(Collectors.joining(", "));
              return RequestErrors.invalid(
                  "%s %s. Correct it and repeat the request.".formatted(parameter, message),
                  List.of(new Violation("query", parameter, message)));
            });
  }

  private static String word(FilterOrder order) {
    return order.name().toLowerCase(Locale.ROOT);
  }
}
