package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every scheme of another library computes the same values as the library. */
class LibraryVectorsTest {

  /** All schemes except ours and one with a different kind of file, which has its own tests. */
  private static final List<String> IDS =
      HashSchemes.ids().stream()
          .filter(id -> !id.startsWith("bloomgate-") && !id.equals("rueidisprob"))
          .toList();

  private final HashScheme rueidis = HashSchemes.named("rueidisprob").orElseThrow();

  @TestFactory
  Stream<DynamicTest> everyVectorHolds() {
    return IDS.stream().map(id -> dynamicTest(id, () -> LibraryVectors.of(id).checkAll()));
  }

  @Test
  void everyVectorOfRueidisHolds() {
    var vectors = LibraryVectors.of("rueidisprob");
    vectors.checkLocations(32);
    vectors.checkParameters(8);
    for (var row : vectors.section("rejectedParameters", 4)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> rueidis.shapeFor(row.get("n").asLong(), row.get("p").asDouble()),
          row::toString);
    }
  }

  /** It would have too few bits for even one hash function. */
  @Test
  void aShapeWithoutHashFunctionsIsRefusedByRueidis() {
    assertThrows(IllegalArgumentException.class, () -> rueidis.shapeFor(1000, 0.9));
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
  void aKeyOfRueidisIsANameInBraces(String key, boolean isOne) {
    assertEquals(isOne, rueidis.keyProblem(key).isEmpty());
    assertEquals(Optional.of(key + ":c"), rueidis.counterKey(key));
  }
}
