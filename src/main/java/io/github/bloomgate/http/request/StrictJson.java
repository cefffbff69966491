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
}
