package io.github.bloomgate.filters;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The definition of a generation as JSON, its form in Redis. */
@Singleton
public class DefinitionJson {

  /** Changes with the storage format of segments or definitions. */
  private static final int FORMAT = 3;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
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
      Growth growth,
      Window window,
      boolean counting,
      List<LayerDocument> layers,
      String redisKey,
      String companionKey) {}

  private record SchemeDocument(String id, String codec, String secretId, String salt) {

    private static SchemeDocument of(HashScheme scheme) {
      var origin = scheme.keyOrigin();
      return new SchemeDocument(
          scheme.id(),
          scheme.elementCodec().orElse(null),
          origin.map(KeyOrigin::secretId).orElse(null),
          origin.map(KeyOrigin::salt).orElse(null));
    }
  }

  private record LayerDocument(
      long expectedInsertions,
      double falsePositiveProbability,
      int segments,
      long segmentBits,
      int numHashFunctions,
      Long openedAt) {

    private static LayerDocument of(Layer layer) {
      return new LayerDocument(
          layer.expectedInsertions(),
          layer.falsePositiveProbability(),
          layer.shape().segments(),
          layer.shape().segmentBits(),
          layer.shape().numHashFunctions(),
          layer.openedAt().map(Instant::toEpochMilli).orElse(null));
    }

    private Layer layer(int firstSegment) {
      return new Layer(
          firstSegment,
          expectedInsertions,
          falsePositiveProbability,
          new FilterShape(segments, segmentBits, numHashFunctions),
          Optional.ofNullable(openedAt).map(Instant::ofEpochMilli));
    }
  }

  /** Writes a definition. The same definition always gives the same text. */
  public String write(Definition definition) {
    var parameters = definition.plan.parameters();
    var adopted = definition.adoptedKey;
    try {
      return JSON.writeValueAsString(
          new Document(
              FORMAT,
              SchemeDocument.of(parameters.hashScheme()),
              parameters.expectedInsertions(),
              parameters.falsePositiveProbability(),
              parameters.whenFull(),
              parameters.growth().orElse(null),
              parameters.window().orElse(null),
              parameters.counting(),
              definition.plan.layers().stream().map(LayerDocument::of).toList(),
              adopted.map(AdoptedKey::redisKey).orElse(null),
              adopted.flatMap(AdoptedKey::companionKey).orElse(null)));
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
      var document = JSON.readValue(json, Document.class);
      if (document.format != FORMAT) {
        throw FilterErrors.unknownFormat(name, String.valueOf(document.format));
      }
      return definition(name, document);
    } catch (JsonProcessingException | IllegalArgumentException | NullPointerException malformed) {
      throw FilterErrors.damaged(name, key);
    }
  }

  private Definition definition(FilterName name, Document document) {
    var layers = new ArrayList<Layer>();
    for (var layer : document.layers) {
      var first = layers.isEmpty() ? 0 : layers.get(layers.size() - 1).endSegment();
      layers.add(layer.layer(first));
    }
    if (layers.isEmpty()) {
      throw new IllegalArgumentException("no layers");
    }
    var parameters =
        new FilterParameters(
            scheme(name, document.scheme),
            document.expectedInsertions,
            document.falsePositiveProbability,
            layers.get(0).shape(),
            document.whenFull,
            Optional.ofNullable(document.growth),
            Optional.ofNullable(document.window),
            document.counting);
    return new Definition(
        new FilterPlan(parameters, layers),
        Optional.ofNullable(document.redisKey)
            .map(key -> new AdoptedKey(key, Optional.ofNullable(document.companionKey))));
  }

  private HashScheme scheme(FilterName name, SchemeDocument document) {
    var scheme =
        HashSchemes.named(document.id, Optional.ofNullable(document.codec))
            .orElseThrow(() -> FilterErrors.unknownFormat(name, document.id));
    return scheme.isKeyed()
        ? secrets.scheme(new KeyOrigin(document.secretId, document.salt))
        : scheme;
  }
}
