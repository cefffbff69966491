package io.github.bloomgate.files.portable;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.StreamErrors;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The header of a file as JSON, with its fields in this order. Reading is strict: all fields, each
 * once, no others, of the right type and within the limits of the service.
 *
 * @param elementCodec only if the scheme has several
 * @param hashSecretId only with a keyed scheme, as {@code hashSalt}
 * @param numRings of a segment, only with a window
 * @param layers not opened
 */
record HeaderJson(
    String name,
    String hashScheme,
    Optional<String> elementCodec,
    Optional<String> hashSecretId,
    Optional<String> hashSalt,
    long expectedInsertions,
    double falsePositiveProbability,
    WhenFull whenFull,
    Optional<Growth> growth,
    Optional<Window> window,
    Optional<Integer> numRings,
    boolean counting,
    List<Layer> layers,
    long generation,
    String exportedAt) {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addModules(JsonMapper.Builder.findModules(HeaderJson.class.getClassLoader()))
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

  /** The header as JSON, with its fields always in the same order. */
  static byte[] write(FileHeader header) {
    var parameters = header.parameters();
    var scheme = parameters.hashScheme();
    try {
      return JSON.writeValueAsBytes(
          new HeaderJson(
              header.name().value(),
              scheme.id(),
              scheme.elementCodec(),
              scheme.keyOrigin().map(KeyOrigin::secretId),
              scheme.keyOrigin().map(KeyOrigin::salt),
              parameters.expectedInsertions(),
              parameters.falsePositiveProbability(),
              parameters.whenFull(),
              parameters.growth(),
              parameters.window(),
              parameters.window().map(Window::rings),
              parameters.counting(),
              header.plan().layers(),
              header.generation(),
              header.exportedAt().toString()));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Reads a header.
   *
   * @throws BloomException CORRUPT_IMPORT if it is invalid
   */
  static FileHeader read(byte[] buffer, int start, int length) {
    for (var i = start; i < start + length; i++) {
      if (buffer[i] < 0x20 || buffer[i] > 0x7e) {
        throw corrupt("has a byte that is not printable ASCII");
      }
    }
    try {
      var header = JSON.readValue(buffer, start, length, HeaderJson.class);
      require(header != null, "JSON object");
      return header.toHeader();
    } catch (UnrecognizedPropertyException other) {
      throw corrupt("has a field that this version does not have");
    } catch (JsonMappingException wrong) {
      throw corrupt("has no valid " + path(wrong));
    } catch (IOException malformed) {
      throw corrupt("is not a well-formed JSON object with each field once");
    }
  }

  private static String path(JsonMappingException wrong) {
    var path =
        wrong.getPath().stream()
            .map(JsonMappingException.Reference::getFieldName)
            .filter(Objects::nonNull)
            .collect(joining("."));
    return path.isEmpty() ? "JSON object" : path;
  }

  private FileHeader toHeader() {
    require(generation > 0, "generation");
    var plan = plan();
    try {
      return new FileHeader(new FilterName(name), plan, generation, Instant.parse(exportedAt));
    } catch (BloomException | DateTimeException malformed) {
      throw corrupt("has no valid name or exportedAt");
    }
  }

  private FilterPlan plan() {
    requireInsertions(expectedInsertions);
    requireProbability(falsePositiveProbability);
    require(numRings.equals(window.map(Window::rings)), "numRings");
    require(layers.size() <= Growth.MAX_LAYERS && !layers.isEmpty(), "layers");
    var parameters = parameters(scheme());
    var endSegment = 0;
    for (var layer : layers) {
      requireInsertions(layer.expectedInsertions());
      requireProbability(layer.falsePositiveProbability());
      require(layer.firstSegment() == endSegment && layer.openedAt().isEmpty(), "layers");
      require(isShapeOf(parameters, layer.shape()), "layers.shape");
      endSegment = layer.endSegment();
    }
    var rates = layers.stream().mapToDouble(Layer::falsePositiveProbability).sum();
    if (!layers.get(0).equals(FilterPlan.of(parameters).layers().get(0))
        || rates > falsePositiveProbability
        || Layer.sizeBytes(layers) > growth.map(Growth::maxSizeBytes).orElse(Long.MAX_VALUE)) {
      throw corrupt("has layers that do not match its other fields");
    }
    return new FilterPlan(parameters, layers);
  }

  private FilterParameters parameters(HashScheme scheme) {
    if (!scheme.canGrow() && (growth.isPresent() || window.isPresent() || counting)) {
      throw corrupt("has growth, window or counting, which its hash scheme does not support");
    }
    try {
      return new FilterParameters(
          scheme,
          expectedInsertions,
          falsePositiveProbability,
          layers.get(0).shape(),
          whenFull,
          growth,
          window,
          counting);
    } catch (IllegalArgumentException contradiction) {
      throw corrupt("has whenFull, growth, window, counting and layers that do not fit together");
    }
  }

  private HashScheme scheme() {
    var scheme = HashSchemes.named(hashScheme, elementCodec).orElse(null);
    if (scheme == null) {
      throw corrupt(
          "names a hash scheme or an element codec that this version of the service does not support");
    }
    var isKeyed = scheme.isKeyed();
    if (hashSecretId.isPresent() != isKeyed || hashSalt.isPresent() != isKeyed) {
      throw corrupt(
          "has hashSecretId and hashSalt without a keyed hash scheme, or the other way round");
    }
    if (!isKeyed) {
      return scheme;
    }
    try {
      return HashSchemes.keyed(new KeyOrigin(hashSecretId.get(), hashSalt.get()), Optional.empty());
    } catch (IllegalArgumentException malformed) {
      throw corrupt("has no valid hashSecretId or hashSalt");
    }
  }

  /**
   * Whether the service would divide as many bits into segments in this way. With bits instead of
   * counters, it keeps the segments of the counters.
   */
  private static boolean isShapeOf(FilterParameters parameters, FilterShape shape) {
    if (shape.segmentBits() > FilterParameters.MAX_BIT_SIZE / shape.segments()
        || shape.numHashFunctions() > FilterParameters.MAX_HASH_FUNCTIONS) {
      return false;
    }
    if (parameters.counting()) {
      return Counters.areIn(shape);
    }
    if (parameters.window().isPresent()) {
      return parameters.window().get().isIn(shape);
    }
    var scheme = parameters.hashScheme();
    return isShapeOf(scheme, shape)
        || (scheme.canGrow() && parameters.growth().isEmpty() && Counters.wereIn(shape));
  }

  private static boolean isShapeOf(HashScheme scheme, FilterShape shape) {
    try {
      return shape.equals(scheme.shapeOf(shape.bitSize(), shape.numHashFunctions()));
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  private static void requireInsertions(long given) {
    require(given > 0 && given <= FilterParameters.MAX_EXPECTED_INSERTIONS, "expectedInsertions");
  }

  private static void requireProbability(double given) {
    require(given > 0 && given < 1, "falsePositiveProbability");
  }

  private static void require(boolean valid, String field) {
    if (!valid) {
      throw corrupt("has no valid " + field);
    }
  }

  /**
   * @param problem completes "its header ..."
   */
  private static BloomException corrupt(String problem) {
    return StreamErrors.corruptImport("its header " + problem, 0);
  }
}
