package io.github.bloomgate.hash;

import static io.github.bloomgate.hash.LibraryRows.element;
import static io.github.bloomgate.hash.LibraryRows.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.support.Interpreter;
import io.github.bloomgate.support.ProjectFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java code computes every value of the independent reference, bloomgate_1.py. */
class GoldenVectorsTest {

  private static final HashScheme SCHEME = HashSchemes.named("bloomgate-1").orElseThrow();
  private static final JsonNode VECTORS =
      ProjectFiles.json("src/test/resources/hash/bloomgate-1.json");

  /** The independent implementations in Python produce the golden vectors of the native schemes. */
  @ParameterizedTest
  @ValueSource(strings = {"bloomgate-1", "bloomgate-1-keyed"})
  void theVectorsAreReproduced(String scheme) throws Exception {
    Interpreter.assume("python3", "--version");
    var folder = Path.of("src/test/resources/hash");
    var vectors = Files.readString(folder.resolve(scheme + ".json"));
    var generator = scheme.replace('-', '_') + ".py";
    assertEquals("0 " + vectors.strip(), Interpreter.run(folder, "python3", generator));
  }

  @Test
  void murmur3() {
    forEachRow(
        "murmur3",
        90,
        row -> {
          long[] words = new long[2];
          Murmur3.hash(element(row), words);
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
    forEachRow("locations", 400, row -> LibraryRows.assertLocated(SCHEME, row));
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

  private static long word(JsonNode row, String field) {
    return Long.parseUnsignedLong(row.get(field).asText(), 16);
  }
}
