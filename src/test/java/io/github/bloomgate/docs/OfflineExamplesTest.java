package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Interpreter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The programs in {@code examples/offline} compute the golden vectors, find the elements of
 * exported files, and refuse incomplete files. Skips languages that are not installed.
 */
class OfflineExamplesTest {

  private static final Path EXAMPLES = Path.of("examples/offline");
  private static final Path RESOURCES = Path.of("src/test/resources");
  private static final Path CHECKS = RESOURCES.resolve("offline");

  /** The number of elements in each golden file. */
  private static final Map<String, Integer> FILES =
      Map.of(
          "golden.bloom", 1000,
          "golden-grown.bloom", 350,
          "golden-counting.bloom", 200,
          "golden-window.bloom", 200);

  @TempDir private Path scratch;

  @ParameterizedTest
  @CsvSource({"python3, check_vectors.py", "node, check_vectors.mjs"})
  void theVectorsAreComputed(String interpreter, String script) throws Exception {
    Interpreter.assume(interpreter, "--version");
    copyAll(scratch);
    var vectors = RESOURCES.resolve("hash/bloomgate-1.json").toAbsolutePath().toString();
    var output = Interpreter.run(scratch, interpreter, script, vectors);
    assertTrue(output.matches("0 [0-9]{3,} checks passed"), output);
  }

  @ParameterizedTest
  @CsvSource({"python3, check_file.py", "node, check_file.mjs"})
  void elementsAreFound(String interpreter, String script) throws Exception {
    Interpreter.assume(interpreter, "--version");
    copyAll(scratch);
    assertFindsAndRefuses(interpreter, script);
  }

  @Test
  void elementsAreFoundInGo() throws Exception {
    Interpreter.assume("go", "version");
    copyAll(Files.createDirectories(scratch.resolve("bloomgate")));
    Files.move(scratch.resolve("bloomgate/check_file.go"), scratch.resolve("check_file.go"));
    Files.writeString(scratch.resolve("go.mod"), "module example.com/check\n\ngo 1.19\n");
    assertEquals("0 ", Interpreter.run(scratch, "go", "build", "-o", "check"));
    assertFindsAndRefuses(scratch.resolve("check").toAbsolutePath().toString());
  }

  private void assertFindsAndRefuses(String... program) throws Exception {
    for (var file : FILES.entrySet()) {
      var bytes = Files.readAllBytes(RESOURCES.resolve("portable").resolve(file.getKey()));
      assertEquals(
          "0 %d elements found".formatted(file.getValue()),
          check(program, bytes, file.getValue()),
          file.getKey());
    }
    var golden = Files.readAllBytes(RESOURCES.resolve("portable/golden.bloom"));
    for (var length : new int[] {0, 10, 300, golden.length / 2, golden.length - 1}) {
      assertRefused(check(program, Arrays.copyOf(golden, length), 1));
    }
    assertRefused(check(program, Arrays.copyOf(golden, golden.length + 1), 1));
    for (var position : new int[] {3, 50, 500, golden.length / 2, golden.length - 1}) {
      var altered = golden.clone();
      altered[position] ^= 1;
      assertRefused(check(program, altered, 1));
    }
  }

  private static void assertRefused(String result) {
    assertTrue(result.startsWith("1 "), result);
  }

  private String check(String[] program, byte[] file, int count) throws Exception {
    var path = Files.write(scratch.resolve("file.bloom"), file).toAbsolutePath().toString();
    var command = Arrays.copyOf(program, program.length + 2);
    command[program.length] = path;
    command[program.length + 1] = Integer.toString(count);
    return Interpreter.run(scratch, command);
  }

  private static void copyAll(Path into) throws IOException {
    for (var from : new Path[] {EXAMPLES, CHECKS}) {
      try (var files = Files.list(from)) {
        for (var file : files.toList()) {
          Files.copy(file, into.resolve(file.getFileName()));
        }
      }
    }
  }
}
