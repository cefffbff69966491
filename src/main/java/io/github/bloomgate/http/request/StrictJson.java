package io.github.bloomgate.http.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.github.bloomgate.elements.ElementService;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.io.IOException;

/**
 * Refuses unknown and repeated fields, numbers as strings and strings as numbers. If they were
 * ignored, a misspelt limit would be no limit.
 */
@Singleton
public class StrictJson implements ObjectMapperCustomizer {

  /** The longest element in hexadecimal, the longest valid text. */
  public static final int MAX_TEXT_LENGTH = 2 * ElementService.MAX_ELEMENT_BYTES;

  @Override
  public void customize(ObjectMapper mapper) {
    mapper
        .getFactory()
        .setStreamReadConstraints(
            StreamReadConstraints.builder().maxStringLength(MAX_TEXT_LENGTH).build());
    mapper.configure(JsonParser.Feature.STRICT_DUPLICATE_DETECTION, true);
    mapper.enable(
        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
        DeserializationFeature.FAIL_ON_IGNORED_PROPERTIES,
        DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    mapper.registerModule(
        new SimpleModule()
            .addDeserializer(Long.class, new WholeNumberDeserializer<>(Long.class))
            .addDeserializer(Integer.class, new WholeNumberDeserializer<>(Integer.class)));
    for (var shape : CoercionInputShape.values()) {
      mapper.coercionConfigDefaults().setCoercion(shape, CoercionAction.Fail);
    }
    mapper
        .coercionConfigFor(LogicalType.Float)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.TryConvert);
  }

  /**
   * Reads an integer as defined by JSON Schema, including 1000.0 and 1e3, which some clients send.
   * The library's own would refuse these, or truncate 1000.5 to 1000.
   */
  private static final class WholeNumberDeserializer<N extends Number>
      extends StdScalarDeserializer<N> {
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
        return type.cast(
            NumberDeserializers.find(type, type.getName()).deserialize(parser, context));
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
}
