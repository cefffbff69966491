package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.HexFormat;

/** Reads rows of the golden files and computes the bits of their elements. */
final class LibraryRows {

  private LibraryRows() {}

  /** The rate that a bitmap is made for. It may differ from the rate requested from the library. */
  static double probability(JsonNode row) {
    double p = row.get("p").asDouble();
    if (!row.has("nonScaling")) {
      return p;
    }
    return Math.min(p, 0.25) * (row.get("nonScaling").asBoolean() ? 1 : 0.5);
  }

  static long[] locate(HashScheme scheme, byte[] element, JsonNode row) {
    FilterShape shape = new FilterShape(1, row.get("m").asLong(), row.get("k").asInt());
    long[] positions = new long[Math.max(2, shape.numHashFunctions())];
    assertEquals(0, scheme.locate(element, shape, positions));
    return Arrays.copyOf(positions, shape.numHashFunctions());
  }

  static FilterShape shape(JsonNode row) {
    return new FilterShape(
        row.get("segments").asInt(),
        row.get("segmentBits").asLong(),
        row.get("numHashFunctions").asInt());
  }

  /** Asserts the location of a row's element in a scheme that may have several segments. */
  static void assertLocated(HashScheme scheme, JsonNode row) {
    var shape = shape(row);
    var positions = new long[Math.max(2, shape.numHashFunctions())];
    var segment = scheme.locate(element(row), shape, positions);
    assertEquals(row.get("segment").asInt(), segment, row::toString);
    assertArrayEquals(
        longs(row.get("offsets")),
        Arrays.copyOf(positions, shape.numHashFunctions()),
        row::toString);
  }

  static byte[] element(JsonNode row) {
    return HexFormat.of().parseHex(row.get("elementHex").asText());
  }

  static long[] longs(JsonNode array) {
    long[] values = new long[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).asLong();
    }
    return values;
  }
}
