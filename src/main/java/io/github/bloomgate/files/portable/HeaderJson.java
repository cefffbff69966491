package io.github.bloomgate.files.portable;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
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

/**
 * The header of a file, to and from JSON. Reading is strict: every field, each once, no other, of
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
          "segments",
          "segmentBits",
          "numHashFunctions",
          "whenFull",
          "generation",
          "exportedAt");

  /** Only with a scheme that has several. */
  private static final String CODEC = "elementCodec";

  /** Only with a keyed scheme, both. */
  private static final String SECRET = "hashSecretId";

  private static final String SALT = "hashSalt";
  private static final List<String> OPTIONAL = List.of(CODEC, SECRET, SALT);

  private final JsonNode values;

  private HeaderJson(JsonNode values) {
    this.values = values;
  }

  /** The header as JSON, its fields always in the same order. */
  static byte[] write(FileHeader header) {
    var bytes = new ByteArrayOutputStream();
    try (var json = JSON.createGenerator(bytes)) {
      var parameters = header.parameters();
      var shape = parameters.shape();
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
      json.writeNumberField("segments", shape.segments());
      json.writeNumberField("segmentBits", shape.segmentBits());
      json.writeNumberField("numHashFunctions", shape.numHashFunctions());
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
   * @throws BadHeader if anything is wrong with it
   */
  static FileHeader read(byte[] buffer, int start, int length) throws BadHeader {
    for (var i = start; i < start + length; i++) {
      if (buffer[i] < 0x20 || buffer[i] > 0x7e) {
        throw new BadHeader("has a byte that is not printable ASCII");
      }
    }
    return new HeaderJson(parse(new String(buffer, start, length, US_ASCII))).toHeader();
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
    for (var field : (Iterable<String>) header::fieldNames) {
      if (!FIELDS.contains(field) && !OPTIONAL.contains(field)) {
        throw new BadHeader("has a field that this version of the format does not have");
      }
    }
    return header;
  }

  private FileHeader toHeader() throws BadHeader {
    for (var field : FIELDS) {
      if (!values.has(field)) {
        throw new BadHeader("lacks the field " + field);
      }
    }
    return new FileHeader(name(), parameters(), integer("generation", Long.MAX_VALUE), moment());
  }

  private FilterName name() throws BadHeader {
    try {
      return new FilterName(text("name"));
    } catch (BloomException invalid) {
      throw wrong("name");
    }
  }

  private FilterParameters parameters() throws BadHeader {
    var scheme = scheme();
    var given = values.get("falsePositiveProbability");
    var probability = given.doubleValue();
    if (!given.isDouble() || !(probability > 0 && probability < 1)) {
      throw wrong("falsePositiveProbability");
    }
    return new FilterParameters(
        scheme,
        integer("expectedInsertions", FilterParameters.MAX_EXPECTED_INSERTIONS),
        probability,
        shape(scheme),
        whenFull());
  }

  private HashScheme scheme() throws BadHeader {
    var codec = values.has(CODEC) ? Optional.of(text(CODEC)) : Optional.<String>empty();
    var scheme = HashSchemes.named(text("hashScheme"), codec).orElse(null);
    if (scheme == null) {
      throw new BadHeader(
          "names a hash scheme or an element codec that this version of the service does not know");
    }
    if (values.has(SECRET) != scheme.isKeyed() || values.has(SALT) != scheme.isKeyed()) {
      throw new BadHeader(
          "has hashSecretId and hashSalt without a keyed hash scheme, or the other way round");
    }
    return scheme.isKeyed() ? HashSchemes.keyed(origin(), Optional.empty()) : scheme;
  }

  private KeyOrigin origin() throws BadHeader {
    try {
      return new KeyOrigin(text(SECRET), text(SALT));
    } catch (IllegalArgumentException malformed) {
      throw wrong("hashSecretId or hashSalt");
    }
  }

  private FilterShape shape(HashScheme scheme) throws BadHeader {
    var segments = (int) integer("segments", Integer.MAX_VALUE);
    var segmentBits = integer("segmentBits", FilterParameters.MAX_BIT_SIZE / segments);
    var k = (int) integer("numHashFunctions", FilterParameters.MAX_HASH_FUNCTIONS);
    var shape = new FilterShape(segments, segmentBits, k);
    FilterShape own;
    try {
      own = scheme.shapeOf(shape.bitSize(), k);
    } catch (IllegalArgumentException refused) {
      own = null;
    }
    if (!shape.equals(own)) {
      throw new BadHeader(
          "has segments, segmentBits and numHashFunctions that its hash scheme does not make");
    }
    return shape;
  }

  private WhenFull whenFull() throws BadHeader {
    return switch (text("whenFull")) {
      case "accept" -> WhenFull.ACCEPT;
      case "reject" -> WhenFull.REJECT;
      default -> throw wrong("whenFull");
    };
  }

  private Instant moment() throws BadHeader {
    try {
      return Instant.parse(text("exportedAt"));
    } catch (DateTimeException malformed) {
      throw wrong("exportedAt");
    }
  }

  private String text(String field) throws BadHeader {
    if (values.get(field).isTextual()) {
      return values.get(field).textValue();
    }
    throw wrong(field);
  }

  private long integer(String field, long max) throws BadHeader {
    var given = values.get(field);
    var number = given.longValue();
    if (given.isIntegralNumber() && given.canConvertToLong() && number >= 1 && number <= max) {
      return number;
    }
    throw wrong(field);
  }

  private static BadHeader wrong(String field) {
    return new BadHeader("has a wrong value or type of " + field);
  }

  /** What is wrong with a header, as the rest of a sentence about it. */
  static final class BadHeader extends Exception {
    private static final long serialVersionUID = 1L;

    BadHeader(String problem) {
      super(problem, null, false, false);
    }
  }
}
