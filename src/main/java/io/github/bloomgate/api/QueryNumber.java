package io.github.bloomgate.api;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.RequestErrors;
import io.github.bloomgate.error.Violation;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * A number in the query of a URL. Read from text: the framework would answer 404 to one that is
 * malformed.
 */
final class QueryNumber {

  private static final int MAX_LENGTH = 32;

  private QueryNumber() {}

  /** A whole number within limits, both included; empty if the parameter is not given. */
  static Optional<Long> integer(String name, String text, long min, long max) {
    return decimal(name, text, BigDecimal.valueOf(min), BigDecimal.valueOf(max))
        .map(
            number -> {
              if (number.stripTrailingZeros().scale() > 0) {
                throw invalid(name, "must be a whole number");
              }
              return number.longValueExact();
            });
  }

  /** A number within limits, both included; empty if the parameter is not given. */
  static Optional<BigDecimal> decimal(String name, String text, BigDecimal min, BigDecimal max) {
    if (text == null) {
      return Optional.empty();
    }
    var range = "must be a number from %s to %s".formatted(min, max);
    BigDecimal number;
    try {
      if (text.length() > MAX_LENGTH) {
        throw invalid(name, range);
      }
      number = new BigDecimal(text);
    } catch (NumberFormatException malformed) {
      throw invalid(name, range);
    }
    if (number.compareTo(min) < 0 || number.compareTo(max) > 0) {
      throw invalid(name, range);
    }
    return Optional.of(number);
  }

  private static BloomException invalid(String name, String message) {
    return RequestErrors.invalid(
        "%s %s. Correct it and repeat the request.".formatted(name, message),
        List.of(new Violation("query", name, message)));
  }
}
