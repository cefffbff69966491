package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scheme {@code rueidisprob} computes what the library computed. */
class RueidisVectorsTest {

  private final HashScheme scheme = HashSchemes.named("rueidisprob").orElseThrow();
  private final LibraryVectors vectors = LibraryVectors.of("rueidisprob");

  @Test
  void everyVectorHolds() {
    vectors.checkLocations(32);
    vectors.checkParameters(8);
    for (var row : vectors.section("rejectedParameters", 4)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> scheme.shapeFor(row.get("n").asLong(), row.get("p").asDouble()),
          row::toString);
    }
  }

  /** It would have too few bits for even one hash function. */
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
}
