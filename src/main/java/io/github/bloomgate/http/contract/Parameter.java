package io.github.bloomgate.http.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.StreamSupport;

/** A parameter of a query. Immutable. */
final class Parameter {

  private final boolean mayRepeat;
  private final JsonNode schema;
  private final String type;

  /** The values that it may have; none if it may have others. */
  private final List<String> values;

  private final String rule;

  /**
   * @param schema of one value
   */
  Parameter(boolean mayRepeat, JsonNode schema) {
    this.mayRepeat = mayRepeat;
    this.schema = schema;
    this.type = schema.get("type").asText();
    this.values =
        StreamSupport.stream(schema.path("enum").spliterator(), false)
            .map(JsonNode::asText)
            .toList();
    this.rule =
        switch (type) {
          case "integer" ->
              "must be a whole number from %s to %s"
                  .formatted(schema.get("minimum"), schema.get("maximum"));
          case "number" ->
              "must be a number of at least %s and %s"
                  .formatted(
                      schema.get("minimum").decimalValue().stripTrailingZeros(),
                      schema.has("maximum")
                          ? "at most " + schema.get("maximum")
                          : "below " + schema.get("exclusiveMaximum"));
          case "boolean" -> "must be true or false";
          default -> "must be one of " + String.join(", ", values);
        };
  }

  boolean mayRepeat() {
    return mayRepeat;
  }

  boolean mayBeEmpty() {
    return type.equals("string") && values.isEmpty() && !schema.has("minLength");
  }

  boolean accepts(String value) {
    return switch (type) {
      case "integer" ->
          Query.numberIn(value)
              .filter(number -> number.stripTrailingZeros().scale() <= 0)
              .filter(this::isInRange)
              .isPresent();
      case "number" -> Query.numberIn(value).filter(this::isInRange).isPresent();
      case "boolean" -> value.equals("true") || value.equals("false");
      default -> values.isEmpty() || values.contains(value);
    };
  }

  private boolean isInRange(BigDecimal number) {
    return number.compareTo(schema.get("minimum").decimalValue()) >= 0
        && (schema.has("maximum")
            ? number.compareTo(schema.get("maximum").decimalValue()) <= 0
            : number.compareTo(schema.get("exclusiveMaximum").decimalValue()) < 0);
  }

  /**
   * What is wrong with a value that it does not accept, to follow its name in a sentence. Shows
   * only numbers, because a text could be an element that was sent with the wrong name.
   */
  String mistake(String value) {
    return Query.numberIn(value).isPresent() ? "is %s, but %s".formatted(value, rule) : rule;
  }
}
