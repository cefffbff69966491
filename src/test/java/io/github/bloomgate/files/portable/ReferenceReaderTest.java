package io.github.bloomgate.files.portable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.support.Interpreter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The readers in other languages: the page shows what the files contain, and they find the elements
 * of exported filters and refuse files that are not whole.
 */
class ReferenceReaderTest {

  private static final Path RESOURCES = Path.of("src/test/resources");
  private static final Path REFERENCE = RESOURCES.resolve("portable/reference");
  private static final Path SCHEME = RESOURCES.resolve("hash/reference");
  private static final Path GOLDEN = RESOURCES.resolve("portable/golden.bloom");

  @TempDir private Path scratch;

  @ParameterizedTest
  @CsvSource({"python, filter_file.py", "javascript, filter_file.mjs", "go, filter_file.go"})
  void pageShowsTheFile(String language, String file) throws IOException {
    var page = Files.readString(Path.of("docs", "export-format.md"));
    var code = Files.readString(REFERENCE.resolve(file));
    assertTrue(
        page.contains("```" + language + "\n" + code + "```\n"),
        "docs/export-format.md must show " + file + " exactly as it is");
  }

  @ParameterizedTest
  @CsvSource({"python3, check.py", "node, check.mjs"})
  void elementsAreFoundOffline(String interpreter, String script) throws Exception {
    Interpreter.assume(interpreter, "--version");
    assertFindsAndRefuses(REFERENCE, interpreter, script);
  }

  @Test
  void elementsAreFoundOfflineInGo() throws Exception {
    Interpreter.assume("go", "version");
    var library = Files.createDirectories(scratch.resolve("bloomgate"));
    Files.copy(SCHEME.resolve("might_contain.go"), library.resolve("might_contain.go"));
    Files.copy(REFERENCE.resolve("filter_file.go"), library.resolve("filter_file.go"));
    Files.copy(REFERENCE.resolve("check.go"), scratch.resolve("check.go"));
    Files.writeString(scratch.resolve("go.mod"), "module example.com/check\n\ngo 1.19\n");
    assertEquals("0 ", Interpreter.run(scratch, "go", "build", "-o", "check"));
    assertFindsAndRefuses(scratch, scratch.resolve("check").toAbsolutePath().toString());
  }

  private void assertFindsAndRefuses(Path directory, String... program) throws Exception {
    var golden = Files.readAllBytes(GOLDEN);
    assertEquals("0 1000 elements found", check(directory, program, golden, 1000));
    assertEquals("0 300 elements found", check(directory, program, severalSegments(), 300));
    assertEquals(
        "0 350 elements found", check(directory, program, GrownFileTest.golden().write(), 350));
    for (var file :
        List.of(
            CountingFileTest.golden(),
            CountingFileTest.severalSegments(),
            WindowFileTest.golden(),
            WindowFileTest.severalSegments())) {
      assertEquals("0 200 elements found", check(directory, program, file.write(), 200));
    }
    assertEquals("0 0 elements found", check(directory, program, ofAnotherScheme(), 0));
    for (var length : new int[] {0, 10, 300, 70_000, golden.length - 1}) {
      assertRefused(check(directory, program, Arrays.copyOf(golden, length), 1));
    }
    assertRefused(check(directory, program, Arrays.copyOf(golden, golden.length + 1), 1));
    for (var position : new int[] {3, 50, 500, 66_000, 108_100, golden.length - 1}) {
      var altered = golden.clone();
      altered[position] ^= 1;
      assertRefused(check(directory, program, altered, 1));
    }
  }

  private static void assertRefused(String result) {
    assertTrue(result.startsWith("1 "), result);
  }

  private String check(Path directory, String[] program, byte[] file, int count) throws Exception {
    var path = Files.write(scratch.resolve("file.bloom"), file).toAbsolutePath().toString();
    var command = Arrays.copyOf(program, program.length + 2);
    command[program.length] = path;
    command[program.length + 1] = Integer.toString(count);
    return Interpreter.run(directory, command);
  }

  /** Its header has a field more. */
  private static byte[] ofAnotherScheme() {
    var scheme = HashSchemes.named("redisson", Optional.of("kryo5")).orElseThrow();
    var parameters = FilterParameters.forElements(scheme, 1000, 0.01, WhenFull.ACCEPT);
    var file =
        new SampleFile(new FileHeader(new FilterName("other"), parameters, 1, Instant.EPOCH));
    file.bitmaps.add(new byte[(int) parameters.shape().segmentBytes()]);
    file.insertions.add(0L);
    file.snapshots.add(true);
    return file.write();
  }

  private static byte[] severalSegments() {
    var parameters =
        FilterParameters.forShape(HashSchemes.nativeScheme(), (1L << 24) + 64, 5, WhenFull.ACCEPT);
    var file =
        new SampleFile(new FileHeader(new FilterName("several"), parameters, 1, Instant.EPOCH));
    var shape = parameters.shape();
    for (var segment = 0; segment < shape.segments(); segment++) {
      file.bitmaps.add(new byte[(int) shape.segmentBytes()]);
      file.insertions.add(150L);
      file.snapshots.add(true);
    }
    var positions = new long[shape.numHashFunctions()];
    for (var i = 0; i < 300; i++) {
      var element = ("element " + i).getBytes(StandardCharsets.UTF_8);
      var bitmap = file.bitmaps.get(parameters.hashScheme().locate(element, shape, positions));
      for (var bit : positions) {
        bitmap[(int) (bit >> 3)] |= (byte) (0x80 >> (bit & 7));
      }
    }
    return file.write();
  }
}
