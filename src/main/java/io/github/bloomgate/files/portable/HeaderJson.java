package io.github.bloomgate.files.portable;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The header of a file as JSON, with its fields in this order. A field that the filter or the
 * version of the file does not have is null here and absent in the JSON. Reading is strict: all
 * fields, each once, no others, of the right type and within the limits of the service.
 *
 * @param elementCodec only if the scheme has several
 * @param hashSecretId only with a keyed scheme, as {@code hashSalt}
 * @param growthFactor only with layers, as {@code maxSizeBytes}
 * @param layers of version 2, instead of the shape
 * @param content of version 3
 * @param window only if the content is slices
 */
record HeaderJson(
    String name,
    String hashScheme,
    String elementCodec,
    String hashSecretId,
    String hashSalt,
    Long expectedInsertions,
    Double falsePositiveProbability,
    Integer growthFactor,
    Long maxSizeBytes,
    List<LayerJson> layers,
    String content,
    Integer segments,
    Long segmentBits,
    Integer numHashFunctions,
    WindowJson window,
    String whenFull,
    Long generation,
    String exportedAt) {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withCoercionConfig(
              LogicalType.Textual,
              text ->
                  Stream.of(
                          CoercionInputShape.Boolean,
                          CoercionInputShape.Integer,
                          CoercionInputShape.Float)
                      .forEach(other -> text.setCoercion(other, CoercionAction.Fail)))
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
          .build();

  private static final String BITS = "bits";
  private static final String COUNTERS = "counters";
  private static final String SLICES = "slices";

  record LayerJson(
      Long expectedInsertions,
      Double falsePositiveProbability,
      Integer segments,
      Long segmentBits,
      Integer numHashFunctions) {}

  /** Either seconds or insertions. */
  record WindowJson(Long seconds, Long insertions, Integer slices, Integer rings, Boolean refresh) {

    private static WindowJson of(Window window) {
      return new WindowJson(
          window.isByTime() ? window.seconds() : null,
          window.isByTime() ? null : window.insertions(),
          window.slices(),
          window.rings(),
          window.refresh());
    }
  }

  /** The header as JSON, with its fields always in the same order. */
  static byte[] write(FileHeader header) {
    try {
      return JSON.writeValueAsBytes(of(header));
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static HeaderJson of(FileHeader header) {
    var parameters = header.parameters();
    var scheme = parameters.hashScheme();
    var origin = scheme.keyOrigin();
    var growth = parameters.growth();
    var shape = growth.isPresent() ? null : parameters.shape();
    var window = parameters.window();
    return new HeaderJson(
        header.name().value(),
        scheme.id(),
        scheme.elementCodec().orElse(null),
        origin.map(KeyOrigin::secretId).orElse(null),
        origin.map(KeyOrigin::salt).orElse(null),
        parameters.expectedInsertions(),
        parameters.falsePositiveProbability(),
        growth.map(Growth::factor).orElse(null),
        growth.map(Growth::maxSizeBytes).orElse(null),
        growth.isPresent() ? layers(header.plan()) : null,
        header.version() == FileLayout.VERSION_OF_CONTENT ? content(parameters) : null,
        shape == null ? null : shape.segments(),
        shape == null ? null : shape.segmentBits(),
        shape == null ? null : shape.numHashFunctions(),
        window.map(WindowJson::of).orElse(null),
        parameters.whenFull().name().toLowerCase(Locale.ROOT),
        header.generation(),
        header.exportedAt().toString());
  }

  private static List<LayerJson> layers(FilterPlan plan) {
    return plan.layers().stream()
        .map(
            layer ->
                new LayerJson(
                    layer.expectedInsertions(),
                    layer.falsePositiveProbability(),
                    layer.shape().segments(),
                    layer.shape().segmentBits(),
                    layer.shape().numHashFunctions()))
        .toList();
  }

  private static String content(FilterParameters parameters) {
    return parameters.counting() ? COUNTERS : parameters.window().isPresent() ? SLICES : BITS;
  }

  /**
   * Reads a header.
   *
   * @param version a supported version
   * @throws BadHeader if the header is invalid
   */
  static FileHeader read(int version, byte[] buffer, int start, int length) throws BadHeader {
    for (var i = start; i < start + length; i++) {
      if (buffer[i] < 0x20 || buffer[i] > 0x7e) {
        throw new BadHeader("has a byte that is not printable ASCII");
      }
    }
    try {
      return parse(new String(buffer, start, length, US_ASCII)).toHeader(version);
    } catch (IOException malformed) {
      throw new BadHeader(
          "is not a well-formed JSON object with the fields of this format version, each once and of the right type");
    }
  }

  private static HeaderJson parse(String text) throws IOException, BadHeader {
    // The mapper would read a null as an absent field.
    try (var tokens = JSON.createParser(text)) {
      while (tokens.nextToken() != null) {
        if (tokens.currentToken() == JsonToken.VALUE_NULL) {
          throw new BadHeader("has a null");
        }
      }
    }
    return JSON.readValue(text, HeaderJson.class);
  }

  private FileHeader toHeader(int version) throws BadHeader {
    var scheme = scheme();
    var whenFull =
        switch (present(whenFull(), "whenFull")) {
          case "accept" -> WhenFull.ACCEPT;
          case "reject" -> WhenFull.REJECT;
          case "grow" -> WhenFull.GROW;
          default -> throw wrong("whenFull");
        };
    if ((version == FileLayout.VERSION_OF_LAYERS) != (whenFull == WhenFull.GROW)) {
      throw wrong("whenFull");
    }
    var n = insertions(expectedInsertions, "expectedInsertions");
    var p = probability(falsePositiveProbability);
    var plan =
        switch (version) {
          case FileLayout.VERSION_OF_LAYERS -> layered(scheme, n, p);
          case FileLayout.VERSION_OF_CONTENT -> FilterPlan.of(withContent(scheme, n, p, whenFull));
          default -> {
            requireAbsent(growthFactor, maxSizeBytes, layers, content, window);
            var shape = shapeOf(scheme, segments, segmentBits, numHashFunctions);
            yield FilterPlan.of(new FilterParameters(scheme, n, p, shape, whenFull));
          }
        };
    var number = limited(generation, Long.MAX_VALUE, "generation");
    try {
      return new FileHeader(
          new FilterName(present(name, "name")),
          plan,
          number,
          Instant.parse(present(exportedAt, "exportedAt")));
    } catch (BloomException | DateTimeException malformed) {
      throw wrong("name or exportedAt");
    }
  }

  private HashScheme scheme() throws BadHeader {
    var scheme =
        HashSchemes.named(present(hashScheme, "hashScheme"), Optional.ofNullable(elementCodec))
            .orElse(null);
    if (scheme == null) {
      throw new BadHeader(
          "names a hash scheme or an element codec that this version of the service does not support");
    }
    if ((hashSecretId != null) != scheme.isKeyed() || (hashSalt != null) != scheme.isKeyed()) {
      throw new BadHeader(
          "has hashSecretId and hashSalt without a keyed hash scheme, or the other way round");
    }
    if (!scheme.isKeyed()) {
      return scheme;
    }
    try {
      return HashSchemes.keyed(new KeyOrigin(hashSecretId, hashSalt), Optional.empty());
    } catch (IllegalArgumentException malformed) {
      throw wrong("hashSecretId or hashSalt");
    }
  }

  /** The plan of version 2; its layers must be consecutive and within its limits. */
  private FilterPlan layered(HashScheme scheme, long n, double p) throws BadHeader {
    requireAbsent(content, segments, segmentBits, numHashFunctions, window);
    if (!scheme.canGrow()) {
      throw new BadHeader("has layers, but its hash scheme does not support them");
    }
    var growth =
        new Growth(
            (int) limited(growthFactor, Growth.MAX_FACTOR, "growthFactor"),
            limited(maxSizeBytes, Growth.MAX_SIZE_BYTES, "maxSizeBytes"));
    if (present(layers, "layers").isEmpty() || layers.size() > Growth.MAX_LAYERS) {
      throw wrong("layers");
    }
    var read = new ArrayList<Layer>();
    var firstSegment = 0;
    for (var one : layers) {
      var layer =
          new Layer(
              firstSegment,
              insertions(one.expectedInsertions, "expectedInsertions"),
              probability(one.falsePositiveProbability),
              shapeOf(scheme, one.segments, one.segmentBits, one.numHashFunctions),
              Optional.empty());
      read.add(layer);
      firstSegment = layer.endSegment();
    }
    var rates = read.stream().mapToDouble(Layer::falsePositiveProbability).sum();
    if (Layer.sizeBytes(read) > growth.maxSizeBytes() || rates > p) {
      throw new BadHeader("has layers beyond its maxSizeBytes or its falsePositiveProbability");
    }
    var shape = read.get(0).shape();
    var parameters =
        new FilterParameters(
            scheme, n, p, shape, WhenFull.GROW, Optional.of(growth), Optional.empty(), false);
    if (!FilterPlan.of(parameters).layers().get(0).equals(read.get(0))) {
      throw new BadHeader("has a first layer that does not match its parameters");
    }
    return new FilterPlan(parameters, read);
  }

  /** The parameters of version 3; the segments must be those that the service would create. */
  private FilterParameters withContent(HashScheme scheme, long n, double p, WhenFull whenFull)
      throws BadHeader {
    requireAbsent(growthFactor, maxSizeBytes, layers);
    if (!scheme.canGrow()) {
      throw new BadHeader("has a content, but its hash scheme supports only bits");
    }
    if ((window != null) != present(content, "content").equals(SLICES)) {
      throw new BadHeader("has a window without slices, or the other way round");
    }
    var read = window == null ? Optional.<Window>empty() : Optional.of(window(whenFull));
    var shape = shape(segments, segmentBits, numHashFunctions);
    var isPossible =
        switch (content) {
          case BITS -> Counters.wereIn(shape);
          case COUNTERS -> Counters.areIn(shape);
          case SLICES -> read.orElseThrow().isIn(shape);
          default -> throw wrong("content");
        };
    if (!isPossible) {
      throw new BadHeader("has segments and segmentBits that do not match its content");
    }
    return new FilterParameters(
        scheme, n, p, shape, whenFull, Optional.empty(), read, content.equals(COUNTERS));
  }

  /** A window is never full and has at least two slices. */
  private Window window(WhenFull whenFull) throws BadHeader {
    var slices = (int) limited(window.slices, Window.MAX_SLICES, "slices");
    if (slices < Window.MIN_SLICES || whenFull != WhenFull.ACCEPT) {
      throw wrong("slices or whenFull");
    }
    var refresh = present(window.refresh, "refresh");
    Window read;
    if (window.seconds == null) {
      read = Window.ofInsertions(insertions(window.insertions, "insertions"), slices, refresh);
    } else {
      requireAbsent(window.insertions);
      var seconds = limited(window.seconds, Window.MAX_SECONDS, "seconds");
      read = Window.ofSeconds(seconds, slices, refresh);
    }
    if (limited(window.rings, Integer.MAX_VALUE, "rings") != read.rings()) {
      throw wrong("rings");
    }
    return read;
  }

  private static FilterShape shapeOf(
      HashScheme scheme, Integer segments, Long segmentBits, Integer numHashFunctions)
      throws BadHeader {
    var shape = shape(segments, segmentBits, numHashFunctions);
    if (!FileHeader.isOf(scheme, shape)) {
      throw new BadHeader(
          "has segments, segmentBits and numHashFunctions that do not fit its hash scheme");
    }
    return shape;
  }

  private static FilterShape shape(Integer segments, Long segmentBits, Integer numHashFunctions)
      throws BadHeader {
    var count = (int) limited(segments, Integer.MAX_VALUE, "segments");
    return new FilterShape(
        count,
        limited(segmentBits, FilterParameters.MAX_BIT_SIZE / count, "segmentBits"),
        (int) limited(numHashFunctions, FilterParameters.MAX_HASH_FUNCTIONS, "numHashFunctions"));
  }

  private static long insertions(Long given, String field) throws BadHeader {
    return limited(given, FilterParameters.MAX_EXPECTED_INSERTIONS, field);
  }

  private static double probability(Double given) throws BadHeader {
    var field = "falsePositiveProbability";
    var probability = present(given, field);
    if (probability > 0 && probability < 1) {
      return probability;
    }
    throw wrong(field);
  }

  private static long limited(Number given, long max, String field) throws BadHeader {
    var number = present(given, field).longValue();
    if (number >= 1 && number <= max) {
      return number;
    }
    throw wrong(field);
  }

  private static <T> T present(T given, String field) throws BadHeader {
    if (given == null) {
      throw new BadHeader("lacks the field " + field);
    }
    return given;
  }

  private static void requireAbsent(Object... fields) throws BadHeader {
    if (Stream.of(fields).anyMatch(Objects::nonNull)) {
      throw new BadHeader("has a field that this version of the format does not have");
    }
  }

  private static BadHeader wrong(String field) {
    return new BadHeader("has an invalid value of " + field);
  }

  /** A header is invalid. The message completes "its header ...". */
  static final class BadHeader extends Exception {
    private static final long serialVersionUID = 1L;

    BadHeader(String problem) {
      super(problem, null, false, false);
    }
  }
}
