package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The reference code in other languages: the page shows what the files contain, and the files
 * compute what the golden vectors say. Runs what the machine has interpreters for.
 */
class ReferenceCodeTest {

  private static final Path RESOURCES = Path.of("src", "test", "resources", "hash");
  private static final Path REFERENCE = RESOURCES.resolve("reference");

  @TempDir private Path scratch;

  @ParameterizedTest
  @CsvSource({"python, might_contain.py", "javascript, might_contain.mjs", "go, might_contain.go"})
  void pageShowsTheFile(String language, String file) throws IOException {
    String page = Files.readString(Path.of("docs", "hash-schemes.md"));
    String code = Files.readString(REFERENCE.resolve(file));
    assertTrue(
        page.contains("```" + language + "\n" + code + "```\n"),
        "docs/hash-schemes.md must show " + file + " exactly as it is");
  }

  @Test
  void generatorReproducesTheVectorsByteForByte() throws Exception {
    assumeInterpreter("python3");
    assertEquals(
        Files.readString(RESOURCES.resolve("bloomgate-1.json")),
        run(RESOURCES, "python3", "bloomgate_1.py"));
  }

  @ParameterizedTest
  @CsvSource({"python3, check.py", "node, check.mjs"})
  void codeComputesTheVectors(String interpreter, String script) throws Exception {
    assumeInterpreter(interpreter);
    String output = run(REFERENCE, interpreter, script, "../bloomgate-1.json");
    assertTrue(output.matches("[0-9]{3,} checks passed\\R"), output);
  }

  private void assumeInterpreter(String interpreter) throws InterruptedException {
    int exitCode;
    try {
      exitCode = start(Path.of("."), interpreter, "--version").waitFor();
    } catch (IOException e) {
      exitCode = -1;
    }
    assumeTrue(exitCode == 0, interpreter + " is not installed");
  }

  private String run(Path directory, String... command) throws Exception {
    Process process = start(directory, command);
    boolean ended = process.waitFor(1, TimeUnit.MINUTES);
    process.destroyForcibly();
    String output = Files.readString(output(), StandardCharsets.UTF_8);
    assertTrue(ended, () -> String.join(" ", command) + " takes more than a minute: " + output);
    assertEquals(0, process.exitValue(), output);
    return output;
  }

  private Process start(Path directory, String... command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output().toFile());
    // Compiled Python would otherwise appear among the sources.
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    return builder.start();
  }

  private Path output() {
    return scratch.resolve("output");
  }
}
