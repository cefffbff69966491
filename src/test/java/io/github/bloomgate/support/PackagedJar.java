package io.github.bloomgate.support;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The packaged service as a program. */
public final class PackagedJar {

  private PackagedJar() {}

  /**
   * A process that is not started yet, with its errors in its output. It runs without C2, because
   * it ends too soon to benefit, and with the package's garbage collector, because it has little
   * memory.
   *
   * @param options JVM options, and properties as {@code -Dname=value}
   */
  public static ProcessBuilder process(List<String> options, String... arguments) {
    var command = new ArrayList<String>();
    command.add(Interpreter.jdk("java"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(options);
    command.addAll(List.of("-jar", Path.of("target", "quarkus-app", "quarkus-run.jar").toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }
}
