package io.github.bloomgate.http.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.github.bloomgate.elements.ElementService;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;

/**
 * Refuses unknown and repeated fields, numbers as strings and strings as numbers. If they were
 * ignored, a misspelt limit would be no limit.
 */
@Singleton
public class StrictJson implements ObjectMapperCustomizer {

  /** The longest element in hexadecimal, the longest valid text. */
  public static final int MAX_TEXT_LENGTH = 2 * ElementService.MAX_ELEMENT_BYTES;

  private static final Map<LogicalType, Set<CoercionInputShape>> REFUSED =
      Map.of(
          LogicalType.Textual,
          Set.of(CoercionInputShape.Boolean, CoercionInputShape.Integer, CoercionInputShape.Float),
          LogicalType.Integer,
          Set.of(
              CoercionInputShape.Boolean,
              CoercionInputShape.String,
              CoercionInputShape.EmptyString),
          LogicalType.Float,
          Set.of(
              CoercionInputShape.Boolean,
              CoercionInputShape.String,
              CoercionInputShape.EmptyString),
          LogicalType.Boolean,
          Set.of(
              CoercionInputShape.Integer,
              CoercionInputShape.Float,
              CoercionInputShape.String,
              CoercionInputShape.EmptyString),
          LogicalType.Enum,
          Set.of(CoercionInputShape.Integer, CoercionInputShape.EmptyString));

  @Override
  public void customize(ObjectMapper mapper) {
    mapper
        .getFactory()
        .setStreamReadConstraints(
            StreamReadConstraints.builder().maxStringLength(MAX_TEXT_LENGTH).build());
    mapper.configure(JsonParser.Feature.STRICT_DUPLICATE_DETECTION, true);
    mapper.enable(
        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
        DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS);
    mapper.registerModule(
        new SimpleModule()
            .addDeserializer(Long.class, new WholeNumberDeserializer<>(Long.class))
            .addDeserializer(Integer.class, new WholeNumberDeserializer<>(Integer.class)));
    REFUSED.forEach(
        (type, shapes) -> {
          var coercion = mapper.coercionConfigFor(type);
          shapes.forEach(shape -> coercion.setCoercion(shape, CoercionAction.Fail));
        });
  }
}
