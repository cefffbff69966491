package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.Interpreter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The independent implementations in Python produce the golden vectors of the native schemes. */
class VectorGeneratorTest {

  private static final Path VECTORS = Path.of("src/test/resources/hash");

  @ParameterizedTest
  @ValueSource(strings = {"bloomgate-1", "bloomgate-1-keyed"})
  void theVectorsAreReproduced(String scheme) throws Exception {
    Interpreter.assume("python3", "--version");
    var vectors = Files.readString(VECTORS.resolve(scheme + ".json"));
    var generator = scheme.replace('-', '_') + ".py";
    assertEquals("0 " + vectors.strip(), Interpreter.run(VECTORS, "python3", generator));
  }
}
