package io.github.bloomgate.files.portable;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The header of a file, to and from JSON. Reading is strict: all fields, each once, no others, of
 * the right type and within the limits of the service.
 */
final class HeaderJson {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final List<String> FIELDS =
      List.of(
          "name",
          "hashScheme",
          "expectedInsertions",
          "falsePositiveProbability",
          "whenFull",
          "generation",
          "exportedAt");

  private static final List<String> OF_SHAPE =
      List.of("segments", "segmentBits", "numHashFunctions");

  /** Only if the scheme has several. */
  private static final String CODEC = "elementCodec";

  /** Both only with a keyed scheme. */
  private static final String SECRET = "hashSecretId";

  private static final String SALT = "hashSalt";
  private static final List<String> OPTIONAL = List.of(CODEC, SECRET, SALT);

  private final HeaderFields fields;
  private final int version;

  private HeaderJson(JsonNode values, int version) throws BadHeader {
    var ofVersion =
        switch (version) {
          case FileLayout.VERSION_OF_LAYERS -> LayersJson.FIELDS;
          case FileLayout.VERSION_OF_CONTENT -> ContentJson.FIELDS;
          default -> OF_SHAPE;
        };
    var optional =
        version == FileLayout.VERSION_OF_CONTENT ? ContentJson.OPTIONAL : List.<String>of();
    this.fields =
        HeaderFields.of(
            values,
            Stream.concat(FIELDS.stream(), ofVersion.stream()).toList(),
            Stream.concat(OPTIONAL.stream(), optional.stream()).toList());
    this.version = version;
  }

  /** The header as JSON, with its fields always in the same order. */
  static byte[] write(FileHeader header) {
    var bytes = new ByteArrayOutputStream();
    try (var json = JSON.createGenerator(bytes)) {
      var parameters = header.parameters();
      json.writeStartObject();
      json.writeStringField("name", header.name().value());
      json.writeStringField("hashScheme", parameters.hashScheme().id());
      var codec = parameters.hashScheme().elementCodec();
      if (codec.isPresent()) {
        json.writeStringField(CODEC, codec.get());
      }
      var origin = parameters.hashScheme().keyOrigin();
      if (origin.isPresent()) {
        json.writeStringField(SECRET, origin.get().secretId());
        json.writeStringField(SALT, origin.get().salt());
      }
      json.writeNumberField("expectedInsertions", parameters.expectedInsertions());
      json.writeNumberField("falsePositiveProbability", parameters.falsePositiveProbability());
      switch (header.version()) {
        case FileLayout.VERSION_OF_LAYERS -> LayersJson.write(json, header.plan());
        case FileLayout.VERSION_OF_CONTENT -> ContentJson.write(json, parameters);
        default -> LayersJson.writeShape(json, parameters.shape());
      }
      json.writeStringField("whenFull", parameters.whenFull().name().toLowerCase(Locale.ROOT));
      json.writeNumberField("generation", header.generation());
      json.writeStringField("exportedAt", header.exportedAt().toString());
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
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
    var values = parse(new String(buffer, start, length, US_ASCII));
    return new HeaderJson(values, version).toHeader();
  }

  private static JsonNode parse(String text) throws BadHeader {
    JsonNode header;
    try {
      header = JSON.readTree(text);
    } catch (JsonProcessingException malformed) {
      throw new BadHeader("is not one well-formed JSON object, or has a field twice");
    }
    if (!header.isObject()) {
      throw new BadHeader("is not a JSON object");
    }
    return header;
  }

  private FileHeader toHeader() throws BadHeader {
    var scheme = scheme();
    var whenFull = whenFull();
    if ((version == FileLayout.VERSION_OF_LAYERS) != (whenFull == WhenFull.GROW)) {
      throw HeaderFields.wrong("whenFull");
    }
    var plan =
        switch (version) {
          case FileLayout.VERSION_OF_LAYERS -> LayersJson.read(fields, scheme);
          case FileLayout.VERSION_OF_CONTENT ->
              FilterPlan.of(ContentJson.read(fields, scheme, whenFull));
          default -> FilterPlan.of(parameters(scheme, whenFull));
        };
    return new FileHeader(name(), plan, fields.integer("generation", Long.MAX_VALUE), moment());
  }

  private FilterName name() throws BadHeader {
    try {
      return new FilterName(fields.text("name"));
    } catch (BloomException invalid) {
      throw HeaderFields.wrong("name");
    }
  }

  private FilterParameters parameters(HashScheme scheme, WhenFull whenFull) throws BadHeader {
    return new FilterParameters(
        scheme,
        fields.integer("expectedInsertions", FilterParameters.MAX_EXPECTED_INSERTIONS),
        fields.probability("falsePositiveProbability"),
        fields.shape(scheme),
        whenFull);
  }

  private HashScheme scheme() throws BadHeader {
    var codec = fields.has(CODEC) ? Optional.of(fields.text(CODEC)) : Optional.<String>empty();
    var scheme = HashSchemes.named(fields.text("hashScheme"), codec).orElse(null);
    if (scheme == null) {
      throw new BadHeader(
          "names a hash scheme or an element codec that this version of the service does not support");
    }
    if (fields.has(SECRET) != scheme.isKeyed() || fields.has(SALT) != scheme.isKeyed()) {
      throw new BadHeader(
          "has hashSecretId and hashSalt without a keyed hash scheme, or the other way round");
    }
    return scheme.isKeyed() ? HashSchemes.keyed(origin(), Optional.empty()) : scheme;
  }

  private KeyOrigin origin() throws BadHeader {
    try {
      return new KeyOrigin(fields.text(SECRET), fields.text(SALT));
    } catch (IllegalArgumentException malformed) {
      throw HeaderFields.wrong("hashSecretId or hashSalt");
    }
  }

  /** GROW if and only if there are layers. */
  private WhenFull whenFull() throws BadHeader {
    return switch (fields.text("whenFull")) {
      case "accept" -> WhenFull.ACCEPT;
      case "reject" -> WhenFull.REJECT;
      case "grow" -> WhenFull.GROW;
      default -> throw HeaderFields.wrong("whenFull");
    };
  }

  private Instant moment() throws BadHeader {
    try {
      return Instant.parse(fields.text("exportedAt"));
    } catch (DateTimeException malformed) {
      throw HeaderFields.wrong("exportedAt");
    }
  }

  /** A header is invalid. The message completes "its header ...". */
  static final class BadHeader extends Exception {
    private static final long serialVersionUID = 1L;

    BadHeader(String problem) {
      super(problem, null, false, false);
    }
  }
}
