package io.github.bloomgate.filters;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.FilterErrors;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** The definition of a generation as JSON, its form in Redis. */
@Singleton
public class DefinitionJson {

  /** Changes with the storage format of segments or definitions. */
  private static final int FORMAT = 4;

  /** The JSON in the states of filters and in their sources. */
  static final JsonMapper JSON =
      JsonMapper.builder()
          .addModules(JsonMapper.Builder.findModules(DefinitionJson.class.getClassLoader()))
          .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.NON_ABSENT))
          .build();

  private final HashSecrets secrets;

  DefinitionJson(HashSecrets secrets) {
    this.secrets = secrets;
  }

  /** The constants of a generation. */
  public record Definition(FilterPlan plan, Optional<AdoptedKey> adoptedKey) {}

  private record Document(
      int format,
      SchemeDocument scheme,
      long expectedInsertions,
      double falsePositiveProbability,
      WhenFull whenFull,
      Optional<Growth> growth,
      Optional<Window> window,
      boolean counting,
      List<Layer> layers,
      Optional<AdoptedKey> adoptedKey) {}

  private record SchemeDocument(String id, Optional<String> codec, Optional<KeyOrigin> key) {}

  /** Writes a definition. The same definition always gives the same text. */
  public String write(Definition definition) {
    var parameters = definition.plan.parameters();
    var scheme = parameters.hashScheme();
    try {
      return JSON.writeValueAsString(
          new Document(
              FORMAT,
              new SchemeDocument(scheme.id(), scheme.elementCodec(), scheme.keyOrigin()),
              parameters.expectedInsertions(),
              parameters.falsePositiveProbability(),
              parameters.whenFull(),
              parameters.growth(),
              parameters.window(),
              parameters.counting(),
              definition.plan.layers(),
              definition.adoptedKey));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Reads a definition.
   *
   * @param key the Redis key it was read from
   * @throws io.github.bloomgate.model.error.BloomException FILTER_DAMAGED if this version of the
   *     service cannot read it
   */
  Definition read(FilterName name, String key, String json) {
    try {
      var document = JSON.readTree(json);
      // Another format may have other fields.
      var format = document.required("format").asInt();
      if (format != FORMAT) {
        throw FilterErrors.unknownFormat(name, String.valueOf(format));
      }
      return definition(name, JSON.treeToValue(document, Document.class));
    } catch (JsonProcessingException | IllegalArgumentException | NullPointerException malformed) {
      throw FilterErrors.damaged(name, key);
    }
  }

  private Definition definition(FilterName name, Document document) {
    if (document.layers.isEmpty()) {
      throw new IllegalArgumentException("no layers");
    }
    document.layers.forEach(layer -> requirePossible(layer.shape()));
    var parameters =
        new FilterParameters(
            scheme(name, document.scheme),
            document.expectedInsertions,
            document.falsePositiveProbability,
            document.layers.get(0).shape(),
            document.whenFull,
            document.growth,
            document.window,
            document.counting);
    return new Definition(new FilterPlan(parameters, document.layers), document.adoptedKey);
  }

  /** Without limits, a damaged definition could demand any amount of memory. */
  private static void requirePossible(FilterShape shape) {
    if (shape.segmentBits() > FilterParameters.MAX_BIT_SIZE / shape.segments()
        || shape.segmentBytes() > Integer.MAX_VALUE
        || shape.numHashFunctions() > FilterParameters.MAX_HASH_FUNCTIONS) {
      throw new IllegalArgumentException("impossible shape: " + shape);
    }
  }

  private HashScheme scheme(FilterName name, SchemeDocument document) {
    var scheme =
        HashSchemes.named(document.id, document.codec)
            .orElseThrow(() -> FilterErrors.unknownFormat(name, document.id));
    return scheme.isKeyed()
        ? secrets.scheme(document.key.orElseThrow(IllegalArgumentException::new))
        : scheme;
  }
}
