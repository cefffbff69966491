package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.hash.LibraryVectors;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** A filter of a golden file: the library's parameters, bits, files and answers. */
record GoldenFilter(String scheme, JsonNode node) {

  /** All filters of a golden file, except filters of hundreds of MiB. */
  static List<GoldenFilter> of(String scheme) {
    var filters = all(scheme).stream().filter(golden -> !golden.isHuge()).toList();
    assertTrue(filters.size() >= 3, scheme);
    return filters;
  }

  static GoldenFilter of(String scheme, String name) {
    return of(scheme).stream()
        .filter(filter -> filter.text("name").equals(name))
        .findFirst()
        .orElseThrow();
  }

  static List<GoldenFilter> all(String scheme) {
    return LibraryVectors.of(scheme)
        .root()
        .get("endToEnd")
        .valueStream()
        .map(node -> new GoldenFilter(scheme, node))
        .toList();
  }

  /** Whether the filter has hundreds of MiB, described by their set bits. */
  boolean isHuge() {
    return node.has("setBits");
  }

  String text(String field) {
    return node.get(field).asText();
  }

  long number(String field) {
    return node.get(field).asLong();
  }

  byte[] bytes(String field) {
    return HexFormat.of().parseHex(text(field));
  }

  /** Whether the filter uses Redisson's default codec, kryo. */
  boolean isKryo() {
    return node.path("codec").asText().equals("default");
  }

  /** The parameters to create the filter as the library would. */
  Map<String, Object> sizing() {
    if (!node.has("n")) {
      return shape();
    }
    var parameters = schemeAndCodec();
    parameters.put("expectedInsertions", number("n"));
    parameters.put("falsePositiveProbability", node.get("p").asDouble());
    return parameters;
  }

  Map<String, Object> shape() {
    var parameters = schemeAndCodec();
    parameters.put("bitSize", number("m"));
    parameters.put("numHashFunctions", number("k"));
    return parameters;
  }

  Map<String, Object> schemeAndCodec() {
    var parameters = new HashMap<String, Object>();
    parameters.put("hashScheme", scheme);
    if (node.has("codec")) {
      parameters.put("elementCodec", isKryo() ? "kryo5" : "string");
    }
    return parameters;
  }

  /** Elements in hex, or as text if the scheme or the codec only supports text. */
  Elements elements(String section) {
    var rows = node.get(section).valueStream();
    var elements =
        Elements.ofHex(rows.map(row -> row.path("elementHex").asText(row.asText())).toList());
    return scheme.equals("scrapy-redis-bloomfilter") || isKryo() ? elements.asTexts() : elements;
  }

  void assertShape(JsonNode description) {
    assertEquals(scheme, description.path("hashScheme").asText(), toString());
    assertEquals(number("m"), description.path("bitSize").asLong(), toString());
    assertEquals(number("k"), description.path("numHashFunctions").asLong(), toString());
  }

  void assertCounts(JsonNode description) {
    assertEquals(number("bitCount"), description.path("bitsSet").asLong(), toString());
    if (node.has("count")) {
      var count = description.path("approximateElementCount").asLong();
      assertEquals(number("count"), count, toString());
    }
  }

  /** Compares the bytes of a Redis key with the library's. */
  void assertBits(byte[] bits) {
    assertEquals(number("redisStringLength"), bits.length, toString());
    if (node.has("bitmapHex")) {
      assertEquals(text("bitmapHex"), HexFormat.of().formatHex(bits), toString());
    }
    assertDigest("bitmapSha256", bits);
    assertPadded(Arrays.copyOf(bits, (int) number("paddedLength")));
  }

  /** Compares bits with the library's, followed by zeros up to the end of the filter. */
  void assertPadded(byte[] bits) {
    assertEquals(number("paddedLength"), bits.length, toString());
    assertDigest("paddedSha256", bits);
  }

  void assertDigest(String field, byte[] bytes) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      assertEquals(text(field), HexFormat.of().formatHex(digest), toString());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Compares the answers of the service with the library's. */
  void assertAnswers(String name) {
    for (var section : List.of("present", "absent")) {
      var expected = node.get(section).findValues("contains").stream().map(JsonNode::asBoolean);
      assertEquals(expected.toList(), elements(section).testIn(name), this + ", " + section);
    }
  }

  @Override
  public String toString() {
    return scheme + ", " + node.path("name").asText();
  }
}
