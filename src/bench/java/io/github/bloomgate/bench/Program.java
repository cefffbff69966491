package io.github.bloomgate.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A packaged Quarkus application and the Java that runs it.
 *
 * @param options options for this Java, in addition to those of the image
 */
record Program(Path java, List<String> options, Path jar) {

  private static final Path SERVICE = Path.of("target/bench/quarkus-app/quarkus-run.jar");

  /** Only built if {@code bench.java} is set. */
  private static final Path SERVICE_FOR_ARCHIVE = Path.of("target/bench/aot-app/quarkus-run.jar");

  private static final Path CEILING = Path.of("target/bench/ceiling/quarkus-app/quarkus-run.jar");

  private static final Path OWN_JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  static Program service() {
    return new Program(OWN_JAVA, headers(OWN_JAVA), SERVICE);
  }

  static Program ceiling() {
    return new Program(OWN_JAVA, headers(OWN_JAVA), CEILING);
  }

  /**
   * The service as the image runs it: with the options that bin/bloomgate adds, one of them for the
   * archive, which the image's script makes.
   *
   * @param java a JDK 25 or later
   */
  static Program serviceWithArchive(Path java, Path folder) {
    var archive = folder.resolve("bloomgate.aot");
    var command = new ArrayList<String>();
    // The script uses the java in the path.
    command.add("env");
    command.add("PATH=" + java.getParent() + File.pathSeparator + System.getenv("PATH"));
    command.addAll(List.of("bash", "deploy/image/archive.sh", archive.toString()));
    command.addAll(QuarkusApp.jvmSettings());
    command.addAll(List.of("-jar", SERVICE_FOR_ARCHIVE.toAbsolutePath().toString()));
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ServerProcess.run(command.toArray(String[]::new));
    var options = new ArrayList<>(headers(java));
    options.add("-XX:AOTCache=" + archive);
    return new Program(java, options, SERVICE_FOR_ARCHIVE);
  }

  /** The option that bin/bloomgate adds for a Java that has it. */
  private static List<String> headers(Path java) {
    var version = Runtime.Version.parse(javaVersion(java));
    return version.feature() >= 25 ? List.of("-XX:+UseCompactObjectHeaders") : List.of();
  }

  /** The command up to the settings, which are followed by {@link #jar}. */
  List<String> command() {
    var command = new ArrayList<String>();
    command.add(java.toString());
    command.addAll(options);
    command.addAll(QuarkusApp.jvmSettings());
    return command;
  }

  /** The version of its Java, such as 17.0.15. */
  String javaVersion() {
    return javaVersion(java);
  }

  private static String javaVersion(Path java) {
    try {
      return Files.readAllLines(java.toRealPath().resolveSibling("../release").normalize()).stream()
          .filter(line -> line.startsWith("JAVA_VERSION="))
          .map(line -> line.replaceAll(".*=\"(.*)\"", "$1"))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
