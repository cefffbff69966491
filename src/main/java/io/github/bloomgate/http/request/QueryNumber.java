package io.github.bloomgate.http.request;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.Violation;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A number in the query of a URL. Read from text: the framework would answer 404 to one that is
 * malformed.
 */
public final class QueryNumber {

  private static final int MAX_LENGTH = 32;

  /** As JSON has them, so that a number is written in the same ways wherever it stands. */
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private QueryNumber() {}

  /** A whole number within limits, both included; empty if the parameter is not given. */
  public static Optional<Long> integer(String name, String text, long min, long max) {
    var range = "must be a whole number from %d to %d".formatted(min, max);
    return read(name, text, range, BigDecimal.valueOf(min), BigDecimal.valueOf(max))
        .map(
            number -> {
              try {
                return number.longValueExact();
              } catch (ArithmeticException fraction) {
                throw invalid(name, range);
              }
            });
  }

  /** A number within limits, both included; empty if the parameter is not given. */
  public static Optional<BigDecimal> decimal(
      String name, String text, BigDecimal min, BigDecimal max) {
    return read(name, text, "must be a number from %s to %s".formatted(min, max), min, max);
  }

  /** A false-positive probability, below 1; empty if the parameter is not given. */
  public static Optional<Double> probability(String name, String text) {
    var least = BigDecimal.valueOf(FilterParameters.MIN_FALSE_POSITIVE_PROBABILITY);
    return decimal(name, text, least, BigDecimal.ONE)
        .map(BigDecimal::doubleValue)
        .map(
            probability -> {
              if (probability >= 1) {
                throw invalid(name, "must be below 1");
              }
              return probability;
            });
  }

  private static Optional<BigDecimal> read(
      String name, String text, String range, BigDecimal min, BigDecimal max) {
    if (text == null) {
      return Optional.empty();
    }
    if (text.length() > MAX_LENGTH || !NUMBER.matcher(text).matches()) {
      throw invalid(name, range);
    }
    BigDecimal number;
    try {
      number = new BigDecimal(text);
    } catch (NumberFormatException exponentTooLarge) {
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
