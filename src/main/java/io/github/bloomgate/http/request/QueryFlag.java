package io.github.bloomgate.http.request;

import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.Violation;
import java.util.List;

/**
 * A yes or no in the query of a URL. Read from text: the framework would take any other word for a
 * no.
 */
public final class QueryFlag {

  private QueryFlag() {}

  /** Whether a flag is set; not if it is not given. */
  public static boolean read(String name, String text) {
    if (text == null || text.equals("false")) {
      return false;
    }
    if (text.equals("true")) {
      return true;
    }
    var message = "must be true or false";
    throw RequestErrors.invalid(
        "%s %s. Correct it and repeat the request.".formatted(name, message),
        List.of(new Violation("query", name, message)));
  }
}
