package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The Java code computes every value of the independent reference, bloomgate_1.py. */
class GoldenVectorsTest {

  private static final HashScheme SCHEME = HashSchemes.named("bloomgate-1").orElseThrow();
  private static final JsonNode VECTORS = read();

  @Test
  void murmur3() {
    forEachRow(
        "murmur3",
        90,
        row -> {
          long[] words = new long[2];
          Murmur3.hash(element(row), 0, words);
          assertEquals(word(row, "h1Hex"), words[0], row::toString);
          assertEquals(word(row, "h2Hex"), words[1], row::toString);
        });
  }

  @Test
  void sizing() {
    forEachRow(
        "sizing",
        300,
        row -> {
          long n = row.get("n").asLong();
          double p = row.get("p").asDouble();
          long bits = Sizing.bitSize(n, p);
          assertEquals(row.get("bits").asLong(), bits, row::toString);
          assertEquals(
              row.get("numHashFunctions").asInt(), Sizing.numHashFunctions(n, bits), row::toString);
          FilterShape shape = SCHEME.shapeFor(n, p);
          assertEquals(shape(row), shape, row::toString);
          assertEquals(row.get("bitSize").asLong(), shape.bitSize(), row::toString);
        });
  }

  @Test
  void roundingOfAnExplicitBitSize() {
    forEachRow(
        "rounding",
        15,
        row -> {
          FilterShape shape = SCHEME.shapeOf(row.get("bitSize").asLong(), 5);
          assertEquals(
              new FilterShape(row.get("segments").asInt(), row.get("segmentBits").asLong(), 5),
              shape,
              row::toString);
        });
  }

  @Test
  void locations() {
    forEachRow(
        "locations",
        400,
        row -> {
          FilterShape shape = shape(row);
          long[] positions = new long[Math.max(2, shape.numHashFunctions())];
          int segment = SCHEME.locate(element(row), shape, positions);
          assertEquals(row.get("segment").asInt(), segment, row::toString);
          long[] expected = longs(row.get("offsets"));
          assertEquals(shape.numHashFunctions(), expected.length, row::toString);
          assertArrayEquals(
              expected, Arrays.copyOf(positions, shape.numHashFunctions()), row::toString);
        });
  }

  @Test
  void wholeFilters() {
    forEachRow(
        "filters",
        6,
        row -> {
          RedisBitmaps filter = new RedisBitmaps(SCHEME, shape(row));
          row.get("elements").forEach(member -> filter.add(element(member)));
          List<String> expected = new ArrayList<>();
          row.get("bitmapsHex").forEach(bitmap -> expected.add(bitmap.asText()));
          assertEquals(expected, filter.toHex(), row::toString);
          assertEquals(row.get("bitsSet").asLong(), filter.bitsSet(), row::toString);
          row.get("elements")
              .forEach(member -> assertTrue(filter.mightContain(element(member)), row::toString));
          row.get("others")
              .forEach(
                  other ->
                      assertEquals(
                          other.get("mightContain").asBoolean(),
                          filter.mightContain(element(other)),
                          other::toString));
        });
  }

  private static void forEachRow(String section, int atLeast, Consumer<JsonNode> check) {
    JsonNode rows = VECTORS.get(section);
    assertTrue(rows.size() >= atLeast, section + " has only " + rows.size() + " rows");
    rows.forEach(check);
  }

  private static FilterShape shape(JsonNode row) {
    return new FilterShape(
        row.get("segments").asInt(),
        row.get("segmentBits").asLong(),
        row.get("numHashFunctions").asInt());
  }

  private static byte[] element(JsonNode row) {
    return HexFormat.of().parseHex(row.get("elementHex").asText());
  }

  private static long word(JsonNode row, String field) {
    return Long.parseUnsignedLong(row.get(field).asText(), 16);
  }

  private static long[] longs(JsonNode array) {
    long[] values = new long[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).asLong();
    }
    return values;
  }

  private static JsonNode read() {
    try (InputStream json = GoldenVectorsTest.class.getResourceAsStream("/hash/bloomgate-1.json")) {
      return new ObjectMapper().readTree(json);
    } catch (IOException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
