package io.github.bloomgate.server.command;

import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.http.request.FilterChoice;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.WhenFull;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The arguments of {@link BuildCommand}.
 *
 * @param choice of the filter's parameters
 * @param key of an existing filter
 * @param inputs the files with lines; standard input if there are none
 */
record BuildOptions(
    FilterChoice choice,
    Optional<KeyOrigin> key,
    LineFormat format,
    ElementEncoding encoding,
    Path output,
    List<String> inputs) {

  private static final double LOWEST_RATE = 1e-12;

  /**
   * Reads the arguments.
   *
   * @throws IllegalArgumentException if they do not match the usage
   */
  static BuildOptions of(List<String> arguments) {
    var choice = new FilterChoice();
    Optional<String> secretId = Optional.empty();
    Optional<String> salt = Optional.empty();
    var format = LineFormat.TEXT;
    var encoding = ElementEncoding.UTF_8;
    Optional<Path> output = Optional.empty();
    var inputs = new ArrayList<String>();
    for (var rest = arguments.iterator(); rest.hasNext(); ) {
      var option = rest.next();
      if (!option.startsWith("-") || option.equals(BuildLines.STANDARD)) {
        inputs.add(option);
        continue;
      }
      if (option.equals("--counting")) {
        choice.counting = true;
        continue;
      }
      var value = value(option, rest);
      switch (option) {
        case "--n" ->
            choice.expectedInsertions =
                whole(option, value, FilterParameters.MAX_EXPECTED_INSERTIONS);
        case "--p" -> choice.falsePositiveProbability = rate(option, value);
        case "--bit-size" -> choice.bitSize = whole(option, value, FilterParameters.MAX_BIT_SIZE);
        case "--hash-functions" ->
            choice.numHashFunctions =
                (int) whole(option, value, FilterParameters.MAX_HASH_FUNCTIONS);
        case "--when-full" -> choice.whenFull = named(option, value, WhenFull.values());
        case "--growth-factor" ->
            choice.growthFactor = (int) whole(option, value, Growth.MAX_FACTOR);
        case "--max-size-bytes" ->
            choice.maxSizeBytes = whole(option, value, Growth.MAX_SIZE_BYTES);
        case "--hash-scheme" -> choice.hashScheme = value;
        case "--hash-secret-id" -> secretId = Optional.of(value);
        case "--hash-salt" -> salt = Optional.of(value);
        case "--format" -> format = format(option, value);
        case "--encoding" -> encoding = named(option, value, ElementEncoding.values());
        case "--output" -> output = Optional.of(Path.of(value));
        default -> throw new IllegalArgumentException("There is no option " + option + ".");
      }
    }
    return new BuildOptions(
        choice,
        key(secretId, salt),
        format,
        encoding,
        output.orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The output file is missing: give --output, such as --output users.bloom.")),
        inputs);
  }

  private static Optional<KeyOrigin> key(Optional<String> secretId, Optional<String> salt) {
    if (secretId.isPresent() != salt.isPresent()) {
      throw new IllegalArgumentException(
          "--hash-secret-id and --hash-salt belong together: give both, or neither for a new key.");
    }
    try {
      return secretId.map(id -> new KeyOrigin(id, salt.orElseThrow()));
    } catch (IllegalArgumentException malformed) {
      throw unusable(
          "--hash-secret-id and --hash-salt",
          secretId.orElseThrow() + " " + salt.orElseThrow(),
          "the hashSecretId, 16 hexadecimal digits, and the hashSalt, 32, of a filter");
    }
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException("The option " + option + " needs a value.");
    }
    return rest.next();
  }

  private static long whole(String option, String value, long most) {
    var number = 0L;
    try {
      number = Long.parseLong(value);
    } catch (NumberFormatException malformed) {
      // Refused like 0.
    }
    if (number < 1 || number > most) {
      throw unusable(option, value, "a whole number from 1 to " + most);
    }
    return number;
  }

  private static double rate(String option, String value) {
    var rate = 0.0;
    try {
      rate = Double.parseDouble(value);
    } catch (NumberFormatException malformed) {
      // Refused like 0.
    }
    if (!(rate >= LOWEST_RATE && rate < 1)) {
      throw unusable(
          option, value, "a number from %s to below 1, such as 0.01".formatted(LOWEST_RATE));
    }
    return rate;
  }

  private static LineFormat format(String option, String value) {
    return switch (value) {
      case "lines" -> LineFormat.TEXT;
      case "ndjson" -> LineFormat.NDJSON;
      default -> throw unusable(option, value, "lines or ndjson");
    };
  }

  /** The constant with this name in the API. */
  private static <T extends Enum<T>> T named(String option, String value, T[] all) {
    return Arrays.stream(all)
        .filter(some -> name(some).equals(value))
        .findFirst()
        .orElseThrow(
            () ->
                unusable(
                    option,
                    value,
                    "one of "
                        + String.join(", ", Arrays.stream(all).map(BuildOptions::name).toList())));
  }

  private static String name(Enum<?> some) {
    return some.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static IllegalArgumentException unusable(String option, String value, String accepted) {
    return new IllegalArgumentException(
        "The value '%s' of %s cannot be used: it must be %s.".formatted(value, option, accepted));
  }
}
