package io.github.bloomgate.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.stream.Stream;

/**
 * The JSON of records in Redis and in the headers of files. The same record always gives the same
 * text. Reading is strict: all fields, each once, no others, of the right type.
 */
public final class StoredJson {

  public static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModules(JsonMapper.Builder.findModules(StoredJson.class.getClassLoader()))
          .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
          .withCoercionConfigDefaults(
              type ->
                  Stream.of(CoercionInputShape.values())
                      .forEach(other -> type.setCoercion(other, CoercionAction.Fail)))
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.NON_ABSENT))
          .build();

  private StoredJson() {}

  /** Writes a record. */
  public static String write(Object content) {
    try {
      return MAPPER.writeValueAsString(content);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
