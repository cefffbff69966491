package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of other languages, run where the machine has what runs them. */
public final class Interpreter {

  private Interpreter() {}

  /** Skips the test where the program is not there. */
  public static void assume(String program, String... versionArguments) throws Exception {
    assumeTrue(isThere(program, versionArguments), program + " is not installed");
  }

  /** Whether the program is there and tells its version. */
  public static boolean isThere(String program, String... versionArguments)
      throws InterruptedException {
    var command = new ArrayList<>(List.of(program));
    command.addAll(List.of(versionArguments));
    try {
      return start(Path.of("."), command.toArray(String[]::new)).waitFor() == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  /** Runs a program to its end, and gives its exit code and all it printed in one line. */
  public static String run(Path directory, String... command) throws Exception {
    var process = start(directory, command);
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(5, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError(String.join(" ", command) + " takes more than five minutes");
    }
    return process.exitValue() + " " + output.strip();
  }

  private static Process start(Path directory, String... command) throws IOException {
    var builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    // Compiled Python would otherwise appear among the sources.
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().put("GOFLAGS", "-mod=mod");
    var process = builder.start();
    process.getOutputStream().close();
    return process;
  }
}
