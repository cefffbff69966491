package io.github.bloomgate.hash;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every scheme of another library computes the same values as the library. */
class LibraryVectorsTest {

  /**
   * All schemes except ours and one with a different kind of file, which {@code RueidisVectorsTest}
   * covers.
   */
  private static final List<String> IDS =
      HashSchemes.ids().stream()
          .filter(id -> !id.startsWith("bloomgate-") && !id.equals("rueidisprob"))
          .toList();

  @TestFactory
  Stream<DynamicTest> everyVectorHolds() {
    return IDS.stream().map(id -> dynamicTest(id, () -> LibraryVectors.of(id).checkAll()));
  }
}
