package io.github.bloomgate.http.contract;

import java.util.List;

/** What to send instead of a method that a path does not support. */
final class MethodAdvice {

  private static final List<String> FILTERS = List.of("v1", "filters");
  private static final int FILTER_SEGMENTS = 3;

  private MethodAdvice() {}

  /** A sentence with a space before it; empty if there is nothing to suggest. */
  static String of(String method, Contract.Path path) {
    var segments = path.segments().stream().filter(segment -> !segment.isEmpty()).toList();
    var isNew = method.equals("POST") || method.equals("PUT");
    if (isNew && segments.equals(FILTERS)) {
      return " Create a filter with PUT /v1/filters/NAME.";
    }
    if (isNew && isFilter(segments)) {
      return " Create a filter with PUT, and add elements with POST /v1/filters/NAME/add.";
    }
    if (method.equals("PUT") && path.operations().containsKey("POST")) {
      return " Send POST; curl -T sends PUT unless you add -X POST.";
    }
    if (method.equals("POST") && path.operations().containsKey("PUT")) {
      return " Send PUT; with curl: -X PUT.";
    }
    if (method.equals("GET") && path.operations().containsKey("POST")) {
      return " Send POST; with curl: -X POST.";
    }
    return "";
  }

  private static boolean isFilter(List<String> segments) {
    return segments.size() == FILTER_SEGMENTS && segments.subList(0, 2).equals(FILTERS);
  }
}
