package io.github.bloomgate.http.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;

/**
 * Reads an integer as defined by JSON Schema, including 1000.0 and 1e3, which some clients send.
 * The library's own would refuse these, or truncate 1000.5 to 1000.
 */
final class WholeNumberDeserializer<N extends Number> extends StdScalarDeserializer<N> {
  private static final long serialVersionUID = 1L;

  private final Class<N> type;

  /**
   * @param type Long or Integer
   */
  WholeNumberDeserializer(Class<N> type) {
    super(type);
    this.type = type;
  }

  @Override
  public N deserialize(JsonParser parser, DeserializationContext context) throws IOException {
    if (!parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT)) {
      return type.cast(NumberDeserializers.find(type, type.getName()).deserialize(parser, context));
    }
    var number = parser.getDecimalValue();
    try {
      // Not via BigInteger, in which 1e999999999 has a billion digits.
      var whole = number.longValueExact();
      return type == Integer.class ? type.cast(Math.toIntExact(whole)) : type.cast(whole);
    } catch (ArithmeticException fraction) {
      return type.cast(context.handleWeirdNumberValue(type, number, "not a whole number"));
    }
  }
}
