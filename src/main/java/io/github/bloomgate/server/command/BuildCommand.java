package io.github.bloomgate.server.command;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.files.FilterBuild;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.memory.DirectMemory;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.config.Config;

/** Builds the file of a filter from lines, without the service and without Redis. */
final class BuildCommand {

  static final String NAME = "build";

  static final String USAGE =
      """
        build --n <expectedInsertions> [--p <falsePositiveProbability>] --output <file>
              [--when-full accept|reject|grow] [--growth-factor <number>]
              [--max-size-bytes <bytes>] [--counting]
              [--bit-size <bits> --hash-functions <number>, instead of --n and --p]
              [--hash-scheme bloomgate-1|bloomgate-1-keyed]
              [--hash-secret-id <id> --hash-salt <salt>]
              [--format lines|ndjson] [--encoding utf-8|base64|hex] [<file with lines>...]
            Makes an export file from the elements in the files, or in standard input, for a first
            load: POST /v1/filters/{name}/import creates the filter. Options and lines mean what
            they mean when you create a filter and upload lines; files may be gzip. Needs no
            service and no Redis, and memory for the filter's bits: for more than the limit, give
            -XX:MaxDirectMemorySize to Java. --hash-secret-id and --hash-salt are the hashSecretId
            and hashSalt of an existing filter, for a file that can be merged with it:
            bin/bloomgate build --n 10000000 --p 0.01 --output users.bloom users.txt
      """;

  /** The default of the setting below. */
  private static final long USUAL_BOUND = 1L << 30;

  private BuildCommand() {}

  /**
   * Builds the file. Creates or replaces the output only if everything has succeeded.
   *
   * @param progress gets a line every few seconds
   * @return the figures to print
   * @throws IOException if it fails; the output is unchanged
   * @throws IllegalArgumentException if the arguments do not match the usage, or no filter can have
   *     the parameters
   */
  static String run(List<String> arguments, Config config, PrintStream progress)
      throws IOException {
    var began = System.nanoTime();
    var options = BuildOptions.of(arguments);
    var output = options.output().toAbsolutePath();
    requireWritable(output, options);
    try (var build = begin(options, config)) {
      var lines = new BuildLines(build, options, progress);
      for (var input :
          options.inputs().isEmpty() ? List.of(BuildLines.STANDARD) : options.inputs()) {
        lines.read(input);
      }
      write(build, output);
      return figures(options, build, lines.count(), (System.nanoTime() - began) / 1e9);
    } catch (BloomException refused) {
      throw new IOException(refused.getMessage(), refused);
    }
  }

  private static FilterBuild begin(BuildOptions options, Config config) throws IOException {
    try {
      return new FilterBuild(parameters(options, config), DirectMemory.all());
    } catch (BloomException impossible) {
      throw new IllegalArgumentException(impossible.getMessage(), impossible);
    }
  }

  private static FilterParameters parameters(BuildOptions options, Config config)
      throws IOException {
    var usualBound =
        config
            .getOptionalValue("bloomgate.growth.max-size", String.class)
            .map(size -> new MemorySizeConverter().convert(size).asLongValue())
            .orElse(USUAL_BOUND);
    var parameters = options.choice().toParameters(usualBound);
    var scheme = parameters.hashScheme();
    if (!scheme.isKeyed()) {
      if (options.key().isPresent()) {
        throw new IllegalArgumentException(
            "--hash-salt needs --hash-scheme bloomgate-1-keyed, but the scheme is %s."
                .formatted(scheme.id()));
      }
      return parameters;
    }
    var keyed = options.key().map(key -> HashSchemes.keyed(key, Optional.empty())).orElse(scheme);
    try {
      return parameters.withHashScheme(HashSecrets.of(config).forContent(keyed));
    } catch (ConfigurationException unusable) {
      throw new IOException(unusable.getMessage(), unusable);
    }
  }

  /** Finds out before the work that may take minutes. */
  private static void requireWritable(Path output, BuildOptions options) throws IOException {
    if (Files.exists(output) && !Files.isRegularFile(output)) {
      throw new IOException("%s is not a file. Choose another --output.".formatted(output));
    }
    if (!Files.isWritable(output.getParent())) {
      throw new IOException(
          "The folder %s does not exist or cannot be written to. Choose another --output."
              .formatted(output.getParent()));
    }
    for (var input : options.inputs()) {
      if (Files.exists(output)
          && Files.exists(Path.of(input))
          && Files.isSameFile(output, Path.of(input))) {
        throw new IOException(
            "The output %s is also an input. Choose another --output.".formatted(output));
      }
    }
  }

  /** Writes beside the output, so that no reader ever finds half a file there. */
  private static void write(FilterBuild build, Path output) throws IOException {
    var part =
        output.resolveSibling("%s.%s.part".formatted(output.getFileName(), UUID.randomUUID()));
    try {
      try (var file =
          FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        build.writeTo(Channels.newOutputStream(file));
        file.force(true);
      }
      Files.move(part, output, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failed) {
      throw new IOException(
          "The file %s cannot be written (%s). Make room, or choose another --output."
              .formatted(output, failed.getMessage()),
          failed);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static String figures(BuildOptions options, FilterBuild build, long lines, double seconds)
      throws IOException {
    var parameters = build.plan().parameters();
    var figures = build.statistics();
    var capacity = build.plan().expectedInsertions();
    var text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %d bytes, made in %.1f s%n%d lines, %d new elements of %d expectedInsertions%nexpected false-positive rate %.3g, asked for %s%n",
            options.output(),
            Files.size(options.output()),
            seconds,
            lines,
            build.added(),
            capacity,
            figures.estimatedFalsePositiveProbability(),
            parameters.falsePositiveProbability()));
    if (build.added() > capacity) {
      text.append(
          "The filter has more elements than it is made for, so its rate is higher. Build it again with --n %d or more.%n"
              .formatted(build.added()));
    }
    return text.toString();
  }
}
