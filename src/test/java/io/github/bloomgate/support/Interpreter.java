package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs in other languages, if the machine has their interpreters. */
public final class Interpreter {

  private Interpreter() {}

  /** Skips the test if the program is not installed. */
  public static void assume(String program, String... versionArguments) throws Exception {
    assumeTrue(isThere(program, versionArguments), program + " is not installed");
  }

  /** Whether the program exists and runs a command within a minute. */
  public static boolean isThere(String program, String... versionArguments)
      throws InterruptedException {
    var command = new ArrayList<>(List.of(program));
    command.addAll(List.of(versionArguments));
    try {
      var process = start(Path.of("."), Redirect.DISCARD, command.toArray(String[]::new));
      return ends(process, 1) && process.exitValue() == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  /** A program of the JDK that runs the tests. */
  public static String jdk(String tool) {
    return Path.of(System.getProperty("java.home"), "bin", tool).toString();
  }

  /** Runs a program to its end, and returns its exit code and output in one line. */
  public static String run(Path directory, String... command) throws Exception {
    var output = Files.createTempFile("output", ".txt");
    try {
      var process = start(directory, Redirect.to(output.toFile()), command);
      if (!ends(process, 5)) {
        throw new AssertionError(String.join(" ", command) + " takes more than five minutes");
      }
      return process.exitValue() + " " + Files.readString(output).strip();
    } finally {
      Files.delete(output);
    }
  }

  /** A program that waits for an unavailable network would block all other tests. */
  private static boolean ends(Process process, int minutes) throws InterruptedException {
    if (process.waitFor(minutes, TimeUnit.MINUTES)) {
      return true;
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    return false;
  }

  private static Process start(Path directory, Redirect output, String... command)
      throws IOException {
    var builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output);
    // Otherwise, compiled Python would appear among the sources.
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    // Programs that send a key must not send an empty one.
    builder.environment().put("BLOOMGATE_KEY", "");
    builder.environment().put("GOFLAGS", "-mod=mod");
    var process = builder.start();
    process.getOutputStream().close();
    return process;
  }
}
