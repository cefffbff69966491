package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scheme {@code rueidisprob} computes what the library computed. */
class RueidisVectorsTest {

  private final HashScheme scheme = HashSchemes.named("rueidisprob").orElseThrow();
  private final LibraryVectors vectors = LibraryVectors.of("rueidisprob");

  @Test
  void everyVectorHolds() {
    check(vectors);
    for (var row : vectors.section("rejectedParameters", 4)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> scheme.shapeFor(row.get("n").asLong(), row.get("p").asDouble()),
          row::toString);
    }
  }

  @Test
  void oneWrongValueIsSeen() {
    for (var row : new int[] {7, 31}) {
      seen(root -> LibraryVectorsTest.addOne(root.get("locations").get(row).get("offsets"), 0));
    }
    for (var field : new String[] {"m", "k"}) {
      seen(root -> LibraryVectorsTest.addOne(root.get("parameters").get(3), field));
    }
  }

  /** Its bits would be too few for even one hash function. */
  @Test
  void aShapeWithoutHashFunctionsIsRefused() {
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
    var mutated = vectors.copy();
    mutation.accept(mutated.root());
    assertThrows(AssertionError.class, () -> check(mutated));
  }

  private static void check(LibraryVectors vectors) {
    vectors.checkLocations(32);
    vectors.checkParameters(8);
  }
}
