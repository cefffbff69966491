package io.github.bloomgate.http.contract;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.NearestName;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.Violation;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The query of a request: parameters of its operation, with values that their schemas permit.
 * Immutable.
 */
public final class Query {

  static final Query EMPTY = new Query(Map.of());

  private static final int LONGEST_NUMBER = 32;

  /** The syntax of JSON, so that numbers look the same in bodies and queries. */
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  /** Values by name. Each char of a value is one byte. */
  private final Map<String, List<String>> values;

  private Query(Map<String, List<String>> values) {
    this.values = values;
  }

  /**
   * Reads a query.
   *
   * @param text null if the URL has none
   * @param known the parameters of the operation
   * @throws BloomException INVALID_REQUEST if a parameter is not one of these, is given again, or
   *     has a value that its schema forbids
   */
  static Query of(String text, Map<String, Parameter> known) {
    if (text == null || text.isEmpty()) {
      return EMPTY;
    }
    if (text.indexOf('#') >= 0) {
      // The decoder would drop it and everything after it, and so test another element.
      throw RequestErrors.invalid(
          "The URL has a '#', which begins a fragment and cannot be sent. Write %23 for it.");
    }
    // The framework refuses URLs with malformed percent encodings. A semicolon is part of a value.
    var values =
        new QueryStringDecoder(text, StandardCharsets.ISO_8859_1, false, Integer.MAX_VALUE, true)
            .parameters();
    values.forEach(
        (name, given) -> {
          var parameter = known.get(name);
          if (parameter == null) {
            throw RequestErrors.invalid(
                known.isEmpty()
                    ? "The URL has parameters, but this operation takes none. Leave them out."
                    : "The query has a parameter that this operation does not support; %s"
                        .formatted(meant(name, known)));
          }
          if (given.size() > 1 && !parameter.mayRepeat()) {
            throw RequestErrors.invalid(
                "The query has %s %d times. Send it once.".formatted(name, given.size()));
          }
          given.forEach(value -> require(name, parameter, value));
        });
    return new Query(values);
  }

  /** The parameter that is meant by an unknown one, or all parameters if none is similar. */
  private static String meant(String name, Map<String, Parameter> known) {
    return NearestName.to(name, known.keySet())
        .map("did you mean %s?"::formatted)
        .orElseGet(() -> "it supports %s.".formatted(String.join(", ", known.keySet())));
  }

  private static void require(String name, Parameter parameter, String value) {
    if (value.isEmpty() && !parameter.mayBeEmpty()) {
      throw RequestErrors.invalid(
          "The query has %s without a value. Send a value, or leave it out.".formatted(name));
    }
    if (!parameter.accepts(value)) {
      var mistake = parameter.mistake(value);
      throw RequestErrors.invalid(
          "%s %s. Correct it and repeat the request.".formatted(name, mistake),
          List.of(new Violation("query", name, mistake)));
    }
  }

  static Optional<BigDecimal> numberIn(String text) {
    try {
      return text.length() <= LONGEST_NUMBER && NUMBER.matcher(text).matches()
          ? Optional.of(new BigDecimal(text))
          : Optional.empty();
    } catch (NumberFormatException exponentTooLarge) {
      return Optional.empty();
    }
  }

  public Set<String> names() {
    return values.keySet();
  }

  public List<String> texts(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** The bytes of a value, in any encoding. */
  public static byte[] bytes(String value) {
    return value.getBytes(StandardCharsets.ISO_8859_1);
  }

  public Optional<String> text(String name) {
    var texts = texts(name);
    return texts.isEmpty() ? Optional.empty() : Optional.of(texts.get(0));
  }

  public Optional<Long> whole(String name) {
    return text(name).flatMap(Query::numberIn).map(BigDecimal::longValueExact);
  }

  public Optional<Double> number(String name) {
    return text(name).flatMap(Query::numberIn).map(BigDecimal::doubleValue);
  }

  public boolean flag(String name) {
    return text(name).filter("true"::equals).isPresent();
  }
}
