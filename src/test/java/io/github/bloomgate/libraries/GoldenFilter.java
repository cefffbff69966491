package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.hash.LibraryVectors;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.StreamSupport;

/** A filter of a golden file: the library's files and answers. */
record GoldenFilter(String scheme, JsonNode node) {

  /** All filters of a golden file, except filters of hundreds of MiB. */
  static List<GoldenFilter> of(String scheme) {
    var filters =
        StreamSupport.stream(LibraryVectors.of(scheme).root().get("endToEnd").spliterator(), false)
            .filter(node -> !node.has("setBits"))
            .map(node -> new GoldenFilter(scheme, node))
            .toList();
    assertEquals(true, filters.size() >= 3, scheme);
    return filters;
  }

  static GoldenFilter of(String scheme, String name) {
    return of(scheme).stream()
        .filter(filter -> filter.text("name").equals(name))
        .findFirst()
        .orElseThrow();
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

  void assertDigest(String field, byte[] bytes) {
    assertEquals(text(field), sha256(bytes), toString());
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Compares the answers of the service with the library's. */
  void assertAnswers(String name) {
    for (var section : List.of("present", "absent")) {
      var rows = node.get(section);
      var elements = rows.findValuesAsText("elementHex");
      assertEquals(rows.size(), elements.size());
      var expected = rows.findValues("contains").stream().map(JsonNode::asBoolean).toList();
      assertEquals(expected, FilterFiles.test(name, elements), toString());
    }
  }

  @Override
  public String toString() {
    return scheme + ", " + text("name");
  }
}
