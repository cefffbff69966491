package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.StreamSupport;

/** A filter of a golden file: the library's files and answers. */
record GoldenFilter(String scheme, JsonNode node) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** All filters of a golden file, except those of hundreds of MiB. */
  static List<GoldenFilter> of(String scheme) {
    try (var json = GoldenFilter.class.getResourceAsStream("/hash/libraries/" + scheme + ".json")) {
      var filters =
          StreamSupport.stream(JSON.readTree(json).get("endToEnd").spliterator(), false)
              .filter(node -> !node.has("setBits"))
              .map(node -> new GoldenFilter(scheme, node))
              .toList();
      assertEquals(true, filters.size() >= 3, scheme);
      return filters;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
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

  /** Redisson's own default codec in the words of the service. */
  boolean isKryo() {
    return node.path("codec").asText().equals("default");
  }

  void assertDigest(String field, byte[] bytes) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      assertEquals(text(field), "%064x".formatted(new BigInteger(1, digest)), toString());
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
