package io.github.bloomgate.model;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What is known of a file that is to be read, beside what it says itself.
 *
 * @param format its layout
 * @param parameters of the filter in it; only with a format that does not hold any
 * @param expectedInsertions n, only with a format that holds the bits and no n
 * @param falsePositiveProbability p, likewise
 */
public record FileDescription(
    FileFormat format,
    Optional<FilterParameters> parameters,
    OptionalLong expectedInsertions,
    OptionalDouble falsePositiveProbability) {

  /** A file that says all itself. */
  public static FileDescription of(FileFormat format) {
    return new FileDescription(
        format, Optional.empty(), OptionalLong.empty(), OptionalDouble.empty());
  }

  /** The bytes of a bitmap. */
  public static FileDescription ofBitmap(FilterParameters parameters) {
    return new FileDescription(
        FileFormat.REDIS_BITMAP,
        Optional.of(parameters),
        OptionalLong.empty(),
        OptionalDouble.empty());
  }

  /** A file of a filter that was made for n elements at the rate p, which it does not tell. */
  public static FileDescription of(
      FileFormat format, long expectedInsertions, double falsePositiveProbability) {
    return new FileDescription(
        format,
        Optional.empty(),
        OptionalLong.of(expectedInsertions),
        OptionalDouble.of(falsePositiveProbability));
  }
}
