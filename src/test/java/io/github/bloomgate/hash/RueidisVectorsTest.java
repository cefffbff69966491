package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scheme {@code rueidisprob} computes what the library computed. */
class RueidisVectorsTest {

  private final HashScheme scheme = HashSchemes.named("rueidisprob").orElseThrow();

  @Test
  void everyVectorHolds() {
    var root = root();
    assertTrue(root.get("locations").size() >= 32);
    assertTrue(root.get("parameters").size() >= 8);
    assertTrue(root.get("rejectedParameters").size() >= 4);
    checkLocations(root);
    checkParameters(root);
    for (var row : root.get("rejectedParameters")) {
      assertThrows(
          IllegalArgumentException.class,
          () -> scheme.shapeFor(row.get("n").asLong(), row.get("p").asDouble()),
          row::toString);
    }
  }

  @Test
  void oneWrongValueIsSeen() {
    seen(root -> addOne((ArrayNode) root.get("locations").get(7).get("offsets")));
    seen(root -> addOne((ArrayNode) root.get("locations").get(31).get("offsets")));
    for (var field : new String[] {"m", "k"}) {
      seen(
          root -> {
            var row = (ObjectNode) root.get("parameters").get(3);
            row.put(field, row.get(field).asLong() + 1);
          });
    }
  }

  /** One bit more than a Redis string has; and too few for even one hash function. */
  @ParameterizedTest
  @CsvSource({"4294967297, 1", "0, 1", "64, 0", "64, -1"})
  void shapesBeyondTheLimitsAreRefused(long m, int k) {
    assertThrows(IllegalArgumentException.class, () -> scheme.shapeOf(m, k));
    assertThrows(IllegalArgumentException.class, () -> scheme.shapeFor(1000, 0.9));
  }

  @ParameterizedTest
  @CsvSource({
    "{orders}, true",
    "{a}b}, true",
    "{{a}, true",
    "orders, false",
    "{orders}:2, false",
    "a{orders}, false",
    "{}, false",
    "{}x}, false"
  })
  void aKeyIsANameInBraces(String key, boolean isOne) {
    assertEquals(isOne, scheme.keyProblem(key).isEmpty());
    assertEquals(Optional.of(key + ":c"), scheme.counterKey(key));
  }

  private void seen(Consumer<JsonNode> mutation) {
    var root = root();
    mutation.accept(root);
    assertThrows(
        AssertionError.class,
        () -> {
          checkLocations(root);
          checkParameters(root);
        });
  }

  private void checkLocations(JsonNode root) {
    for (var row : root.get("locations")) {
      var positions = new long[Math.max(2, row.get("k").asInt())];
      var element = HexFormat.of().parseHex(row.get("elementHex").asText());
      var shape = scheme.shapeOf(row.get("m").asLong(), row.get("k").asInt());
      assertEquals(0, scheme.locate(element, shape, positions));
      var offsets = row.get("offsets");
      var expected = new long[positions.length];
      for (var i = 0; i < offsets.size(); i++) {
        expected[i] = offsets.get(i).asLong();
      }
      System.arraycopy(
          positions, offsets.size(), expected, offsets.size(), expected.length - offsets.size());
      assertArrayEquals(expected, positions, row::toString);
    }
  }

  private void checkParameters(JsonNode root) {
    for (var row : root.get("parameters")) {
      assertEquals(
          new FilterShape(1, row.get("m").asLong(), row.get("k").asInt()),
          scheme.shapeFor(row.get("n").asLong(), row.get("p").asDouble()),
          row::toString);
    }
  }

  private static void addOne(ArrayNode offsets) {
    offsets.set(0, offsets.get(0).asLong() + 1);
  }

  private static JsonNode root() {
    return LibraryVectors.of("rueidisprob").copy().root();
  }
}
